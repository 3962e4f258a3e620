import { type Browser, expect, type Page } from '@playwright/test';
import { createRepository } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { expectFocus, tabTo } from './keys.ts';
import {
  connection,
  openBySeverity,
  projectNamed,
  sandboxConnection,
  sandboxControl,
  severities,
} from './sandbox-checkmarx.ts';
import { type Product, startProduct } from './server.ts';
import { authorizationHeader, importsCompleted, openUrl, password, setUp, signIn } from './steps.ts';
import { test } from './test.ts';

const zoe = { name: 'Zoë Ångström', email: 'zoe@example.org' };
const scanner = '/integrations/security-scanners/checkmarx';

let repository: ReturnType<typeof createRepository>;
let product: Product;
/** URL of the sandbox, which includes Checkmarx One. */
let sandbox: string;
let owner: Page;
/** All API responses to the owner's pages. */
const answers: string[] = [];

test.beforeAll(async ({ browser }) => {
  repository = createRepository('widgets');
  await repository.start();
  // In a language without alerts of the sandbox's GitHub, so that only one scanner reports these findings.
  const lines = Array.from({ length: 40 }, (_, line) => `val x${line} = read("input ${line}")`).join('\n');
  const files = ['Login', 'Cards', 'Ledger'].map((name) => [`src/${name}.scala`, lines]);
  const image = 'FROM debian:12\nUSER root\nRUN apt-get update\n';
  await repository.commit('Take payments', { ...Object.fromEntries(files), Dockerfile: image });
  product = await startProduct([repository.path], (url) => {
    sandbox = url;
    return {};
  });
  owner = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
  owner.on('response', (response) => {
    if (!response.url().includes('/api/v2/')) return;
    void response.text().then(
      (text) => answers.push(text),
      () => undefined,
    );
  });
  await setUp(owner, product, 'Kestrel Payments');
  await importsCompleted(owner, product.url);
});
test.afterAll(async () => {
  await owner.context().close();
  await product.stop();
  await repository.remove();
});

