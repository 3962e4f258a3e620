import { expect, type Page } from '@playwright/test';
import { ada, bob } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { createVulnerable, testFindings, uploadScan } from './findings.ts';
import { type Product, startProduct } from './server.ts';
import { importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

// Each test depends on the previous one.
test.describe.configure({ mode: 'serial' });

interface Site {
  url: string;
  email: string;
  token: string;
  tickets: { key: string; title: string; status: string }[];
  webhooks: unknown[];
}

const trackers = ['jira-cloud', 'jira-data-center', 'linear'] as const;
type Tracker = (typeof trackers)[number];
const titles: Record<Tracker, string> = {
  'jira-cloud': 'Jira Cloud',
  'jira-data-center': 'Jira Data Center',
  linear: 'Linear',
};
const paths: Record<Tracker, string> = {
  'jira-cloud': '^/jira/',
  'jira-data-center': '^/jira-data-center/',
  linear: '^/linear/',
};
const [first, second] = testFindings.map(({ name }) => name) as [string, string];

let code: Awaited<ReturnType<typeof createVulnerable>>;
let product: Product;
/** URL of the sandbox, which includes the trackers. */
let sandbox: string;
let page: Page;
/** All API responses to the pages. */
const answers: string[] = [];

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  code = await createVulnerable('ledger');
  code.git(['checkout', '--quiet', '-b', 'limits']);
  await code.commit('Change the limits\n\nRefs: PAY-1', { 'src/limits.ts': 'export const limit = 1;\n' });
  code.git(['checkout', '--quiet', 'main']);
  const lastMonth = new Date(Date.now() - 30 * 86_400_000).toISOString();
  const message = 'Merge pull request #9 from sandbox/limits\n\nChange the limits';
  code.merge('limits', message, { ...bob, date: lastMonth });
  product = await startProduct([code.path], (url) => {
    sandbox = url;
    return {};
  });
  page = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
  page.on('response', (response) => {
    if (!response.url().includes('/api/v2/')) return;
    void response.text().then(
      (text) => answers.push(text),
      () => undefined,
    );
  });
  await setUp(page, { ...product, owner: ada }, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  await page.goto('/repositories');
  const link = page.getByRole('link', { name: /ledger/ });
  await uploadScan(page, ((await link.getAttribute('href')) ?? '').replace('/repository/github/', ''), testFindings);
});
test.afterAll(async () => {
  await page.context().close();
  await product.stop();
  await code.remove();
});

const siteOf = async (tracker: Tracker): Promise<Site> =>
  ((await (await page.request.get(`${sandbox}/_sandbox/trackers`)).json()) as Record<Tracker, Site>)[tracker];
const control = async (path: string, data: object): Promise<void> => {
  const answer = await page.request.post(`${sandbox}/_sandbox/${path}`, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
};
const clearFaults = () => page.request.delete(`${sandbox}/_sandbox/faults`);
const card = (tracker: Tracker) => page.getByRole('listitem', { name: titles[tracker], exact: true });
/** Connects, or chooses an action for a connected tracker. */
async function press(tracker: Tracker, name: string): Promise<void> {
  if (name === 'Connect')
    return card(tracker)
      .getByRole('button', { name: /^Connect/ })
      .click();
  await card(tracker)
    .getByRole('button', { name: `Actions for ${titles[tracker]}` })
    .click();
  await page.getByRole('menuitem', { name }).click();
}

/** Fills the form of the tracker and connects it. */
async function connect(tracker: Tracker, button: string): Promise<void> {
  const { url, email, token } = await siteOf(tracker);
  await press(tracker, button);
  const form = page.getByRole('dialog', { name: new RegExp(titles[tracker]) });
  if (tracker !== 'linear') await form.locator('input[name="baseURL"]').fill(url);
  if (tracker === 'jira-cloud') await form.getByLabel('Email address of the token').fill(email);
  await form.locator('input[name="token"]').fill(token);
  await form.getByRole('button', { name: 'Test connection' }).click();
  await expect(form.getByText('3 projects are readable.')).toBeVisible();
  await expectAccessible(page, `form of ${tracker}`);
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(form).toBeHidden();
}

async function openFinding(title: string): Promise<void> {
  await page.goto(`/vulnerabilities?status=open,dismissed,exception,fixed&search=${encodeURIComponent(title)}`);
  await page
    .getByRole('table', { name: 'Vulnerabilities' })
    .getByRole('row')
    .filter({ hasText: title })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
}

async function requestTicket(title: string): Promise<void> {
  await openFinding(title);
  await page.getByRole('button', { name: 'Triage' }).click();
  await page.getByRole('menuitem', { name: 'Assign and label' }).click();
  const dialog = page.getByRole('dialog', { name: /^Assign and label/ });
  await dialog.getByRole('checkbox', { name: 'Create a ticket' }).check();
  await expectAccessible(page, 'creating a ticket');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('1 ticket is being created.')).toBeVisible();
}

