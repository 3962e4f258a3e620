import { readFile } from 'node:fs/promises';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import type { Tenant } from './server.ts';
import { importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

let product: Tenant;
let context: BrowserContext;
let page: Page;
test.beforeAll(async ({ browser, server }) => {
  product = await server.addTenant();
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
});
test.afterAll(async () => {
  await context.close();
  await product.stop();
});

const chart = () => page.getByRole('region', { name: 'Events over time' });
const plot = () => page.getByRole('slider', { name: /^Select a time range/ });
const views = (name = 'Views') => page.getByRole('button', { name, exact: true });
const queryInUrl = () => new URL(page.url()).searchParams.get('query') ?? '';

test('shows events in the histogram and narrows the range by mouse and keyboard', async () => {
  await page.goto('/explore');
  await expect(chart().getByRole('listitem').filter({ hasText: 'Commit' })).toBeVisible();
  await expect(plot()).toHaveAttribute('aria-valuetext', /events from .* to /);
  await expectAccessible(page, 'explore with its histogram');
  await plot().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await expect.poll(queryInUrl).toMatch(/^after:\S+ before:\S+$/);
  await page.getByRole('button', { name: 'Show all times' }).click();
  await expect.poll(queryInUrl).toBe('');
  const box = await plot().boundingBox();
  if (!box) throw new Error('The histogram has no place');
  await page.mouse.move(box.x + box.width * 0.3, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + 20);
  await page.mouse.up();
  await expect.poll(queryInUrl).toMatch(/^after:\S+ before:\S+$/);
  await chart().getByRole('button', { expanded: true }).click();
  await page.reload();
  await expect(chart().getByRole('button', { expanded: false })).toBeVisible();
  await chart().getByRole('button', { expanded: false }).click();
  await expect(chart().getByRole('button', { expanded: true })).toBeVisible();
});

test('saves, opens, shares, renames, deletes and restores a view', { tag: '@core' }, async () => {
  await page.goto('/explore?query=kind:commit');
  await views().click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Commits alone');
  await expectAccessible(page, 'saving a view');
  await page.keyboard.press('Enter');
  await expect(views('Commits alone')).toBeVisible();
  await page.goto('/explore');
  await views().click();
  await page.getByRole('menuitem', { name: 'Commits alone', exact: true }).last().click();
  await expect.poll(queryInUrl).toBe('kind:commit');
  await views('Commits alone').click();
  await expectAccessible(page, 'menu of views');
  await page.getByRole('menuitem', { name: 'Share with the organization' }).click();
  await expect(page.getByText('The view is now shared with the organization.')).toBeVisible();
  await views('Commits alone').click();
  await page.getByRole('menuitem', { name: /^Rename/ }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Every commit');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await views('Every commit').click();
  await page.getByRole('menuitem', { name: /^Delete/ }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(views('Every commit')).toBeVisible();
});

test('exports the result of a query', async () => {
  await page.goto('/explore?query=kind:commit');
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^JSON lines/ }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(0);
  expect(new Set(lines.map((line) => (JSON.parse(line) as { kind: string }).kind))).toEqual(new Set(['commit']));
});