test('connects Checkmarx One, shows findings and changes, and disconnects', async ({ browser }) => {
  test.setTimeout(480_000);
  const page = owner;
  const form = page.getByRole('dialog', { name: /Checkmarx One/ });
  const tenant = form.getByLabel('Tenant name');
  const apiKey = form.getByLabel('API key', { exact: false }).and(form.locator('input'));
  const { keyboard } = page;
  const good = await connection(page, sandbox);

  await test.step('validates the form by keyboard alone and keeps the input', async () => {
    await page.goto('/integrations');
    await tabTo(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Integrations' }));
    const open = page.getByRole('button', { name: /^Setup with an API key Checkmarx/ });
    await expect(open).toBeVisible();
    await tabTo(page, open);
    await keyboard.press('Enter');
    await expect(tenant).toBeFocused();
    await keyboard.type('  sandbox ');
    await keyboard.press('Tab');
    await keyboard.type('no.key.ofours');
    await keyboard.press('Tab');
    await expectFocus(page);
    await keyboard.press('Space');
    await expect(apiKey).toHaveAttribute('type', 'text');
    await keyboard.press('Space');
    await expect(apiKey).toHaveAttribute('type', 'password');
    await tabTo(page, form.getByRole('button', { name: 'Connect', exact: true }));
    await keyboard.press('Enter');
    await expect(apiKey).toHaveAttribute('aria-invalid', 'true');
    await expect(apiKey).toBeFocused();
    await expect(form.getByText(/Create a new API key in Checkmarx One/)).toBeVisible();
    await expect(apiKey).toHaveValue('no.key.ofours');
    await expectAccessible(page, 'scanner form, refused');
  });

  await test.step('reports a wrong tenant and an invalid address', async () => {
    await apiKey.fill(`  ${good.apiKey}\t`);
    await tenant.fill('somebody-else');
    await form.getByRole('button', { name: 'Test connection' }).click();
    await expect(form.getByText(/belongs to the tenant “sandbox”, not to “somebody-else”/)).toBeVisible();
    await expect(tenant).toHaveAttribute('aria-invalid', 'true');
    await form.getByLabel('Base API URL').fill('eu.ast.checkmarx');
    await tenant.fill(good.tenant);
    await expect(form.getByText('Start with https:// and give a host name')).toBeVisible();
    await expect(form.getByRole('button', { name: 'Connect', exact: true })).toBeDisabled();
    await form.getByLabel('Base API URL').fill('');
    await form.getByRole('button', { name: 'Test connection' }).click();
    await expect(form.getByText('Connection succeeded: the key has access to 2 projects.')).toBeVisible();
  });

  await test.step('shows the progress of the sync', async () => {
    await watchProgress(page);
    await apiKey.focus();
    await keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === scanner);
    await expect(page.getByText(/^Checked 2 projects/)).toBeVisible({ timeout: 60_000 });
    expect(await recordedProgress(page)).not.toEqual([]);
    await expect(page.getByText('By webhook, immediately')).toBeVisible();
    await expectAccessible(page, 'scanner');
  });

  await test.step('lists and counts findings like Checkmarx One', async () => {
    const expected = await openBySeverity(page, sandbox, good, 'widgets');
    await expect.poll(() => foundBySeverity(page)).toEqual(expected);
    await page.getByRole('link', { name: 'View vulnerabilities' }).click();
    await page.waitForURL(/\/vulnerabilities\?/);
    const total = Object.values(expected).reduce((sum, count) => sum + count, 0);
    await expect(page.getByText('open in 1 repository')).toBeVisible();
    await expect(page.getByText(String(total), { exact: true }).first()).toBeVisible();
    const table = page.getByRole('table', { name: 'Vulnerabilities' });
    await expect(table.getByText('Checkmarx One').first()).toBeVisible();

    await page.goto('/repositories');
    const row = page.getByRole('row').filter({ hasText: 'widgets' });
    const all = await foundBySeverity(page, '');
    for (const severity of severities) {
      expect(all[severity]).toBeGreaterThanOrEqual(expected[severity]);
      const word = severity[0]?.toUpperCase() + severity.slice(1);
      await expect(row.getByText(`${all[severity]} ${word}`, { exact: true })).toBeAttached();
    }
    await expect(row.getByText('Scanner active')).toBeVisible();
  });

  await test.step('shows a scan with one more and one fewer without a reload', async () => {
    await page.goto('/vulnerabilities?dataSource=checkmarx');
    await expect(page.getByText('open in 1 repository')).toBeVisible();
    const change = { project: await projectNamed(page, sandbox, 'widgets'), add: 1, remove: 1 };
    await sandboxControl(page, sandbox, 'scan', change);
    await expect(page.getByText(', 1 new, 1 fixed')).toBeAttached({ timeout: 60_000 });
    expect(await foundBySeverity(page)).toEqual(await openBySeverity(page, sandbox, good, 'widgets'));
  });

  await test.step('maps a project without an address manually', async () => {
    await page.goto(scanner);
    const row = page.getByRole('row').filter({ hasText: 'Nightly archive' });
    await expect(row.getByText('Not matched')).toBeVisible();
    await expect(page.getByText(/^1 project matches no repository/)).toBeVisible();
    const select = page.getByRole('combobox', { name: 'Repository of Nightly archive' });
    await expect(select).toBeEnabled();
    await select.focus();
    await keyboard.type('widg');
    await expect(page.getByRole('option', { name: /widgets/ })).toBeVisible();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(row.getByText('Manually')).toBeVisible();
    await expect(page.getByText(/matches no repository/)).toBeHidden();
    await expectAccessible(page, 'scanner, matched');
  });

  await test.step('shows an expired key on the card and accepts another', async () => {
    await sandboxControl(page, sandbox, 'expire-key');
    await page.goto(scanner);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await expect(page.getByRole('alert').filter({ hasText: /expired or was revoked/ })).toBeVisible({
      timeout: 60_000,
    });
    await page.goto('/integrations/security-scanners');
    const card = page.getByRole('listitem', { name: 'Checkmarx One' });
    await expect(card.getByText('Failing')).toBeVisible();
    await expectAccessible(page, 'integrations, a key expired');
    await card.getByRole('button', { name: /^Setup with an API key/ }).click();
    await expect(tenant).toHaveValue('sandbox');
    const { apiKey: fresh } = await connection(page, sandbox);
    await apiKey.fill(fresh);
    await form.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.waitForURL((url) => url.pathname === scanner);
    await expect(page.getByRole('heading', { name: 'Checkmarx One', level: 1 })).toBeVisible();
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'expired' })).toBeHidden();
    await expect(page.getByText(/^Checked 2 projects/)).toBeVisible({ timeout: 60_000 });
  });

  await test.step('shows disabled buttons with a reason to other roles than owners', () => checkAsContributor(browser));

  await test.step('confirms disconnecting and keeps findings', async () => {
    const before = await foundBySeverity(page);
    await page.goto('/integrations');
    const card = page.getByRole('listitem', { name: 'Checkmarx One' });
    await expect(card.getByText(/^Active · tenant/)).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link')).toHaveText([
      ...[/^All integrations/, /^Source Code Management/, /^Developer Browser Extension/],
      ...[/^Developer IDE Extensions/, /^Security Scanners/, /^Chat/, /^Directories/, /^Issue Trackers/],
    ]);
    await card.getByRole('button', { name: /^Disconnect/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect Checkmarx One?' });
    await expect(dialog.getByText(/their history and decisions are kept/)).toBeVisible();
    await expectAccessible(page, 'disconnect');
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await expect(card.getByText('Inactive')).toBeVisible();
    await expect(card.getByRole('button', { name: /^Setup with an API key/ })).toBeVisible();
    expect(await foundBySeverity(page)).toEqual(before);
    const { webhooks } = await sandboxConnection(page, sandbox);
    expect(webhooks).toEqual([]);
    await page.goto('/vulnerabilities');
    await page.getByRole('table', { name: 'Vulnerabilities' }).getByRole('link').first().click();
    await expect(page.getByText('Checkmarx', { exact: false }).first()).toBeVisible();
  });

  await test.step('returns the key in no response', async () => {
    expect(answers.length).toBeGreaterThan(50);
    expect(answers.filter((text) => text.includes(good.apiKey))).toEqual([]);
  });
});