const ticketsAbout = async (tracker: Tracker, title: string) =>
  (await siteOf(tracker)).tickets.filter((ticket) => ticket.title.includes(title));

for (const tracker of trackers) {
  test(`${titles[tracker]}: connects, shows each failure on its card, catches up and disconnects`, async () => {
    test.setTimeout(300_000);
    await page.goto('/integrations/issue-trackers');
    await expect(card(tracker).getByText('Inactive')).toBeVisible();

    await test.step('refuses a wrong token and keeps the input', async () => {
      await press(tracker, 'Connect');
      const form = page.getByRole('dialog', { name: new RegExp(titles[tracker]) });
      const { url, email } = await siteOf(tracker);
      if (tracker !== 'linear') await form.locator('input[name="baseURL"]').fill(url);
      if (tracker === 'jira-cloud') await form.getByLabel('Email address of the token').fill(email);
      const token = form.locator('input[name="token"]');
      await token.fill('not a token');
      await form.getByRole('button', { name: 'Connect', exact: true }).click();
      await expect(form.getByText(/The tracker rejects this token/)).toBeVisible();
      await expect(token).toBeFocused();
      await form.getByRole('button', { name: 'Cancel' }).click();
    });

    await connect(tracker, 'Connect');
    await expect(card(tracker).getByText(/^Active · 3 projects/)).toBeVisible();
    await expect(card(tracker).getByText(/^Last sync/)).toBeVisible({ timeout: 60_000 });
    await expectAccessible(page, `integrations with ${tracker}`);

    await test.step('a revoked token', async () => {
      await control('trackers/site', { site: tracker, revoke: true });
      await press(tracker, 'Sync now');
      await expect(card(tracker).getByText(/rejects this token/)).toBeVisible({ timeout: 60_000 });
      await expect(card(tracker).getByText('Failing', { exact: true })).toBeVisible();
      await connect(tracker, 'Change');
      await expect(card(tracker).getByText(/^Active/)).toBeVisible({ timeout: 60_000 });
    });

    await test.step('a server error, while a ticket is requested', async () => {
      await control('faults', { match: paths[tracker], status: 500, times: 1000 });
      await page.goto('/integrations/issue-trackers');
      await press(tracker, 'Sync now');
      await expect(card(tracker).getByText(/answered 500/)).toBeVisible({ timeout: 60_000 });
      if (tracker === 'jira-cloud') await requestTicket(first);
      await clearFaults();
      await page.goto('/integrations/issue-trackers');
      await press(tracker, 'Sync now');
      await expect(card(tracker).getByText(/^Active/)).toBeVisible({ timeout: 60_000 });
      if (tracker === 'jira-cloud') expect(await ticketsAbout(tracker, first)).toHaveLength(1);
    });

    await test.step('a rate limit with Retry-After', async () => {
      await control('faults', { match: paths[tracker], status: 429, retryAfter: 10, times: 1 });
      await press(tracker, 'Sync now');
      await expect(card(tracker).getByText(/^Rate limited until/)).toBeVisible({ timeout: 60_000 });
      // It continues by itself.
      await expect(card(tracker).getByText(/^Rate limited until/)).toBeHidden({ timeout: 90_000 });
      await expect(card(tracker).getByText(/^Active/)).toBeVisible();
    });

    await test.step('slow responses, and a repeated page', async () => {
      await control('faults', { match: paths[tracker], delayMs: 2000, times: 2 });
      // The list of Jira Data Center has no pages.
      if (tracker !== 'jira-data-center') await control('trackers/site', { site: tracker, repeats: 1 });
      await press(tracker, 'Sync now');
      if (tracker !== 'jira-data-center') {
        await expect(card(tracker).getByText(/the same page twice/)).toBeVisible({ timeout: 60_000 });
        await press(tracker, 'Sync now');
      }
      await expect(card(tracker).getByText(/^Active · 3 projects/)).toBeVisible({ timeout: 60_000 });
    });

    if (tracker === 'jira-cloud') await followTickets();

    await test.step('disconnects', async () => {
      await page.goto('/integrations/issue-trackers');
      await press(tracker, 'Disconnect');
      const dialog = page.getByRole('dialog', { name: `Disconnect ${titles[tracker]}?` });
      await dialog.getByRole('button', { name: 'Disconnect' }).click();
      await expect(card(tracker).getByText('Inactive')).toBeVisible();
      await expect.poll(async () => (await siteOf(tracker)).webhooks).toEqual([]);
    });
  });
}

