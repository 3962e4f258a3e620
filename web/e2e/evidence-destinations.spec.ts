import { expect } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { sandboxOf, type Tenant } from './server.ts';
import { setUp } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;
test.beforeAll(async ({ server }) => {
  product = await server.addTenant();
});
test.afterAll(() => product?.stop());

interface Receivers {
  vanta: { clientId: string; clientSecret: string; documents: { uploads: { name: string }[] }[] };
}

const receiversOf = async (sandbox: string): Promise<Receivers> =>
  (await (await fetch(`${sandbox}/_sandbox/receivers`)).json()) as Receivers;

test('adds a destination, explains its rejection, and sends a snapshot', async ({ page }) => {
  await setUp(page, product, 'Kestrel Payments');
  const sandbox = sandboxOf(product);
  const { vanta } = await receiversOf(sandbox);

  await page.goto(`${product.url}/evidence/snapshots`);
  await page.getByRole('button', { name: 'New snapshot' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Third quarter');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 120_000 });
  const snapshot = page.url();

  await test.step('shows a rejected destination', async () => {
    await page.goto(`${product.url}/evidence/destinations`);
    await expect(page.getByText('No evidence destinations')).toBeVisible();
    await page.getByRole('button', { name: 'Add destination' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add destination' });
    await dialog.getByLabel('Name', { exact: true }).fill('Auditors of 2026');
    await dialog.getByLabel('API URL').fill(`${sandbox}/vanta`);
    await dialog.getByLabel('Document ID').fill('change-management');
    await dialog.getByLabel('Client id').fill(vanta.clientId);
    await dialog.getByLabel('Client secret').fill('wrong');
    await expectAccessible(page, 'add destination');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Auditors of 2026', level: 1 })).toBeVisible();
    await expect(page.getByText('No deliveries')).toBeVisible();
    await page.getByRole('button', { name: 'Test' }).click();
    await expect(page.getByText('Vanta rejects this client ID and secret.')).toBeVisible();
  });

  await test.step('accepts the right secret', async () => {
    await page.getByRole('button', { name: 'Actions for Auditors of 2026' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change Auditors of 2026' });
    await dialog.getByLabel('Another client secret').fill(vanta.clientSecret);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Test' }).click();
    await expect(page.getByText('Vanta has the document “Change management evidence”.')).toBeVisible();
  });

  await test.step('sends a snapshot', async () => {
    await page.goto(snapshot);
    await page.getByRole('button', { name: 'Send to' }).click();
    await page.getByRole('menuitem', { name: 'Auditors of 2026' }).click();
    await expect(page.getByRole('heading', { name: 'Auditors of 2026', level: 1 })).toBeVisible();
    const row = page.getByRole('row', { name: /Third quarter/ });
    await expect(row.getByText('Sent', { exact: true })).toBeVisible({ timeout: 60_000 });
    await expectAccessible(page, 'a destination');
    await row.getByRole('button', { name: 'Third quarter', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Third quarter' });
    await expect(dialog.getByText('Controls as CSV')).toBeVisible();
    await expect(dialog.getByText('POST /vanta/v1/documents/change-management/uploads').first()).toBeVisible();
    await expectAccessible(page, 'a delivery');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await expect(dialog.getByText('Already at Vanta.').first()).toBeVisible({ timeout: 60_000 });
  });

  const [document] = (await receiversOf(sandbox)).vanta.documents;
  const names = document?.uploads.map(({ name }) => name) ?? [];
  expect(new Set(names).size).toBe(names.length);
  expect(names.join()).toContain('csv-controls.csv');
});
