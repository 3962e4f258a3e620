import { type BrowserContext, expect, type Page } from '@playwright/test';
import { ada, createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

const workflow = `name: build
on: push
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - { uses: aquasecurity/trivy-action@0.28.0 }
`;

let story: Awaited<ReturnType<typeof createStory>>;
let product: Tenant;
let context: BrowserContext;
let page: Page;
test.beforeAll(async ({ browser, server }) => {
  story = await createStory('widgets');
  story.git(['checkout', '--quiet', 'main']);
  const today = { ...ada, date: new Date().toISOString() };
  await story.commit('Build it', { '.github/workflows/build.yml': workflow }, today);
  product = await server.addTenant([story.path]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
  await setUp(page, product, 'Kestrel Payments');
});
test.afterAll(async () => {
  await context.close();
  await product.stop();
  await story.remove();
});

// A longer timeout, since the test waits for an import and a scan.
test.setTimeout(240_000);

const panel = (title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

/** The API request of the page that a tile links to. */
const requests: Record<string, string> = {
  '/vulnerabilities': '/api/v2/vulnerabilities',
  '/changes': '/api/v2/changes',
  '/tools': '/api/v2/tools/inventory',
};

test('every tile has the number of the list that it links to', async () => {
  await importsCompleted(page, product.url);
  await page.goto('/');
  await expect(panel('Needs attention').getByText('Nothing needs your attention.')).toBeVisible();
  const activity = panel('Activity');
  await activity.getByRole('combobox', { name: 'Time range' }).selectOption('Last 30 days');
  await expect(async () => {
    await page.reload();
    await activity.getByRole('combobox', { name: 'Time range' }).selectOption('Last 30 days');
    await expect(activity.getByRole('link', { name: /new CI\/CD tools?$/ })).toHaveText(/^[1-9]/);
  }).toPass({ timeout: 60_000 });
  await expect(activity.getByText('–', { exact: true })).toHaveCount(0);
  const tiles = await activity
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => [link.getAttribute('href') ?? '', link.textContent ?? ''] as const));
  expect(tiles).toHaveLength(8);
  for (const [href, text] of tiles) {
    const { pathname } = new URL(href, product.url);
    const counted = requests[pathname];
    if (counted === undefined) continue;
    const answered = page.waitForResponse(
      (response) => new URL(response.url()).pathname === counted && response.headers()['x-total-count'] !== undefined,
    );
    await page.goto(href);
    const total = (await answered).headers()['x-total-count'] ?? '';
    expect(`${href}: ${text}`).toMatch(new RegExp(`: ${total}\\D`));
    await expect(page.getByRole('button', { name: /^Remove filter: .* since/ })).toBeVisible();
  }
});

test('trends count the lists that they link to, with the same data as a table', async () => {
  await page.goto('/');
  const trends = panel('Trends');
  const opened = trends.getByRole('link', { name: /^Opened \d/ });
  await expect(opened).toBeVisible();
  await expect(trends.getByRole('img', { name: /^Opened and fixed vulnerabilities by day/ })).toBeVisible();
  const total = /[\d,]+$/.exec((await opened.textContent()) ?? '')?.[0].replace(',', '');
  await trends.getByRole('button', { name: 'Show table of Opened and fixed vulnerabilities' }).click();
  await expect(trends.getByRole('table').getByRole('row')).toHaveCount(31);
  // Home requests other lists of vulnerabilities.
  const answered = page.waitForResponse((response) => {
    const { pathname, searchParams } = new URL(response.url());
    return pathname === '/api/v2/vulnerabilities' && searchParams.get('status')?.includes('dismissed') === true;
  });
  await opened.click();
  expect((await answered).headers()['x-total-count']).toBe(total);
});

test('shows data sources with their state, and fits every width in both themes', async () => {
  await page.goto('/');
  await expect(panel('Data sources').getByRole('link', { name: /Code hosts.*GitHub/ })).toBeVisible();
  await expect(panel('Data sources').getByRole('link', { name: /External anchors/ })).toContainText(
    'No external anchor configured',
  );
  for (const width of [320, 768, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
    expect([width, overflow]).toEqual([width, 0]);
  }
  await expectAccessible(page, 'Home with panels');
});
