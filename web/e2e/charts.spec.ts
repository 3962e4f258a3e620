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

const chart = () => page.getByRole('region', { name: 'Chart' });
const param = (name: string) => new URL(page.url()).searchParams.get(name) ?? '';
const choose = async (label: string, option: string) => {
  await chart().getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

test('opens a starter view and explains an empty one', async () => {
  await page.goto('/explore');
  await page.getByRole('button', { name: 'Agent commits by repository' }).click();
  await expect.poll(() => param('query')).toBe('kind:commit is:agent after:-30d');
  await expect(chart()).toBeVisible();
  expect([param('chart'), param('by'), param('compare')]).toEqual(['lines', 'repo', 'true']);
  await page.goto('/explore');
  await page.getByRole('button', { name: 'Visited sites' }).click();
  await expect(page.getByText(/No site was visited in the last 30 days/)).toBeVisible();
});

test('groups events, filters by a click on a group, and excludes with Alt', async () => {
  await page.goto('/explore');
  await page.getByRole('button', { name: 'Show chart' }).click();
  await expect(chart().getByRole('list', { name: 'Events by Kind' })).toBeVisible();
  await expectAccessible(page, 'explore with totals of groups');
  await choose('Group by', 'By actor');
  const groups = chart().getByRole('list', { name: 'Events by Actor' }).getByRole('button');
  await expect(groups.first()).toBeVisible();
  const name = (await groups.first().textContent()) ?? '';
  await groups.first().click();
  await expect.poll(() => param('query')).toMatch(/^actor:/);
  await expect(groups).toHaveText([name]);
  await page.goBack();
  await expect.poll(() => param('query')).toBe('');
  await groups.first().focus();
  await page.keyboard.down('Alt');
  await groups.first().click();
  await page.keyboard.up('Alt');
  await expect.poll(() => param('query')).toMatch(/^-actor:/);
  // The same data as a table.
  await chart().getByRole('button', { name: 'Show table' }).click();
  await expect(chart().getByRole('table', { name: 'Events by actor' }).getByRole('row').nth(1)).toBeVisible();
});

test('compares with the previous period in numbers and marks', async () => {
  await page.goto('/explore?chart=bars&by=kind');
  await chart().getByRole('checkbox', { name: 'Compare with the previous period' }).check();
  await expect(chart().getByText(/The query has no start/)).toBeVisible();
  await page.goto('/explore?query=after:-365d&chart=bars&by=kind&compare=true');
  await expect(chart().getByText(/^Previous period:/)).toBeVisible();
  await expect(
    chart()
      .getByText(/in the previous period/)
      .first(),
  ).toBeAttached();
  await expectAccessible(page, 'explore compared with the previous period');
});

test('zooms into lines by mouse and by keyboard', async () => {
  await page.goto('/explore?query=after:2000-01-01&chart=lines&by=kind');
  const plot = chart().getByRole('slider', { name: /^Select a time range/ });
  await expect(chart().getByText(/^Drag to zoom in/)).toBeVisible();
  const box = await plot.boundingBox();
  if (!box) throw new Error('The chart has no place');
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.95, box.y + 20);
  await page.mouse.up();
  await expect.poll(() => param('query')).toMatch(/^after:\S+Z before:\S+Z$/);
  const zoomed = param('query');
  await expect(plot).toBeVisible();
  await plot.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await expect.poll(() => param('query')).not.toBe(zoomed);
  await page.goBack();
  await expect.poll(() => param('query')).toBe(zoomed);
});

test('filters by an hour of the week with the keyboard', async () => {
  await page.goto('/explore?chart=hours');
  const grid = chart().getByRole('grid', { name: 'Events by weekday and hour' });
  const cell = grid.locator('button[tabindex="0"]');
  await expect(cell).toHaveCount(1);
  await expectAccessible(page, 'explore with hours of the week');
  await cell.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => param('query')).toMatch(/^weekday:\w+day hour:\d+$/);
  await expect(chart().getByText('No events match.')).toBeHidden();
});

test('keeps the results dimmed while the query is invalid, and saves the chart in a view', async () => {
  await page.goto('/explore?query=kind:commit&chart=bars&by=repo');
  const group = chart().getByRole('list', { name: 'Events by Repository' }).getByRole('button').first();
  await expect(group).toBeVisible();
  const input = page.getByRole('combobox', { name: 'Filter events' });
  await input.fill('kind:commit sevrity:high');
  await expect(page.getByText(/did you mean “severity”/)).toBeVisible();
  await expect(page.locator('[data-dimmed]')).toHaveCSS('filter', 'grayscale(1)');
  await expect(group).toBeVisible();
  await expect(page.locator('li[data-event]').first()).toBeVisible();
  expect(param('query')).toBe('kind:commit');
  // Only the server can reject this one.
  await input.fill('kind:commit context:5f0c6f2e-4f6c-8b58-9d43-0a4c1f6e2b11');
  await input.press('Enter');
  await expect(page.getByText('No context with this ID exists.').first()).toBeVisible();
  await expect(page.locator('[data-dimmed]')).toBeVisible();
  await expect(group).toBeVisible();
  await expect(page.locator('li[data-event]').first()).toBeVisible();
  await input.fill('kind:commit');
  await input.press('Enter');
  await expect(page.locator('[data-dimmed]')).toHaveCount(0);

  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Commits by repository');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Commits by repository', exact: true })).toBeVisible();
  await page.goto('/explore');
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Commits by repository', exact: true }).last().click();
  await expect.poll(() => [param('query'), param('chart'), param('by')]).toEqual(['kind:commit', 'bars', 'repo']);
});
