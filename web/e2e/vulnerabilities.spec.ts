import { readFile } from 'node:fs/promises';
import { type BrowserContext, type Download, expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { createVulnerable, forgery, testFindings, uploadScan } from './findings.ts';
import type { Tenant } from './server.ts';
import { connectSandbox, createOrganization, enableAllRepositories, importsCompleted, signUp } from './steps.ts';
import { test } from './test.ts';

let code: Awaited<ReturnType<typeof createVulnerable>>;
let product: Tenant;
let context: BrowserContext;
let page: Page;
let repository: string;

// The second test depends on the data of the first one.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser, server }) => {
  code = await createVulnerable('ledger');
  product = await server.addTenant([code.path]);
  context = await browser.newContext({
    baseURL: product.url,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = await context.newPage();
  await signUp(page, product.url, product.owner);
  await createOrganization(page, 'Kestrel Payments');
});
test.afterAll(async () => {
  await context.close();
  await product.stop();
  await code.remove();
});

const rows = () => page.getByRole('table', { name: 'Vulnerabilities' }).getByRole('row');
const row = (words: string | RegExp) => rows().filter({ hasText: words });
const title = () => page.getByRole('heading', { level: 1 });

test('finds, reads, marks, copies and exports vulnerabilities', async () => {
  test.setTimeout(300_000);
  await test.step('explains the setup before the first scan', async () => {
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Vulnerabilities' }).click();
    await expect(page.getByRole('heading', { name: 'No vulnerabilities detected' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Connect a scanner' })).toBeVisible();
    await expectAccessible(page, 'vulnerabilities, never scanned');
    await page.goto('/onboarding/setup/2');
    await connectSandbox(page, product);
    await enableAllRepositories(page);
    await importsCompleted(page, product.url);
    await page.goto('/repositories');
    const href = await page.getByRole('link', { name: /ledger/ }).getAttribute('href');
    repository = (href ?? '').replace('/repository/github/', '');
  });

  await test.step('shows a scan without a reload, worst first, with counts by severity', async () => {
    // The sandbox's GitHub has alerts of its own.
    await page.goto('/vulnerabilities?dataSource=semgrep');
    await expect(page.getByText('No vulnerability matches')).toBeVisible();
    await uploadScan(page, repository, testFindings);
    await expect(row(forgery.name)).toBeVisible();
    await expect(page.getByText('open in 1 repository')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Critical 1 8%' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Medium 10 83%' })).toBeVisible();
    await expect(rows().nth(1)).toContainText(forgery.name);
    await expect(rows().nth(1)).toContainText('New');
    await expect(rows().nth(1)).toContainText('CWE-918');
    await expect(rows().nth(1)).toContainText('src/webhooks/preview.ts:7');
    await expectAccessible(page, 'vulnerabilities');
  });

  await test.step('filters by severity on the card, in the address and with Back', async () => {
    await page.getByRole('button', { name: /^Critical 1/ }).click();
    await page.getByRole('button', { name: /^High 1/ }).click();
    await expect(page).toHaveURL(/dataSource=semgrep&severity=critical,high/);
    await expect(rows()).toHaveCount(3);
    await page.reload();
    await expect(rows()).toHaveCount(3);
    await expect(page.getByRole('button', { name: /^High 1/ })).toHaveAttribute('aria-pressed', 'true');
    await page.goBack();
    await expect(rows()).toHaveCount(2);
    await page.goForward();
    await expect(rows()).toHaveCount(3);
  });

  await test.step('opens a row and stays within the filter', async () => {
    await row(forgery.name).click();
    await expect(title()).toHaveText(forgery.name);
    await expect(page.getByText('1 of 2 in this filter')).toBeVisible();
    const excerpt = page.getByRole('region', { name: /^Code location, lines/ });
    await expect(excerpt).toContainText('Found here: ');
    await expect(excerpt).toContainText('await ask(target, { headers: { id } })');
    await expect(excerpt).toContainText('Untrusted value enters here');
    await expect(page.getByRole('link', { name: /^Open in GitHub/ })).toHaveAttribute('href', /preview\.ts#L7$/);
    await expect(page.getByText('use a fixed list instead')).toBeVisible();
    await expect(page.getByRole('link', { name: /^CWE-918/ }).first()).toBeVisible();
    await expect(page.getByRole('table', { name: 'Affected branches' })).toContainText('main');
    await expectAccessible(page, 'one vulnerability');

    await page.keyboard.press('ArrowRight');
    await expect(title()).toHaveText('Session token accepted without audience check');
    await expect(title()).toBeFocused();
    await expect(page.getByText('2 of 2 in this filter')).toBeVisible();
    await page.getByRole('link', { name: 'Previous vulnerability' }).click();
    await expect(title()).toHaveText(forgery.name);
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await expect(page).toHaveURL(/vulnerabilities\?severity=critical,high&dataSource=semgrep$/);
    await expect(rows()).toHaveCount(3);
  });

  await test.step('marks an opened one as read for this person only, and unread again', async () => {
    await expect(row(forgery.name)).not.toContainText('New');
    await page.getByRole('button', { name: `Actions for ${forgery.name}` }).click();
    await page.getByRole('menuitem', { name: 'Mark as unread' }).click();
    await expect(row(forgery.name)).toContainText('New');
    await page.reload();
    await expect(row(forgery.name)).toContainText('New');
  });

  await test.step('copies a link independent of the filter', async () => {
    await page.getByRole('button', { name: `Actions for ${forgery.name}` }).click();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    await expect(page.getByText('Link to this vulnerability copied.')).toBeVisible();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toMatch(new RegExp(`^${product.url}/vulnerabilities/[0-9a-f-]{36}$`));
    await page.goto(copied);
    await expect(title()).toHaveText(forgery.name);
    await expect(page.getByText(/^\d+ of \d+ in this filter/)).toBeVisible();
  });

  await test.step('exports filtered vulnerabilities in three formats', async () => {
    await page.goto('/vulnerabilities?dataSource=semgrep&severity=critical,high');
    await expect(rows()).toHaveCount(3);
    const csv = (await textOf(await exported('CSV'))).trimEnd().split('\r\n');
    expect(csv).toHaveLength(3);
    expect(csv[1]).toContain(forgery.name);
    expect(JSON.parse(await textOf(await exported('JSON')))).toHaveLength(2);
    const sarif = JSON.parse(await textOf(await exported('SARIF'))) as {
      version: string;
      runs: { results: unknown[] }[];
    };
    expect(sarif.version).toBe('2.1.0');
    expect(sarif.runs.flatMap(({ results }) => results)).toHaveLength(2);
  });

  await test.step('searches without results', async () => {
    await page.goto('/vulnerabilities');
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('number 7');
    await expect(rows()).toHaveCount(2);
    await expect(page).toHaveURL(/search=number\+7/);
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('nothing of the kind');
    await expect(page.getByText('No vulnerability matches')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filter', exact: true }).click();
    await expect(page).toHaveURL(/vulnerabilities$/);
    await expect(rows()).toHaveCount(11);
  });

  await test.step('shows the list and counts of a repository on its tab', async () => {
    await page.goto('/repositories');
    const line = page.getByRole('row', { name: /ledger/ });
    await expect(line).toContainText(/[1-9] Critical/);
    await expect(line).toContainText('active');
    await line.getByRole('link', { name: /ledger/ }).click();
    await page
      .getByRole('navigation', { name: 'Repository' })
      .getByRole('link', { name: /^Vulnerabilities \d/ })
      .click();
    await expect(rows()).toHaveCount(11);
    await expect(page.getByRole('combobox', { name: /^Repository/ })).toBeHidden();
    await row(forgery.name).click();
    await expect(title()).toHaveText(forgery.name);
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await expect(page).toHaveURL(/\/-\/vulnerabilities$/);
    await expect(rows()).toHaveCount(11);
  });

  await test.step('shows a scan with one fewer and keeps the rest', async () => {
    await page.goto('/vulnerabilities?dataSource=semgrep');
    await expect(row(forgery.name)).toBeVisible();
    await uploadScan(page, repository, testFindings.slice(1));
    await expect(row(forgery.name)).toHaveCount(0);
    await page.goto('/vulnerabilities?dataSource=semgrep&status=fixed');
    await row(forgery.name).click();
    await expect(page.getByText('Fixed', { exact: true }).first()).toBeVisible();
  });

  await test.step('shows 404 for an unknown ID, with a link back', async () => {
    await page.goto('/vulnerabilities/018f2a52-0000-7000-8000-000000000101');
    await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeVisible();
    await expectAccessible(page, 'no vulnerability');
    await page.getByRole('link', { name: 'Go to Vulnerabilities' }).click();
    await expect(rows()).toHaveCount(11);
  });
});

test('works by keyboard alone', async () => {
  const { keyboard } = page;
  await page.goto('/vulnerabilities');
  await expect(rows()).toHaveCount(11);
  await page.getByRole('searchbox', { name: 'Search by name' }).focus();
  await keyboard.type('fixed constant');
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/search=fixed/);
  const severity = page.getByRole('combobox', { name: 'Severity' });
  await tabTo(severity);
  await keyboard.press('Enter');
  await expect(page.getByRole('option', { name: /^Medium/ })).toBeVisible();
  for (let steps = 0; steps < 3; steps += 1) await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/severity=medium/);
  await keyboard.press('Escape');
  await tabTo(page.getByRole('checkbox', { name: /^Select Fixed constant/ }).first());
  await keyboard.press('Space');
  await expect(page.getByText('1 selected')).toBeVisible();
  await tabTo(page.getByRole('button', { name: /^Actions for Fixed constant/ }).first());
  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Open details' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(title()).toBeFocused();
  await expect(page.getByText(/of 10 in this filter/)).toBeVisible();
  await tabTo(page.getByRole('link', { name: 'Next vulnerability' }), 'back');
  await keyboard.press('Enter');
  await expect(page.getByText('2 of 10 in this filter')).toBeVisible();
  await expect(title()).toBeFocused();
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
  await page.getByRole('menuitem', { name: new RegExp(`^${format} `) }).click();
  return download;
}

const textOf = async (download: Download) => readFile(await download.path(), 'utf8');