async function checkAsContributor(browser: Browser): Promise<void> {
  const organization = String(await owner.evaluate(() => localStorage.getItem('organization')));
  const { name, email } = zoe;
  await product.sightline('user', 'create', '--email', email, '--name', name, '--password', password, '--verified');
  await product.sightline('member', 'add', '--org', organization, '--email', email, '--role', 'contributor');
  const page = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
  await openUrl(page, '/login');
  await signIn(page, zoe);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await page.goto('/integrations/security-scanners');
  const button = page.getByRole('listitem', { name: 'Checkmarx One' }).getByRole('button', { name: /^Disconnect/ });
  await expect(button).toBeDisabled();
  await page.getByRole('listitem', { name: 'Checkmarx One' }).getByRole('group').focus();
  const words = 'Only account owner can connect to/disconnect from Checkmarx';
  await expect(page.getByRole('tooltip', { name: words })).toBeVisible();
  await expectAccessible(page, 'integrations, of a contributor');
  await page.goto(`${scanner}?setup=checkmarx`);
  await expect(page.getByText('Only Account Owners configure scanners')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.context().close();
}

/** The number of open findings in the product, of this scanner or of all. */
async function foundBySeverity(page: Page, dataSource = 'checkmarx'): Promise<Record<string, number>> {
  const answer = await page.request.get(`${product.url}/api/v2/vulnerabilities/stats`, {
    headers: await authorizationHeader(page),
    params: { dataSource },
  });
  return ((await answer.json()) as { countBySeverity: Record<string, number> }).countBySeverity;
}

/** Records the texts of progress bars from now on, since a bar can disappear before an assertion. */
const watchProgress = (page: Page): Promise<void> =>
  page.evaluate(`
    const seen = new Set();
    new MutationObserver(() => {
      for (const bar of document.querySelectorAll('[role="progressbar"]')) seen.add(bar.ariaValueText);
      document.body.dataset.progress = [...seen].join('\\n');
    }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['aria-valuetext'] });
  `);

const recordedProgress = async (page: Page): Promise<string[]> =>
  ((await page.locator('body').getAttribute('data-progress')) ?? '').split('\n').filter((words) => words !== '');
