import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { createVulnerable, testFindings, uploadScan } from './findings.ts';
import { tabTo } from './keys.ts';
import type { Tenant } from './server.ts';
import { authorizationHeader, importsCompleted, openUrl, type Person, password, setUp, signIn } from './steps.ts';
import { test } from './test.ts';

const rita: Person = { name: 'Rita Reviewer', email: 'rita@kestrelpay.example' };
const carl: Person = { name: 'Carl Contributor', email: 'carl@kestrelpay.example' };
const [worst, second, ...others] = testFindings.map(({ name }) => name) as [string, string, ...string[]];
/** The common prefix of the other titles. */
const alike = others[0]?.replace(/ \d+$/, '') ?? '';

// Each test depends on the previous one.
test.describe.configure({ mode: 'serial' });

let code: Awaited<ReturnType<typeof createVulnerable>>;
let product: Tenant;
let context: BrowserContext;
let owner: Page;
let reviewer: Page;
let contributor: Page;
let repository: string;

test.beforeAll(async ({ browser, server }) => {
  test.setTimeout(300_000);
  code = await createVulnerable('ledger');
  await code.commit('Sort by any column', { 'src/statements/sort.ts': 'export const sort = 1;\n' }, carl);
  product = await server.addTenant([code.path]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  owner = await context.newPage();
  await setUp(owner, product, 'Kestrel Payments');
  await importsCompleted(owner, product.url);
  await owner.goto('/repositories');
  const link = owner.getByRole('link', { name: /ledger/ });
  repository = ((await link.getAttribute('href')) ?? '').replace('/repository/github/', '');
  await uploadScan(owner, repository, testFindings);
});
test.afterAll(async () => {
  await Promise.all([context, reviewer?.context(), contributor?.context()].map((one) => one?.close()));
  await product.stop();
  await code.remove();
});

/** Adds a signed-in member to the owner's organization. */
async function join(browser: Browser, { name, email }: Person, role: string): Promise<Page> {
  const organization = String(await owner.evaluate(() => localStorage.getItem('organization')));
  const account = ['--email', email, '--name', name, '--password', password, '--verified'];
  await product.sightline('user', 'create', ...account);
  await product.sightline('member', 'add', '--org', organization, '--email', email, '--role', role);
  const page = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
  await openUrl(page, `/login?organization=${organization}`);
  await signIn(page, { name, email });
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  return page;
}

const table = (page: Page) => page.getByRole('table', { name: 'Vulnerabilities' });
const row = (page: Page, words: string) => table(page).getByRole('row').filter({ hasText: words });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

async function open(page: Page, title: string, status = 'open,dismissed,exception,fixed'): Promise<void> {
  await page.goto(`/vulnerabilities?status=${status}&search=${encodeURIComponent(title)}`);
  await row(page, title).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
}

async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Triage' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

const badge = (page: Page, words: string | RegExp) => page.getByRole('main').getByText(words).first();

test('dismisses, undoes, and keeps a dismissal through rescans', { tag: '@core' }, async () => {
  test.setTimeout(240_000);
  await test.step('dismisses with a reason and undoes it in the toast', async () => {
    await open(owner, worst);
    await choose(owner, 'Dismiss');
    const ask = dialog(owner, `Dismiss “${worst}”`);
    await expect(ask.getByRole('button', { name: 'Dismiss' })).toBeDisabled();
    await ask.getByLabel('False positive').check();
    await ask.getByLabel('Comment (optional)').fill('The column is checked by the router.');
    await expectAccessible(owner, 'dismiss dialog');
    await ask.getByRole('button', { name: 'Dismiss' }).click();
    await expect(ask).toBeHidden();
    const decision = owner.getByRole('region', { name: 'Decision' });
    await expect(decision).toContainText('Dismissed as false positive by Ada Byron');
    await expect(decision).toContainText('The column is checked by the router.');
    await owner.getByRole('button', { name: 'Undo' }).click();
    await expect(decision).toBeHidden();
    await expect(badge(owner, 'Open')).toBeVisible();
  });

  await test.step('dismisses several from the list', async () => {
    await owner.goto(`/vulnerabilities?search=${encodeURIComponent(alike)}`);
    await expect(row(owner, alike)).toHaveCount(others.length);
    await owner.getByLabel('Select all on this page').check();
    await owner
      .getByRole('region', { name: 'Selected vulnerabilities' })
      .getByRole('button', { name: 'Dismiss' })
      .click();
    const ask = dialog(owner, 'Dismiss 10 vulnerabilities');
    await ask.getByLabel('Used in tests only').check();
    await ask.getByRole('button', { name: 'Dismiss 10' }).click();
    await expect(owner.getByText('10 vulnerabilities are dismissed.')).toBeVisible();
    await expect(owner.getByRole('heading', { name: 'No vulnerability matches' })).toBeVisible();
  });

  await test.step('keeps decisions through a rescan after a rename', async () => {
    await uploadScan(owner, repository, testFindings);
    await uploadScan(
      owner,
      repository,
      testFindings.map((one) => ({ ...one, path: one.path.replace('src/', 'lib/') })),
    );
    const search = `search=${encodeURIComponent(alike)}`;
    await owner.goto(`/vulnerabilities?status=dismissed&${search}`);
    await expect(table(owner).getByRole('row')).toHaveCount(1 + others.length);
    await owner.goto(`/vulnerabilities?${search}`);
    await expect(owner.getByRole('heading', { name: 'No vulnerability matches' })).toBeVisible();
  });
});

test('requires two people for a waiver', async ({ browser }) => {
  test.setTimeout(240_000);
  reviewer = await join(browser, rita, 'reviewer');
  contributor = await join(browser, carl, 'contributor');
  await test.step('lets a contributor only request', async () => {
    await open(contributor, worst);
    await expect(contributor.getByRole('button', { name: 'Triage' })).toHaveCount(0);
    await contributor.getByRole('button', { name: 'Request waiver' }).click();
    const ask = dialog(contributor, `Request a waiver for “${worst}”`);
    await ask.getByRole('button', { name: '90 days' }).click();
    await ask.getByLabel('Reason').fill('The module is replaced in the next release.');
    await expectAccessible(contributor, 'request dialog');
    await ask.getByRole('button', { name: 'Send request' }).click();
    await expect(contributor.getByRole('region', { name: 'Decision' })).toContainText('You requested');
    await expect(contributor.getByRole('button', { name: 'Withdraw' })).toBeVisible();
  });

  await test.step('counts open requests; the reviewer refuses and the contributor is notified', async () => {
    await reviewer.goto('/vulnerabilities');
    await reviewer.getByRole('link', { name: 'Waivers, 1 pending' }).click();
    await expect(reviewer.getByRole('heading', { level: 1 })).toHaveText('Waivers');
    await expect(reviewer).toHaveURL(`${product.url}/waivers`);
    await expect(reviewer.getByText('The module is replaced in the next release.')).toBeVisible();
    await expectAccessible(reviewer, 'waivers');
    await reviewer.getByRole('button', { name: /^Actions for the waiver of/ }).click();
    await reviewer.getByRole('menuitem', { name: 'Deny' }).click();
    await dialog(reviewer, 'Deny this waiver').getByLabel('Comment (optional)').fill('Too critical to wait.');
    await reviewer.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
    await expect(reviewer.getByRole('heading', { name: 'No pending waivers' })).toBeVisible();
    await expect(contributor.getByRole('button', { name: 'Request waiver' })).toBeVisible();
    await expect(contributor.getByText('Too critical to wait.')).toBeVisible();
  });

  await test.step('prevents an owner from approving their own request on the page and by a call', async () => {
    await open(owner, worst);
    await choose(owner, 'Request waiver');
    await dialog(owner, /Request a waiver/)
      .getByLabel('Reason')
      .fill('A rule in front of it blocks it.');
    await owner.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
    await expect(owner.getByRole('button', { name: 'Approve' })).toBeDisabled();
    await expect(owner.getByText('You requested it. Another person must decide')).toBeAttached();
    await expectAccessible(owner, 'one’s own request');
    const id = new URL(owner.url()).pathname.split('/').at(-1);
    const finding = (await (
      await owner.request.get(`/api/v2/vulnerabilities/${id}`, { headers: await authorizationHeader(owner) })
    ).json()) as { waivers: { id: string }[] };
    const answer = await owner.request.post(`/api/v2/waivers/${finding.waivers[0]?.id}/decision`, {
      headers: await authorizationHeader(owner),
      data: { approve: true },
    });
    expect(answer.status()).toBe(409);
  });

  await test.step('approves as a reviewer by keyboard alone', async () => {
    await open(reviewer, worst);
    await tabTo(reviewer, reviewer.getByRole('button', { name: 'Approve', exact: true }));
    await reviewer.keyboard.press('Enter');
    const ask = dialog(reviewer, 'Approve this waiver');
    await expect(ask).toContainText('A rule in front of it blocks it.');
    await tabTo(reviewer, ask.getByLabel('Comment (optional)'));
    await reviewer.keyboard.type('Until the router is out.');
    await reviewer.keyboard.press('Control+Enter');
    await expect(ask).toBeHidden();
    await expect(badge(reviewer, /^Waived until/)).toBeVisible();
  });

  await test.step('keeps a waiver through a rescan and shows its history', async () => {
    await uploadScan(owner, repository, testFindings);
    await open(owner, worst);
    await expect(badge(owner, /^Waived until/)).toBeVisible();
    const history = owner.getByRole('region', { name: 'Activity' }).or(owner.getByRole('main'));
    for (const phrase of [
      'Rita Reviewer approved the waiver until',
      'Ada Byron requested a waiver until',
      'Rita Reviewer denied the waiver until',
      'Carl Contributor requested a waiver until',
      'Ada Byron reopened it',
      'Ada Byron dismissed it: False positive',
    ]) {
      await expect(history.getByText(phrase).first()).toBeVisible();
    }
    await owner.goto('/audit?subjectKind=finding');
    await expect(owner.getByText(/approved a waiver for/).first()).toBeVisible();
  });
});

test('merges two vulnerabilities and splits them again', async () => {
  test.setTimeout(240_000);
  const other = second;
  await open(owner, other);
  const address = owner.url();
  await open(owner, worst);
  await choose(owner, 'Merge with another');
  const ask = dialog(owner, `Merge into “${worst}”`);
  await ask.getByLabel(/^Search in/).fill(other);
  await ask.getByRole('checkbox', { name: other }).check();
  await expectAccessible(owner, 'merge dialog');
  await ask.getByRole('button', { name: 'Merge 1' }).click();
  await expect(ask).toBeHidden();
  await owner.goto(address);
  await expect(owner.getByRole('heading', { level: 1 })).toHaveText(worst);
  await uploadScan(owner, repository, testFindings);
  await owner.goto(`/vulnerabilities?search=${encodeURIComponent(other)}`);
  await expect(owner.getByRole('heading', { name: 'No vulnerability matches' })).toBeVisible();

  await open(owner, worst);
  await choose(owner, 'Split');
  const split = dialog(owner, `Split “${worst}”`);
  await split.getByRole('checkbox', { name: testFindings[1]?.rule ?? '' }).check();
  await expectAccessible(owner, 'split dialog');
  await split.getByRole('button', { name: 'Split' }).click();
  await owner.getByRole('button', { name: 'Open the new one' }).click();
  await expect(owner.getByRole('heading', { level: 1 })).toHaveText(other);
  expect(new URL(owner.url()).pathname).toBe(new URL(address).pathname);
  await uploadScan(owner, repository, testFindings);
  await owner.reload();
  await expect(owner.getByRole('heading', { level: 1 })).toHaveText(other);
});
