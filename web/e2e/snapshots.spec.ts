import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { setUp } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;
// One tenant each, since code hosts are connected to a single organization.
test.beforeEach(async ({ server }) => {
  product = await server.addTenant();
});
test.afterEach(() => product?.stop());

test('creates a snapshot whose bundle is verified offline', async ({ page, context }) => {
  await setUp(page, product, 'Kestrel Payments');
  await page.goto(`${product.url}/evidence/snapshots`);
  await expect(page.getByText('No snapshots')).toBeVisible();
  await expectAccessible(page, 'no snapshots');

  await page.getByRole('button', { name: 'New snapshot' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toHaveValue(/^Evidence of Q\d \d{4}$/);
  await expectAccessible(page, 'a new snapshot');
  await dialog.getByLabel('Name').fill('Third quarter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Third quarter', level: 1 })).toBeVisible();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 120_000 });
  await page.getByText('evidence/', { exact: true }).click();
  await expect(page.getByText('evidence/CHG-01.jsonl')).toBeVisible();
  await expectAccessible(page, 'a snapshot');

  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download \d/ }).click();
  const bundle = await waiting;
  const path = join(mkdtempSync(join(tmpdir(), 'sightline-bundle-')), bundle.suggestedFilename());
  await bundle.saveAs(path);
  const key = (await page.getByText(/\+[0-9a-f]{8}\+/).textContent()) ?? '';
  expect(await product.sightline('verify', path, '--key', key)).toContain('VALID:');

  await context.setOffline(true);
  const verifier = await context.newPage();
  await verifier.goto(`file://${fileURLToPath(new URL('../../evidence/verify.html', import.meta.url))}`);
  await verifier.getByLabel('Key of the ledger').fill(key);
  await verifier.getByLabel('Bundle', { exact: true }).setInputFiles(path);
  await verifier.getByRole('button', { name: 'Verify' }).click();
  await expect(verifier.getByRole('heading', { name: 'Valid', exact: true })).toBeVisible();
});

test('narrows a snapshot that supersedes an earlier one, and compares them', async ({ page }) => {
  await setUp(page, product, 'Heron Freight');
  await page.goto(`${product.url}/evidence/snapshots`);
  await freeze(page, 'First');
  await page.goto(`${product.url}/evidence/snapshots`);
  await page.getByRole('button', { name: 'New snapshot' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Second');
  await dialog.getByRole('combobox', { name: 'Controls' }).click();
  for (const control of [/^CHG-01/, /^LOG-01/]) await page.getByRole('option', { name: control }).click();
  await page.keyboard.press('Escape');
  await expect(dialog.getByText(/^2 of \d+$/)).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Supersedes' }).click();
  await page.getByRole('option', { name: /^First/ }).click();
  await dialog.getByRole('combobox', { name: 'Redaction' }).click();
  await page.getByRole('option', { name: 'Personal data', exact: true }).click();
  await expectAccessible(page, 'a narrowed snapshot');
  await dialog.getByRole('button', { name: 'Create snapshot' }).click();
  await expect(page.getByRole('heading', { name: 'Second', level: 1 })).toBeVisible();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText('CHG-01, LOG-01')).toBeVisible();
  await expect(page.getByText('personal data redacted')).toBeVisible();
  await expect(page.getByText('The bundle includes a PDF')).toBeVisible();
  await expect(page.getByText(/-redacted-people\.zip/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Compare with' }).click();
  await page.getByRole('option', { name: /^First/ }).click();
  await expect(page.getByRole('row', { name: /CHG-02/ }).getByText('Not included')).toBeVisible();
  await expectAccessible(page, 'a comparison');
});

async function freeze(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New snapshot' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 120_000 });
}
