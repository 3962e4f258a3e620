import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;
let receiver: Server;
let address: string;
const heard: string[] = [];
/** The status of the receiver's next response. */
let status = 204;

test.beforeAll(async ({ server }) => {
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    heard.push(Buffer.concat(chunks).toString());
    response.writeHead(status).end(status === 204 ? '' : 'We are closed for today.');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  product = await server.addTenant([]);
});
test.afterAll(async () => {
  await product?.stop();
  receiver?.close();
});

test('adds, tests and manages a webhook', { tag: '@core' }, async ({ page }) => {
  await signUp(page, product.url, product.owner);
  await createOrganization(page, 'Kestrel Payments');
  await page.goto(`${product.url}/organization/webhooks`);
  await expect(page.getByText('No webhooks')).toBeVisible();
  await expectAccessible(page, 'no webhooks');

  await test.step('rejects an internal address and keeps the input', async () => {
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://10.0.0.8/hooks');
    await dialog.getByLabel('Description').fill('Our SIEM');
    await dialog.getByRole('radio', { name: 'Selected events' }).check();
    await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
    await dialog.getByRole('checkbox', { name: /New vulnerabilities/ }).check();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog.getByText(/private or reserved network/)).toBeVisible();
    await expectAccessible(page, 'an address that was refused');
    await expect(dialog.getByLabel('Description')).toHaveValue('Our SIEM');
  });

  await test.step('shows the secret once', async () => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(`${address}/hooks`);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('textbox', { name: 'Signing secret' })).toHaveValue(/^whsec_/);
    await expectAccessible(page, 'the secret');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('heading', { name: 'Our SIEM', level: 1 })).toBeVisible();
    await expect(page.getByText('No deliveries')).toBeVisible();
  });

  await test.step('shows a test delivery without a reload', async () => {
    await page.getByRole('button', { name: 'Send test event' }).click();
    const row = page.getByRole('row').filter({ hasText: 'webhook.test' });
    await expect(row).toContainText('Delivered');
    expect(JSON.parse(heard[0] ?? '')).toMatchObject({ type: 'webhook.test' });
    await expectAccessible(page, 'deliveries');
  });

  await test.step('shows a refused delivery with its response and resends it', async () => {
    status = 503;
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('row').filter({ hasText: '503 in' }).getByRole('button', { name: /^Test/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Test' });
    await expect(dialog.getByText('We are closed for today.').first()).toBeVisible();
    await expect(page).toHaveURL(/delivery=/);
    await expectAccessible(page, 'a delivery');
    status = 204;
    await page.reload();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await expect(dialog.getByText(/^Delivered: 204/)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).not.toHaveURL(/delivery=/);
  });

  await test.step('rotates its secret, disables, enables and deletes it', async () => {
    const act = async (name: string) => {
      await page.getByRole('button', { name: /^Actions for 127/ }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Rotate secret');
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await expect(page.getByRole('textbox', { name: 'Signing secret' })).toHaveValue(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText(/the previous one until/)).toBeVisible();
    await act('Disable');
    await page.getByRole('button', { name: 'Enable' }).click();
    await expect(page.getByRole('button', { name: 'Send test event' })).toBeVisible();
    await act('Edit');
    await page.getByRole('radio', { name: 'Every event' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('definition').filter({ hasText: 'Every event' })).toBeVisible();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Our SIEM' })).toContainText('Active');
    await expectAccessible(page, 'webhooks');
    await page.getByRole('link', { name: new RegExp(address) }).click();
    await act('Delete');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('No webhooks')).toBeVisible();
  });

  await test.step('records everything in the audit log', async () => {
    await page.goto(`${product.url}/audit`);
    await expect(page.getByText(/rotated the signing secret of the webhook to 127/)).toBeVisible();
  });
});
