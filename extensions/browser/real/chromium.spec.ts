import { expect, type Page, test } from '@playwright/test';
import { type Product, startProduct } from '../../../web/e2e/server.ts';
import { ada, authorizationHeader, createOrganization, signUp } from '../../../web/e2e/steps.ts';
import { chromiumPath, type RealChromium, startChromium } from './chromium.ts';
import { allowedPackage, isBuilt } from './packages.ts';
import { skipUnless } from './required.ts';
import { canary, startSites } from './sites.ts';
import { queuedUrlsIn, timeline } from './timeline.ts';

skipUnless(chromiumPath !== undefined && isBuilt('chrome'), 'Chromium or the built extension');

/** `npm run clients:core` runs only these tests. */
const core = { tag: '@core' };

let product: Product;
let sites: Awaited<ReturnType<typeof startSites>>;
let chromium: RealChromium;
let page: Page;
let recorded: ReturnType<typeof timeline>;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  product = await startProduct([]);
  sites = await startSites();
  chromium = await startChromium(allowedPackage('chrome', 'http://localhost/*'), sites.port);
  page = await chromium.context.newPage();
  await signUp(page, product.url);
  await createOrganization(page, 'Acme');
  recorded = timeline(page, product.url);
});
test.afterAll(async () => {
  await chromium?.stop();
  await sites?.stop();
  await product?.stop();
});

test('signs in through the web app', core, async () => {
  const options = await chromium.context.newPage();
  await options.goto(chromium.page('options.html'));
  await options.getByLabel('Server address').fill(product.url);
  await options.getByRole('button', { name: 'Sign in' }).click();
  await expect(options.getByText('Acme')).toBeVisible();
  await expect(options.getByText(ada.email)).toBeVisible();
  await expect(options.getByRole('status')).toHaveText('Connected');
  // The tab with the code was closed.
  await expect.poll(() => chromium.context.pages().filter((tab) => tab.url().includes('/authorize/'))).toEqual([]);
  await options.close();
});

test('shows the connection', core, async () => {
  await expect(async () => {
    const answer = await page.request.get(`${product.url}/api/v2/user/ext-status`, {
      headers: await authorizationHeader(page),
    });
    expect(await answer.json()).toMatchObject({ browser_status: 'connected', browser_type: 'chrome' });
  }).toPass({ timeout: 30_000 });
});

test('reports a page and a copy on a developer site without text', core, async () => {
  const tab = await chromium.context.newPage();
  await tab.goto(`https://github.com/${canary.path}/pull/7?q=${canary.query}`);
  await copyCode(tab);
  await expect.poll(() => recorded.of('web_page_view')).toHaveLength(1);
  await expect.poll(() => recorded.of('browser_clipboard')).toHaveLength(1);
  expect((await recorded.of('web_page_view'))[0]?.text).toContain('github.com');
  expect((await recorded.of('browser_clipboard'))[0]?.text).toContain(String(canary.clipboard.length));
  await tab.close();
});

test('records nothing of other sites, passwords and private windows, not even in the queue', async () => {
  await product.halt();
  const tab = await chromium.context.newPage();
  await tab.goto('https://example.org/secret');
  await copyCode(tab);
  await tab.goto('https://github.com/signin');
  await tab.locator('#password').focus();
  await tab.keyboard.press('ControlOrMeta+A');
  await tab.keyboard.press('ControlOrMeta+C');
  const secret = await chromium.privateWindow();
  const hidden = await secret.newPage();
  await hidden.goto('https://gitlab.com/private/project');
  await copyCode(hidden);
  await secret.close();
  // Recorded after the other events: if it is queued, they would be too.
  await tab.goto('https://stackoverflow.com/questions/1');
  await expect.poll(waiting).toEqual(['https://github.com/', 'https://stackoverflow.com/']);
  await tab.close();
});

test('keeps its queue when the worker ends while the server is unreachable, and sends it once', async () => {
  const tab = await chromium.context.newPage();
  await tab.goto('https://developer.mozilla.org/en-US/');
  await copyCode(tab);
  await expect.poll(waiting).toHaveLength(4);
  await chromium.endWorker();
  await tab.goto('https://pypi.org/project/flask');
  await expect.poll(waiting).toHaveLength(5);
  await chromium.endWorker();
  await product.resume();
  // The alarm wakes the worker. Half a minute is the minimum that browsers permit.
  await expect.poll(waiting, { timeout: 90_000 }).toEqual([]);
  await expect.poll(() => recorded.of('web_page_view')).toHaveLength(5);
  await expect.poll(() => recorded.of('browser_clipboard')).toHaveLength(2);
  await tab.close();
});

test('stores no text of pages, copies, queries and titles', core, async () => {
  const everything = JSON.stringify([await chromium.kept(), await recorded.all()]);
  for (const [what, text] of Object.entries(canary)) expect(everything, what).not.toContain(text);
});

test('signs out', core, async () => {
  const options = await chromium.context.newPage();
  await options.goto(chromium.page('options.html'));
  await options.getByRole('button', { name: 'Sign out' }).click();
  await expect(options.getByRole('status')).toHaveText('Signed out');
  const answer = await page.request.get(`${product.url}/api/v2/extensions`, {
    headers: await authorizationHeader(page),
  });
  expect(await answer.json()).toEqual([]);
});

async function copyCode(tab: Page): Promise<void> {
  await tab.locator('#field').focus();
  await tab.keyboard.press('ControlOrMeta+A');
  await tab.keyboard.press('ControlOrMeta+C');
}

const waiting = async () => queuedUrlsIn(await chromium.kept());
