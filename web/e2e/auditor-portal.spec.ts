import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { setUp } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;
test.beforeAll(async ({ server }) => {
  product = await server.addTenant();
});
test.afterAll(() => product?.stop());

test('lets an auditor view, sample, request evidence and download without an account until revoked', async ({
  page,
  browser,
}) => {
  await setUp(page, product, 'Kestrel Payments');
  await freeze(page);
  await page.goto(`${product.url}/evidence/auditor-portals`);
  await expect(page.getByText('No auditor portals')).toBeVisible();
  await page.getByRole('button', { name: 'New portal' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Portal name').fill('SOC 2');
  await dialog.getByLabel('Auditor', { exact: true }).fill('Petra Prüfer');
  await dialog.getByLabel(/^Third quarter/).check();
  await expectAccessible(page, 'a new portal');
  await dialog.getByRole('button', { name: 'Create portal' }).click();
  const link = await page.getByLabel('Portal link').inputValue();
  expect(link).toMatch(/\/portal#slportal_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(link)).toHaveCount(0);

  // Another browser without a session.
  const context = await browser.newContext({ acceptDownloads: true });
  const auditor = await context.newPage();
  const foreign: string[] = [];
  auditor.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(product.url).origin && !request.url().startsWith('blob:'))
      foreign.push(request.url());
  });
  await auditor.goto(link);
  await expect(auditor.getByRole('heading', { name: 'SOC 2', level: 1 })).toBeVisible();
  expect(auditor.url()).not.toContain('slportal_');
  await expect(auditor.getByRole('timer')).toHaveText(/\d+ days/);
  await expect(auditor.locator('meta[name=robots]').first()).toHaveAttribute('content', /noindex/);
  await expect(auditor.locator('svg pattern text').first()).toHaveText('Petra Prüfer · SOC 2');
  await expectAccessible(auditor, 'a portal');

  await auditor.getByRole('button', { name: 'Request evidence' }).click();
  await auditor.getByLabel('What you need').fill('Who reviewed the reviewers?');
  await auditor.getByRole('button', { name: 'Send request', exact: true }).click();
  await expect(auditor.getByRole('list', { name: 'Requests' }).getByText('Who reviewed the reviewers?')).toBeVisible();

  await auditor.getByRole('link', { name: 'Third quarter' }).click();
  await expect(auditor.getByText('Files of the bundle').first()).toBeVisible();
  await expectAccessible(auditor, 'a snapshot in a portal');
  const waiting = auditor.waitForEvent('download');
  await auditor.getByRole('button', { name: /^Download/ }).click();
  expect((await waiting).suggestedFilename()).toMatch(/^sightline-.*\.zip$/);

  await auditor.getByRole('link', { name: /^VUL-01/ }).click();
  await expect(auditor.getByText(/selected by the root hash of the checkpoint/i)).toBeVisible();
  await auditor.getByLabel('Custom seed').fill('dice of the auditor');
  await auditor.getByRole('button', { name: 'Resample' }).click();
  await expect(auditor.getByText(/selected by a custom seed/)).toBeVisible();
  await auditor.getByRole('button', { name: 'Re-perform' }).click();
  await expect(auditor.getByText(/^No difference: .* Computed by the server http/)).toBeVisible();
  await expectAccessible(auditor, 'a control in a portal');
  await auditor.reload();
  await expect(auditor.getByRole('heading', { name: /^VUL-01/, level: 1 })).toBeVisible();

  // The owner sees the activity and answers, and the answer appears without a reload.
  await page.getByRole('link', { name: /SOC 2/ }).click();
  await page.getByLabel('Answer').fill('Nobody: they are three.');
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Answered', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a portal of the owner');
  await page.goto(`${product.url}/audit`);
  await expect(
    page.getByText(/sampled VUL-01 with seed dice of the auditor in the auditor portal/).first(),
  ).toBeVisible();
  await page.goBack();
  await auditor.getByRole('link', { name: /SOC 2/ }).first().click();
  await expect(auditor.getByText('Nobody: they are three.')).toBeVisible({ timeout: 15_000 });

  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Revoked', { exact: true }).first()).toBeVisible();
  await expect(auditor.getByRole('heading', { name: 'This portal is not available' })).toBeVisible({ timeout: 5000 });
  await expectAccessible(auditor, 'a closed portal');
  await auditor.goto(link);
  await expect(auditor.getByRole('heading', { name: 'This portal is not available' })).toBeVisible();
  expect(foreign).toEqual([]);
  await context.close();
});

async function freeze(page: Page): Promise<void> {
  await page.goto(`${product.url}/evidence/snapshots`);
  await page.getByRole('button', { name: 'New snapshot' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Third quarter');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 120_000 });
}