/** Tickets of a change and of a finding, both ways. */
async function followTickets(): Promise<void> {
  await test.step('shows the ticket of an imported change', async () => {
    await page.goto('/changes');
    await page.getByRole('link', { name: /Change the limits/ }).click();
    await expect(page.getByText('1 of 1 tickets found')).toBeVisible();
    await expect(page.getByRole('link', { name: /^PAY-1/ })).toBeVisible();
  });
  await test.step('shows the status of a created ticket, and creates none twice', async () => {
    await openFinding(first);
    await expect(page.getByText('To Do', { exact: true })).toBeVisible();
    const [ticket] = await ticketsAbout('jira-cloud', first);
    await control('trackers/ticket', { site: 'jira-cloud', key: ticket?.key, status: 'In Progress' });
    await expect(async () => {
      await page.reload();
      await expect(page.getByText('In Progress', { exact: true })).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
    expect(await ticketsAbout('jira-cloud', first)).toHaveLength(1);
  });
  await test.step('closes the ticket of a dismissed finding', async () => {
    await requestTicket(second);
    await expect(async () => {
      expect(await ticketsAbout('jira-cloud', second)).toHaveLength(1);
    }).toPass({ timeout: 60_000 });
    await openFinding(second);
    await page.getByRole('button', { name: 'Triage' }).click();
    await page.getByRole('menuitem', { name: 'Dismiss' }).click();
    const dialog = page.getByRole('dialog', { name: /^Dismiss/ });
    await dialog.getByRole('radio').first().check();
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await expect(dialog).toBeHidden();
    await page.goto('/integrations/issue-trackers');
    await press('jira-cloud', 'Sync now');
    await expect(async () => {
      expect(await ticketsAbout('jira-cloud', second)).toMatchObject([{ status: 'Done' }]);
    }).toPass({ timeout: 60_000 });
  });
  await test.step('reports a deleted ticket', async () => {
    const [ticket] = await ticketsAbout('jira-cloud', first);
    await control('trackers/delete', { site: 'jira-cloud', key: ticket?.key });
    await page.goto('/integrations/issue-trackers');
    await expect(card('jira-cloud').getByText(/1 referenced ticket was deleted or hidden/)).toBeVisible({
      timeout: 60_000,
    });
  });
  expect(answers.filter((text) => text.includes('lin_api_'))).toEqual([]);
  const { token } = await siteOf('jira-cloud');
  expect(answers.filter((text) => text.includes(token))).toEqual([]);
}
