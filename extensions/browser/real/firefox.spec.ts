import { chromium, expect, type Page, test } from '@playwright/test';
import { type Product, startProduct } from '../../../web/e2e/server.ts';
import { ada, authorizationHeader, createOrganization, password, signUp } from '../../../web/e2e/steps.ts';
import { chromiumPath } from './chromium.ts';
import { firefoxPath, type RealFirefox, startFirefox } from './firefox.ts';
import { firefoxPackage, isBuilt } from './packages.ts';
import { skipUnless } from './required.ts';
import { canary, startSites } from './sites.ts';
import { queuedUrlsIn, timeline } from './timeline.ts';

skipUnless(firefoxPath !== undefined && isBuilt('firefox'), 'Firefox or the built extension');
test.describe.configure({ mode: 'serial' });

const hosts = ['github.com', 'gitlab.com', 'stackoverflow.com', 'developer.mozilla.org', 'pypi.org', 'example.org'];
let product: Product;
let sites: Awaited<ReturnType<typeof startSites>>;
let firefox: RealFirefox;
let page: Page;
let recorded: ReturnType<typeof timeline>;

const at = (host: string, path = '/') => `https://${host}:${sites.port}${path}`;
const waiting = async () => queuedUrlsIn(await firefox.kept());

test.beforeAll(async () => {
  product = await startProduct([]);
  sites = await startSites();
  // Creates the account in another browser, since this test is about the extension.
  const other = await chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: ['--no-sandbox'],
  });
  page = await other.newPage();
  await signUp(page, product.url);
  await createOrganization(page, 'Acme');
  recorded = timeline(page, product.url);
  firefox = await startFirefox(firefoxPackage(), hosts);
});
test.afterAll(async () => {
  await firefox?.stop();
  await page?.context().browser()?.close();
  await sites?.stop();
  await product?.stop();
});

test('signs in through the web app after access to the server was granted', async () => {
  await firefox.go(`${product.url}/login`);
  await firefox.fill('input[type=email], input[name=email]', ada.email);
  await firefox.fill('input[type=password]', password);
  await firefox.run("document.querySelector('input[type=password]').form.requestSubmit()");
  await expect.poll(() => firefox.run("return localStorage.getItem('accessToken') !== null")).toBe(true);
  await firefox.open();
  await firefox.go(firefox.options);
  await firefox.fill('#server', product.url);
  await firefox.click('form .main');
  await firefox.agree();
  await firefox.switchTo('options.html');
  await expect.poll(() => firefox.run('return document.body.innerText')).toContain(ada.email);
  await expect(async () => {
    const answer = await page.request.get(`${product.url}/api/v2/user/ext-status`, {
      headers: await authorizationHeader(page),
    });
    expect(await answer.json()).toMatchObject({ browser_status: 'connected', browser_type: 'firefox' });
  }).toPass({ timeout: 30_000 });
});

test('reports a page and a copy on a developer site without text', async () => {
  await firefox.open();
  await firefox.go(at('github.com', `/${canary.path}/pull/7?q=${canary.query}`));
  await copy('#field');
  await expect.poll(() => recorded.of('web_page_view')).toHaveLength(1);
  await expect.poll(() => recorded.of('browser_clipboard')).toHaveLength(1);
  expect((await recorded.of('web_page_view'))[0]?.text).toContain('github.com');
});

test('records nothing of other sites, passwords and private windows, not even in the queue', async () => {
  await product.halt();
  await firefox.go(at('example.org', '/secret'));
  await copy('#field');
  await firefox.go(at('github.com', '/signin'));
  await copy('#password');
  await firefox.open({ private: true });
  await firefox.go(at('gitlab.com', '/private/project'));
  await copy('#field');
  await firefox.close();
  await firefox.open();
  // Recorded after the other events: if it is queued, they would be too.
  await firefox.go(at('stackoverflow.com', '/questions/1'));
  await expect.poll(waiting).toEqual(['https://github.com/', 'https://stackoverflow.com/']);
});

test('keeps its queue when the background ends while the server is unreachable, and sends it once', async () => {
  await firefox.go(at('developer.mozilla.org'));
  await copy('#field');
  await expect.poll(waiting).toHaveLength(4);
  await firefox.endBackground();
  await firefox.go(at('pypi.org', '/project/flask'));
  await expect.poll(waiting).toHaveLength(5);
  await firefox.endBackground();
  await product.resume();
  await expect.poll(waiting, { timeout: 90_000 }).toEqual([]);
  await expect.poll(() => recorded.of('web_page_view')).toHaveLength(5);
  await expect.poll(() => recorded.of('browser_clipboard')).toHaveLength(2);
});

test('stores no text of pages, copies, queries and titles', async () => {
  const everything = JSON.stringify([await firefox.kept(), await recorded.all()]);
  for (const [what, text] of Object.entries(canary)) expect(everything, what).not.toContain(text);
});

async function copy(selector: string): Promise<void> {
  await firefox.click(selector);
  await firefox.control('a');
  await firefox.control('c');
}
