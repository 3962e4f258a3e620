import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { type Product, startProduct } from './server.ts';
import { ada, createOrganization, openUrl, signIn, signUp } from './steps.ts';
import { test } from './test.ts';

// The tests share one account and depend on their order.
test.describe.configure({ mode: 'serial' });

let product: Product;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  product = await startProduct(undefined, () => ({ AUTHORIZE_WITH_TOKEN: 'on' }));
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
  await signUp(page, product.url);
  await createOrganization(page, 'Kestrel Payments');
});
// A tab with an open prompt for an external program blocks, so each visit uses a new tab.
async function freshTab(): Promise<void> {
  await page.close();
  page = await context.newPage();
}
test.beforeEach(freshTab);
test.afterAll(async () => {
  await context?.close();
  await product?.stop();
});

/** The secret of an extension during authorization, and the URL that it opens. */
function ask(scheme: string, more: Record<string, string> = {}) {
  const state = randomBytes(16).toString('base64url');
  const codeVerifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const search = new URLSearchParams({ state, code_challenge: challenge, device: "Ada's desk", ...more });
  return { state, codeVerifier, path: `/authorize/${scheme}?${search}` };
}

const post = (path: string, body: object) =>
  fetch(`${product.url}/api/v2/extensions/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const settingsWith = (token: string) =>
  fetch(`${product.url}/api/v2/extensions/settings`, { headers: { authorization: `Bearer ${token}` } });

/** The URLs that a page navigates to, including custom schemes. */
async function navigationsOf(watched: Page): Promise<string[]> {
  const navigations: string[] = [];
  const devtools = await context.newCDPSession(watched);
  await devtools.send('Page.enable');
  devtools.on('Page.frameRequestedNavigation', ({ url }) => navigations.push(url));
  return navigations;
}

test('opens the editor with a code that only the editor can use', async () => {
  const { state, codeVerifier, path } = ask('vscode', { type: 'vscode' });
  const navigations = await navigationsOf(page);
  await page.goto(path);
  await expect(page.getByRole('heading', { name: 'Opening VS Code' })).toBeVisible();
  await expect(page.getByText('Kestrel Payments')).toBeVisible();
  await expect(page.getByText(ada.email)).toBeVisible();
  const link = (await page.getByRole('link', { name: 'Open VS Code' }).getAttribute('href')) ?? '';
  await expect.poll(() => navigations).toContain(link);
  const url = new URL(link);
  expect([url.protocol, url.host, url.pathname]).toEqual(['vscode:', 'sightline.sightline', '/authorize']);
  expect(url.searchParams.get('state')).toBe(state);
  const code = url.searchParams.get('code');
  await expectAccessible(page, 'authorize');

  const answer = await post('token', { code, codeVerifier, version: '1.0.0' });
  expect(answer.status).toBe(200);
  const signedIn = (await answer.json()) as { accessToken: string; refreshToken: string; account: { email: string } };
  expect(signedIn.account.email).toBe(ada.email);
  expect((await settingsWith(signedIn.accessToken)).status).toBe(200);
  expect((await post('token', { code, codeVerifier })).status).toBe(401);

  await freshTab();
  await page.goto('/account#extensions');
  const row = page.getByRole('listitem').filter({ hasText: "Ada's desk" });
  await expect(row).toContainText('VS Code');
  await row.getByRole('button', { name: /^Disconnect/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('No connected extensions')).toBeVisible();
  expect((await settingsWith(signedIn.accessToken)).status).toBe(401);
  expect((await post('token/renew', { refreshToken: signedIn.refreshToken })).status).toBe(401);
});

test('returns the code to a browser extension in the address of a plain page', async () => {
  const { state, codeVerifier, path } = ask('browser', { type: 'firefox' });
  await page.goto(path);
  await expect(page.getByRole('heading', { name: 'You can close this tab' })).toBeVisible();
  const { pathname, searchParams } = new URL(page.url());
  expect(pathname).toBe('/authorize/browser/done');
  expect(searchParams.get('state')).toBe(state);
  expect((await post('token', { code: searchParams.get('code'), codeVerifier })).status).toBe(200);
  await expectAccessible(page, 'authorize, done');
});

test.describe('an editor in a browser', () => {
  let editor: Server;
  let heard: string[];
  test.beforeAll(async () => {
    heard = [];
    editor = createServer((request, response) => {
      heard.push(request.url ?? '');
      response.end('You can close this page now.');
    });
    await new Promise<void>((resolve) => editor.listen(0, '127.0.0.1', resolve));
  });
  test.afterAll(async () => void (await new Promise((resolve) => editor.close(resolve))));

  test('receives the code at its own address in the parameter it names', async () => {
    const { port } = editor.address() as AddressInfo;
    const callback = `http://127.0.0.1:${port}/stable-1/callback?vscode-reqid=1&vscode-scheme=code-oss&vscode-authority=sightline.sightline&vscode-path=/authorize`;
    const { state, codeVerifier, path } = ask('code-oss', { type: 'code-server', callback });
    await page.goto(path);
    await expect(page.getByText('You can close this page now.')).toBeVisible();
    const { searchParams } = new URL(heard[0] ?? '', callback);
    expect(searchParams.get('vscode-scheme')).toBe('code-oss');
    const query = new URLSearchParams(searchParams.get('vscode-query') ?? '');
    expect(query.get('state')).toBe(state);
    expect((await post('token', { code: query.get('code'), codeVerifier })).status).toBe(200);
  });

  test('receives no code at an address that is not allowed', async () => {
    await page.goto(ask('vscode', { callback: 'https://evil.example/callback' }).path);
    await expect(page.getByText('AUTHORIZE_CALLBACK_ORIGINS')).toBeVisible();
    await expectAccessible(page, 'authorize, refused');
  });
});

test('sends nothing without a challenge before a click', async () => {
  const navigations = await navigationsOf(page);
  await page.goto('/authorize/vscode');
  const button = page.getByRole('button', { name: 'Open VS Code' });
  await expect(button).toBeVisible();
  await expectAccessible(page, 'authorize, the old way');
  expect(navigations.filter((url) => url.startsWith('vscode:'))).toEqual([]);
  await button.press('Enter');
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  await expect
    .poll(() => navigations.map((url) => new URL(url).searchParams.get('token')).filter((given) => given !== null))
    .toEqual([token]);
});

test('shows 404 for an unknown scheme', async () => {
  for (const scheme of ['evil', 'javascript', 'https']) {
    await page.goto(ask(scheme).path);
    await expect(page.getByRole('heading', { name: /not found/i })).toBeVisible();
  }
});

test('signs in first and returns to the request', async ({ browser }) => {
  const otherContext = await browser.newContext({ baseURL: product.url });
  const tab = await otherContext.newPage();
  const { state, path } = ask('cursor', { type: 'cursor' });
  await openUrl(tab, path);
  await signIn(tab);
  const link = tab.getByRole('link', { name: 'Open Cursor' });
  await expect(link).toBeVisible();
  expect(new URL((await link.getAttribute('href')) ?? '').searchParams.get('state')).toBe(state);
  await otherContext.close();
});
