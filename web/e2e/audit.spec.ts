import { readFile } from 'node:fs/promises';
import { type BrowserContext, type Download, expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;
let context: BrowserContext;
let page: Page;
test.beforeAll(async ({ browser, server }) => {
  product = await server.addTenant([]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
  await signUp(page, product.url, product.owner);
  await createOrganization(page, 'Kestrel Payments');
});
test.afterAll(async () => {
  await context.close();
  await product.stop();
});

const rows = () => page.getByRole('table', { name: 'Audit log' }).getByRole('row');
const row = (words: RegExp) => rows().filter({ hasText: words });

test('shows the audit log to an owner, with entries, filters and export', async () => {
  await test.step('opens the log from the sidebar', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
    await expect(row(/created the organization Kestrel Payments/)).toBeVisible();
    await expect(row(/signed in with email and password/)).toBeVisible();
    await expect(page.getByText(/^As of/)).toBeVisible();
    await expectAccessible(page, 'audit log');
  });

  await test.step('shows a change without a reload, with values before and after', async () => {
    const settings = await context.newPage();
    await settings.goto(`${product.url}/organization/settings`);
    await settings.getByLabel('Description').fill('Cards and transfers');
    await settings.getByRole('button', { name: /^Save/ }).click();
    await expect(row(/changed the settings of/)).toBeVisible();
    await settings.close();
    await row(/changed the settings of/)
      .getByRole('button', { name: /^Details/ })
      .click();
    const changes = page.getByRole('table', { name: 'Changes' });
    await expect(changes.getByRole('row')).toHaveCount(2);
    await expect(changes.getByRole('row', { name: 'Description nothing Cards and transfers' })).toBeVisible();
    await expectAccessible(page, 'audit log, open entry');
  });

  await test.step('keeps the entry in the address', async () => {
    expect(page.url()).toContain('entry=');
    await page.reload();
    await expect(page.getByRole('table', { name: 'Changes' })).toBeVisible();
    await page.goto(`${page.url()}&action=organization.created`);
    await expect(page.getByRole('heading', { name: 'Linked entry' })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Changes' })).toBeVisible();
    await expectAccessible(page, 'audit log, linked entry');
    await page.getByRole('button', { name: 'Close the linked entry' }).click();
    await expect(page.getByRole('heading', { name: 'Linked entry' })).toBeHidden();
  });

  await test.step('filters and searches', async () => {
    await page.goto('/audit');
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: /^Organization created/ }).click();
    await page.keyboard.press('Escape');
    await expect(rows()).toHaveCount(2);
    await expect(page).toHaveURL(/action=organization\.created/);
    await page.getByRole('searchbox', { name: 'Search the audit log' }).fill('nobody did this');
    await expect(page.getByRole('heading', { name: 'No entry matches' })).toBeVisible();
    await expect(page.getByText('Action: Organization created')).toBeVisible();
    await expectAccessible(page, 'audit log, no match');
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
    await expect(row(/signed in/)).toBeVisible();
    await page.getByRole('button', { name: 'Any time' }).click();
    await expectAccessible(page, 'audit log, time');
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await expect(page).toHaveURL(/from=/);
    await expect(row(/signed in/)).toBeVisible();
    await page.getByRole('button', { name: 'Clear the time' }).click();
    await expect(page).not.toHaveURL(/from=/);
  });

  await test.step('exports filtered entries and records the export', async () => {
    await page.goto('/audit?action=organization.created');
    await expect(rows()).toHaveCount(2);
    const csv = await exported('CSV');
    expect(csv.suggestedFilename()).toMatch(/^audit-log-kestrel-payments(-[\da-f]{8})?-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await textOf(csv)).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`"${product.owner.name}","${product.owner.email}"`);
    await expect(page.getByText('The audit log was exported.')).toBeVisible();
    const json = JSON.parse(await textOf(await exported('JSON one list')));
    expect(json).toMatchObject([{ action: 'organization.created', actor: { name: product.owner.name } }]);
    await page.goto('/audit');
    await expect(row(/exported the audit log as CSV/)).toBeVisible();
  });
});

test('reports a failed export and offers a retry', async () => {
  await page.goto('/audit');
  await expect(row(/signed in/).first()).toBeVisible();
  await page.route('**/api/v2/audit/export?*', (route) => route.abort('connectionreset'), { times: 1 });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: /^CSV/ }).click();
  await expect(page.getByRole('alert')).toContainText('The export failed.');
  await expectAccessible(page, 'audit log, failed export');
  const again = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Try again' }).click();
  expect((await textOf(await again)).length).toBeGreaterThan(100);
});

test('works by keyboard alone', async () => {
  await page.goto('/audit');
  await expect(row(/signed in/).first()).toBeVisible();
  const { keyboard } = page;
  const search = page.getByRole('searchbox', { name: 'Search the audit log' });
  await search.focus();
  await keyboard.type('created kestrel');
  await keyboard.press('Enter');
  await expect(rows()).toHaveCount(2);
  await tabTo(page.getByRole('button', { name: /^Details of .* created the organization/ }));
  await keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Changes' })).toBeVisible();
  await tabTo(page.getByRole('button', { name: `All by ${product.owner.name}` }));
  await keyboard.press('Space');
  await expect(page).toHaveURL(/actor=account/);
  await tabTo(page.getByRole('combobox', { name: /^Actor/ }), 'back');
  await keyboard.press('Enter');
  await expect(page.getByRole('option', { name: new RegExp(product.owner.name) })).toBeVisible();
  await keyboard.press('Escape');
});

async function tabTo(target: ReturnType<Page['locator']>, way: 'on' | 'back' = 'on'): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press(way === 'on' ? 'Tab' : 'Shift+Tab');
  }
  await expect(target).toBeFocused();
}

async function exported(format: string): Promise<Download> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: format }).first().click();
  return download;
}

const textOf = async (download: Download) => readFile(await download.path(), 'utf8');
