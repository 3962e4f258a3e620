import { randomUUID } from 'node:crypto';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { io, type Socket } from 'socket.io-client';
import { createRepository } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { type Product, startProduct } from './server.ts';
import { ada, authorizationHeader, importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

// The tests share one account and depend on their order.
test.describe.configure({ mode: 'serial' });

let repository: ReturnType<typeof createRepository>;
let product: Product;
let context: BrowserContext;
let page: Page;
const sockets: Socket[] = [];

test.beforeAll(async ({ browser }) => {
  repository = createRepository('widgets');
  await repository.start();
  await repository.commit('First steps', { 'README.md': '# Widgets\n' }, ada);
  await repository.commit('Add a counter', { 'src/main.ts': 'export const one = 1;\n' }, ada);
  product = await startProduct([repository.path]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
});
test.afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await context?.close();
  await product?.stop();
  await repository?.remove();
});

const pictures = process.env.PICTURES;
const picture = async (name: string) => {
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` });
};

/** Opens the socket of an editor window, with a token of the page's user. */
async function openEditor(): Promise<Socket> {
  const token = (await authorizationHeader(page)).authorization.replace('Bearer ', '');
  const session = { side: 'ide', sessionId: randomUUID(), type: 'cursor', version: '1.0.0' };
  const socket = io(`${product.url}/ide/context`, {
    path: '/api/v2/ws',
    transports: ['websocket'],
    auth: { token, session },
  });
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

const heartbeat = async (sessionId: string, leaving: boolean) => {
  const answer = await page.request.post(`${product.url}/api/v2/user/heartbeat`, {
    headers: await authorizationHeader(page),
    data: { side: 'browser', sessionId, type: 'firefox', version: '1.0.0', leaving },
  });
  expect(answer.status()).toBe(204);
};

// As specified: 5 seconds.
const soon = { timeout: 5_000 };
const header = () => page.getByRole('banner');

test('shows connected extensions in the header within five seconds and links to missing ones', async () => {
  await page.goto('/');
  const missing = header().getByRole('link', { name: 'Extensions missing' });
  await expect(missing).toBeVisible();
  await picture('header-missing');
  const editor = await openEditor();
  await expect(header().getByRole('link', { name: 'Browser extension missing' })).toBeVisible(soon);
  const session = randomUUID();
  await heartbeat(session, false);
  await expect(header().getByText('Extensions connected')).toBeVisible(soon);
  await page.getByRole('button', { name: `Account of ${ada.name}` }).click();
  await expect(page.getByRole('menu').getByText('Connected', { exact: true })).toHaveCount(2);
  await picture('menu-connected');
  await page.keyboard.press('Escape');
  editor.disconnect();
  await expect(header().getByRole('link', { name: 'Editor extension missing' })).toBeVisible(soon);
  await page.getByRole('button', { name: `Account of ${ada.name}` }).click();
  await expect(page.getByRole('menu').getByText('Not connected')).toBeVisible();
  await picture('menu-missing');
  await expectAccessible(page, 'user menu with a missing extension');
  await page.keyboard.press('Escape');
  await header().getByRole('link', { name: 'Editor extension missing' }).click();
  await expect(page.getByRole('heading', { name: 'Get extensions' })).toBeInViewport();
  await heartbeat(session, true);
  await expect(header().getByRole('link', { name: 'Extensions missing' })).toBeVisible(soon);
});

test('updates pages of other tabs', async () => {
  await page.goto('/');
  await expect(header().getByRole('link', { name: 'Extensions missing' })).toBeVisible();
  const front = await context.newPage();
  await front.goto('/');
  await front.bringToFront();
  const editor = await openEditor();
  await expect(header().getByRole('link', { name: 'Browser extension missing' })).toBeVisible(soon);
  editor.disconnect();
  await expect(header().getByRole('link', { name: 'Extensions missing' })).toBeVisible(soon);
  await front.close();
});

test('shows contributors with both extensions', async () => {
  await openEditor();
  await page.goto('/repositories');
  await page
    .getByRole('link', { name: /widgets/ })
    .first()
    .click();
  await page.getByRole('link', { name: /^Contributors/ }).click();
  const row = page.getByRole('row').filter({ hasText: ada.email });
  await expect(row.getByText('Editor connected')).toBeVisible();
  await expect(row.getByText('Browser disconnected')).toBeVisible();
  await picture('contributors');
  await expectAccessible(page, 'contributors');
  for (const socket of sockets.splice(0)) socket.disconnect();
  await expect(row.getByText('Editor disconnected')).toBeVisible(soon);
});

test('opens Explore for a file from an editor', async () => {
  const answer = await page.request.get(`${product.url}/api/v2/repositories`, {
    headers: await authorizationHeader(page),
  });
  const [widgets] = (await answer.json()) as { url: string; fullName: string }[];
  const editor = await openEditor();
  const opened = await editor.emitWithAck('context', { repo: `${widgets?.url}.git`, file: 'README.md' });
  expect(opened).toMatchObject({ repository: { fullName: widgets?.fullName }, contextId: expect.any(String) });
  await page.goto(`/explore?context=${opened.contextId}`);
  const banner = page.getByRole('region', { name: 'Context' });
  await expect(banner.getByText('README.md')).toBeVisible();
  await expect(page.getByText('First steps')).toBeVisible();
  await expect(page.getByText('Add a counter')).toBeHidden();
  await picture('explore-file');
  await expectAccessible(page, 'explore on a file');
});
