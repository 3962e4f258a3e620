import { expect, type Page } from '@playwright/test';
import { createRepository } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { type Product, startProduct } from './server.ts';
import { importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

let repository: ReturnType<typeof createRepository>;
let product: Product;
let sandbox: string;
let owner: Page;

// One installation each: scanners at the same lines would share findings.
test.beforeEach(async ({ browser }) => {
  test.setTimeout(300_000);
  repository = createRepository('widgets');
  await repository.start();
  // In a language without alerts of the sandbox's GitHub, so that only one scanner reports these findings.
  const lines = Array.from({ length: 40 }, (_, line) => `val x${line} = read("input ${line}")`).join('\n');
  const files = ['Login', 'Cards', 'Ledger'].map((name) => [`src/${name}.scala`, lines]);
  await repository.commit('Take payments', { ...Object.fromEntries(files), 'package.json': '{}' });
  product = await startProduct([repository.path], (url) => {
    sandbox = url;
    return {};
  });
  owner = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
  await setUp(owner, product, 'Kestrel Payments');
  await importsCompleted(owner, product.url);
});
test.afterEach(async () => {
  await owner.context().close();
  await product.stop();
  await repository.remove();
});

interface ScannerCase {
  name: string;
  /** The scanners of its findings, for the filter. */
  tool: string;
  title: string;
  setup: string;
  label: string;
  noun: string;
  kind: 'sast' | 'sca';
  /** The label of the account, if the form requires one. */
  account?: string;
  projects?: string;
}

const scanners: readonly ScannerCase[] = [
  {
    name: 'sonarqube',
    tool: 'sonarqube',
    title: 'SonarQube',
    setup: 'Setup with a token',
    label: 'Token',
    noun: 'token',
    kind: 'sast',
  },
  {
    name: 'semgrep',
    tool: 'semgrep',
    title: 'Semgrep',
    setup: 'Setup with a token',
    label: 'Token',
    noun: 'token',
    kind: 'sast',
  },
  {
    name: 'snyk',
    tool: 'snyk open source,snykcode',
    title: 'Snyk',
    setup: 'Setup with a token',
    label: 'Token',
    noun: 'token',
    kind: 'sast',
    account: 'Organization ID',
    projects: '2 projects',
  },
  {
    name: 'dependency-track',
    tool: 'owasp dependency-track',
    title: 'Dependency-Track',
    setup: 'Setup with an API key',
    label: 'API key',
    noun: 'key',
    kind: 'sca',
  },
];

for (const { name, tool, title, setup, label, noun, kind, account, projects = 'one project' } of scanners) {
  test(`connects ${title}, shows each failure on its card, and catches up`, async () => {
    const page = owner;
    const card = page.getByRole('listitem', { name: title, exact: true });
    const form = page.getByRole('dialog', { name: new RegExp(title) });
    const secret = form.getByLabel(label, { exact: false }).and(form.locator('input'));
    const control = async (action: string, data: object = {}) => {
      const answer = await page.request.post(`${sandbox}/_sandbox/scanners/${name}/${action}`, { data });
      expect(answer.ok(), await answer.text()).toBe(true);
    };
    const fault = async (data: object) => {
      await page.request.post(`${sandbox}/_sandbox/faults`, { data: { match: `^/${name}/(api|rest)`, ...data } });
    };
    const calm = () => page.request.delete(`${sandbox}/_sandbox/faults`);
    const token = async () =>
      ((await (await page.request.get(`${sandbox}/_sandbox/scanners/${name}`)).json()) as { apiKey: string }).apiKey;
    const openCount = async () => {
      await page.goto(`/vulnerabilities?dataSource=${encodeURIComponent(tool)}&status=open`);
      const rows = page.getByRole('table').getByRole('row');
      await expect(rows.nth(1)).toBeVisible();
      return (await rows.count()) - 1;
    };
    const sync = async () => {
      await page.goto(`/integrations/security-scanners/${name}`);
      await page.getByRole('button', { name: 'Sync now' }).click();
      await expect(page.getByRole('button', { name: 'Sync now' })).toBeEnabled({ timeout: 60_000 });
    };
    const failsWith = async (message: RegExp) => {
      await sync();
      await page.goto('/integrations/security-scanners');
      await expect(card.getByText(message)).toBeVisible();
      await expect(card.getByText('Failing')).toBeVisible();
    };
    const works = async () => {
      await sync();
      await page.goto('/integrations/security-scanners');
      await expect(card.getByText('Active')).toBeVisible();
      await expect(card.getByText(/rejects|does not respond|repeated|returned/)).toHaveCount(0);
    };

    await test.step('connects with what the page of the sandbox shows', async () => {
      await page.goto('/integrations/security-scanners');
      await card.getByRole('button', { name: new RegExp(`^${setup}`) }).click();
      if (account !== undefined) await form.getByLabel(account).fill('sandbox');
      await secret.fill('wrong');
      await form.getByRole('button', { name: 'Test connection' }).click();
      await expect(form.getByText(new RegExp(`rejects this ${noun}`))).toBeVisible();
      await expectAccessible(page, `${name} form, refused`);
      await secret.fill(await token());
      await form.getByRole('button', { name: 'Test connection' }).click();
      await expect(form.getByText(`Connection succeeded: the ${noun} has access to ${projects}.`)).toBeVisible();
      await form.getByRole('button', { name: 'Connect', exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`/integrations/security-scanners/${name}$`));
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
      await expect(page.getByText(/^Last sync/)).toBeVisible({ timeout: 60_000 });
      await expectAccessible(page, `${name} page`);
    });
    const first = await openCount();
    expect(first).toBeGreaterThan(1);

    await test.step('fails by errors, repeated pages and a revoked token, and imports nothing', async () => {
      await control('scan', { remove: 1, kinds: [kind] });
      await fault({ status: 500, times: 20 });
      await failsWith(/does not respond/);
      await calm();
      await control('behavior', { repeatsPages: true });
      await failsWith(/repeated a page|returned 2 of/);
      await control('behavior', { repeatsPages: false });
      await control('revoke');
      await failsWith(new RegExp(`rejects this ${noun}`));
      expect(await openCount()).toBe(first);
    });

    await test.step('catches up with a new token, once', async () => {
      await page.goto(`/integrations/security-scanners/${name}`);
      await page.getByRole('button', { name: `Change ${noun}` }).click();
      await secret.fill(await token());
      await form.getByRole('button', { name: 'Connect', exact: true }).click();
      await expect(form).toBeHidden();
      await works();
      expect(await openCount()).toBe(first - 1);
    });

    await test.step('waits for a rate limit and a slow response', async () => {
      await control('scan', { add: 1, kinds: [kind] });
      await fault({ status: 429, retryAfter: 1, times: 2 });
      await fault({ delayMs: 2000, times: 1 });
      await works();
      expect(await openCount()).toBe(first);
    });

    await test.step('disconnects and keeps the findings', async () => {
      await page.goto('/integrations/security-scanners');
      await card.getByRole('button', { name: /^Disconnect/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await expect(card.getByRole('button', { name: new RegExp(`^${setup}`) })).toBeVisible();
      expect(await openCount()).toBe(first);
    });
  });
}
