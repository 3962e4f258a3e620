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
const received: string[] = [];
let status = 204;

test.beforeAll(async ({ server }) => {
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push(Buffer.concat(chunks).toString());
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  product = await server.addTenant([]);
});
test.afterAll(async () => {
  await product?.stop();
  receiver?.close();
});

test('adds a destination of the audit log, tests it, and shows its progress', async ({ page }) => {
  await signUp(page, product.url, product.owner);
  await createOrganization(page, 'Kestrel Payments');
  await page.goto(`${product.url}/audit`);
  await page.getByRole('link', { name: 'Configure streaming' }).click();
  await expect(page.getByText('No destinations yet')).toBeVisible();
  await expectAccessible(page, 'no destinations');

  await test.step('rejects an internal address and keeps the input', async () => {
    await page.getByRole('button', { name: 'Add destination' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Security data lake');
    await dialog.getByLabel('Host').fill('10.0.0.8');
    await expectAccessible(page, 'a new destination');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog.getByText(/private or reserved/)).toBeVisible();
    await expect(dialog.getByLabel('Name')).toHaveValue('Security data lake');
  });

  await test.step('shows the signing secret once', async () => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'HTTPS' }).click();
    await dialog.getByLabel('URL').fill(`${address}/audit`);
    await dialog.getByRole('combobox', { name: 'Start from' }).click();
    await page.getByRole('option', { name: 'The whole audit log' }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('textbox', { name: 'Signing secret' })).toHaveValue(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
  });

  const row = page.getByRole('row', { name: /Security data lake/ });
  await expect(row.getByText('Up to date')).toBeVisible({ timeout: 30_000 });
  await expect(row.getByText('Active')).toBeVisible();
  expect(received.join()).toContain('organization.created');
  await expectAccessible(page, 'a destination');
  await page.screenshot({ path: 'test-results/audit-streams.png' });

  await test.step('shows why a test was not accepted', async () => {
    status = 503;
    await row.getByRole('button', { name: 'Actions for Security data lake' }).click();
    await page.getByRole('menuitem', { name: 'Send test event' }).click();
    await expect(page.getByText(/The test event was not delivered/)).toBeVisible();
    await expect(row.getByText('Failing')).toBeVisible({ timeout: 30_000 });
    await expect(row.getByText(/reported an internal error/)).toBeVisible();
    await page.screenshot({ path: 'test-results/audit-streams-failing.png' });
  });

  await test.step('deletes it', async () => {
    await row.getByRole('button', { name: 'Actions for Security data lake' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('No destinations yet')).toBeVisible();
  });
});
