import { randomUUID } from 'node:crypto';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { createVulnerable, forgery, uploadScan } from './findings.ts';
import { type Product, startProduct } from './server.ts';
import { ada, authorizationHeader, importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

let code: Awaited<ReturnType<typeof createVulnerable>>;
let product: Product;
let context: BrowserContext;
let page: Page;
let repository: { url: string; fullName: string };
test.beforeAll(async ({ browser }) => {
  code = await createVulnerable('ledger');
  await code.commit('Tell the time', { 'src/clock.ts': 'export const now = () => Date.now();\n' }, ada);
  product = await startProduct([code.path]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  const answer = await page.request.get(`${product.url}/api/v2/repositories`, {
    headers: await authorizationHeader(page),
  });
  [repository] = await answer.json();
});
test.afterAll(async () => {
  await context?.close();
  await product?.stop();
  await code?.remove();
});

const banner = () => page.getByRole('region', { name: 'Context' });
const chips = () => banner().getByRole('listitem');
const touched = () => page.getByText('Preview webhooks');
const untouched = () => page.getByText('Tell the time');

test('narrows Explore by links until the context is removed', async () => {
  test.setTimeout(240_000);

  await test.step('of a repository', async () => {
    await page.goto('/repositories');
    await page
      .getByRole('link', { name: /ledger/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'Explore events' }).click();
    await expect(chips()).toHaveText([`repository is ${repository.fullName}`]);
    await expect(touched()).toBeVisible();
    await expect(untouched()).toBeVisible();
  });

  await test.step('of a vulnerability, by its file', async () => {
    await uploadScan(page, repository.fullName, [forgery]);
    await page.goto('/vulnerabilities');
    await page.getByRole('link', { name: forgery.name }).click();
    await page.getByRole('button', { name: 'Show in Explore' }).click();
    await expect(chips()).toHaveText([`repository is ${repository.fullName}`, `file is ${forgery.path}`]);
    await expect(touched()).toBeVisible();
    await expect(untouched()).toBeHidden();
    await expectAccessible(page, 'explore in a context');
  });

  await test.step('combines a query with the context in one link', async () => {
    const field = page.getByRole('combobox', { name: /query|filter/i });
    await field.fill('kind:tool');
    await field.press('Enter');
    await expect(page.getByRole('heading', { name: 'No events match' })).toBeVisible();
    await page.reload();
    await expect(chips()).toHaveCount(2);
    await page.getByRole('button', { name: 'Clear the query' }).first().click();
    await expect(touched()).toBeVisible();
  });

  await test.step('removes the context, and restores it on Back', async () => {
    await page.getByRole('button', { name: 'Remove context' }).click();
    await expect(banner()).toBeHidden();
    await expect(untouched()).toBeVisible();
    await page.goBack();
    await expect(chips()).toHaveCount(2);
    await expect(untouched()).toBeHidden();
  });

  await test.step('of a tool', async () => {
    const answer = await page.request.put(`${product.url}/api/v2/user/tools`, {
      headers: await authorizationHeader(page),
      data: {
        deviceId: randomUUID(),
        type: 'vscode',
        version: '1.105.0',
        tools: [{ id: 'anthropic.claude-code', version: '2.0.1' }],
      },
    });
    expect(answer.status()).toBe(204);
    await page.goto('/tools?tab=developer');
    await page.getByRole('link', { name: /Claude Code/ }).click();
    await page.getByRole('button', { name: 'Show in Explore' }).click();
    await expect(chips()).toHaveText(['tool is claude-code']);
    await expect(page.getByText('started using').first()).toBeVisible();
    await expect(touched()).toBeHidden();
  });

  await test.step('of a member', async () => {
    await page.goto('/organization/members');
    await page.getByRole('button', { name: `Actions for ${ada.name}` }).click();
    await page.getByRole('menuitem', { name: 'Show in Explore' }).click();
    await expect(chips()).toHaveText([`person is ${ada.email}`]);
    await expect(untouched()).toBeVisible();
    await expect(touched()).toBeHidden();
  });

  await test.step('of an editor, by the link of its extension', async () => {
    const answer = await page.request.post(`${product.url}/api/v2/events/explore/context`, {
      headers: await authorizationHeader(page),
      data: { repo: `${repository.url}.git`, file: 'src/clock.ts' },
    });
    const { contextId } = await answer.json();
    await page.goto(`/explore?context=${contextId}`);
    await expect(chips()).toHaveText([`repository is ${repository.fullName}`, 'file is src/clock.ts']);
    await expect(untouched()).toBeVisible();
    await expect(touched()).toBeHidden();
  });

  await test.step('reports an unknown context', async () => {
    await page.goto(`/explore?context=${randomUUID()}`);
    await expect(page.getByRole('button', { name: 'Show all events' })).toBeVisible();
  });
});
