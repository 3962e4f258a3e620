import { randomUUID } from 'node:crypto';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { createRepository } from '../../sandbox/src/testing/repository.ts';
import { type Product, startProduct } from './server.ts';
import { shiftDuring } from './shift.ts';
import { ada, authorizationHeader, importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

let repository: ReturnType<typeof createRepository>;
let product: Product;
let context: BrowserContext;
let page: Page;

const pictures = process.env.PICTURES;
const picture = async (name: string) => {
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` });
};

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  repository = createRepository('widgets');
  await repository.start();
  await repository.commit('First steps', { 'README.md': '# Widgets\n' }, ada);
  product = await startProduct([repository.path]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  // Two days of views, one per minute, with the newest thirty at the same time.
  const start = Date.now() - 60 * 60_000;
  await send(Array.from({ length: 3_000 }, (_, index) => view(start - index * 60_000)));
  await send(Array.from({ length: 30 }, () => view(start + 5 * 60_000)));
});
test.afterAll(async () => {
  await context?.close();
  await product?.stop();
  await repository?.remove();
});

const view = (at: number, site = 'wiki.example.org') => ({
  plugin_id: 'sightline-browser',
  event_type: 'web_page_view',
  message_id: randomUUID(),
  identifiers: { kind: 'issue' },
  original_timestamp: new Date(at).toISOString(),
  tracking_source: 'chrome',
  content_uri: `https://${site}/`,
});

async function send(events: readonly unknown[]): Promise<void> {
  const headers = await authorizationHeader(page);
  for (let from = 0; from < events.length; from += 500) {
    const answer = await page.request.post('/api/v2/events/user', { headers, data: events.slice(from, from + 500) });
    expect(await answer.json()).toMatchObject({ rejected: [] });
  }
}

const rows = () => page.locator('li[data-event]');
const more = () => page.getByRole('button', { name: /^Load more events/ });
const scrollTo = (top: number) => page.evaluate(`window.scrollTo({ top: ${top}, behavior: 'instant' })`);

async function explore(): Promise<void> {
  await page.goto('/explore');
  await expect(rows().first()).toBeVisible();
}

test('renders only visible events under their day and loads to the beginning', async () => {
  await explore();
  await picture('timeline');
  const day = page.getByRole('region', { name: 'Events', exact: true }).getByRole('heading').first();
  const today = await day.textContent();
  await expect(async () => {
    await scrollTo(10_000_000);
    await expect(page.getByText('Start of the timeline.')).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 180_000 });
  expect(await rows().count()).toBeLessThan(60);
  await expect(day).not.toHaveText(today ?? '');
  await picture('timeline-end');
});

test('draws rows of the specified heights and five beyond the visible ones, and loads more near the end', async () => {
  const requestedCounts: number[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/explore/query')) return;
    const { events, cursors } = (request.postDataJSON() as ExploreBody).pagination;
    if (cursors.older !== undefined) requestedCounts.push(events);
  });
  await explore();
  await scrollTo(0);
  const { heights, beyond, rest, drawn } = await drawnRows(page);
  expect(new Set(heights.event)).toEqual(new Set([48]));
  expect(new Set(heights.group)).toEqual(new Set([20 + 8]));
  for (const height of heights.date) expect(height).toBe(32 + 8);
  expect(beyond).toBe(5);
  // Undrawn rows are estimated: rows of events, and a date between two days.
  expect([0, 32 + 8]).toContain(rest % 48);

  const loaded = drawn + Math.floor(rest / 48);
  // Before the last twenty rows, then within them.
  await scrollTo((loaded - 40) * 48);
  await page.locator(`li[data-index="${loaded - 30}"]`).waitFor();
  expect(requestedCounts).toEqual([]);
  await scrollTo((loaded - 32) * 48);
  await expect.poll(() => requestedCounts).toEqual([200]);
  page.removeAllListeners('request');
});

test('collapses similar events behind the newest and does not shift the reader', async () => {
  await explore();
  const group = page.getByRole('button', { name: /similar events$/ }).first();
  await expect(group).toHaveText('29 similar events');
  await group.click();
  await expect(group).toHaveText('19 more similar events');
  await picture('timeline-group');
  await page.getByRole('button', { name: 'Collapse group' }).click();
  await expect(group).toHaveText('29 similar events');

  // Outside of the visible range, yet rendered because it has the focus.
  await group.focus();
  await scrollTo(3_000);
  const shift = await shiftDuring(page, async () => {
    await group.evaluate((button: { click: () => void }) => button.click());
    await expect(group).toHaveText('19 more similar events');
  });
  expect(shift).toBe(0);
});

test('defers two hundred newer events until a click, without shifting', async () => {
  await explore();
  await scrollTo(3_000);
  const now = Date.now() - 50 * 60_000;
  const arrival = await shiftDuring(page, async () => {
    await send(Array.from({ length: 200 }, (_, index) => view(now + index * 2_000, `site-${index}.example.org`)));
    await expect(more()).toHaveText('Load more events (200)');
  });
  expect(arrival).toBe(0);
  await picture('timeline-newer');
  const loading = await shiftDuring(page, async () => {
    await more().click();
    await expect(more()).toBeHidden();
    await expect(page.getByRole('button', { name: 'Newer events are above' })).toBeVisible();
  });
  expect(loading).toBe(0);
  await page.getByRole('button', { name: 'Newer events are above' }).click();
  await expect(page.getByText('site-199.example.org')).toBeVisible();
});

test('does not shift when content above the list changes its height', async () => {
  await explore();
  await scrollTo(3_000);
  const scrollPosition = () => page.evaluate<number>('scrollY');
  const shift = await shiftDuring(page, async () => {
    for (const padding of [40, 0]) {
      const before = await scrollPosition();
      await page.getByRole('region', { name: 'Events over time' }).evaluate((figure, padding) => {
        figure.style.paddingBottom = `${padding}px`;
      }, padding);
      await expect.poll(scrollPosition).toBe(before + (padding || -40));
    }
  });
  expect(shift).toBe(0);
});

test('does not shift the reader during 200 events a second, and counts them correctly', async () => {
  await explore();
  await scrollTo(3_000);
  const now = Date.now() - 40 * 60_000;
  const shift = await shiftDuring(page, async () => {
    for (let batch = 0; batch < 16; batch += 1) {
      await send(Array.from({ length: 50 }, (_, index) => view(now + (batch * 50 + index) * 100)));
    }
    await expect(more()).toHaveText('Load more events (800)');
  });
  expect(shift).toBe(0);
  await more().click();
  await expect(more()).toBeHidden();
  await expect(page.getByRole('button', { name: 'Newer events are above' })).toBeVisible();
});

test('shows archived events like others, and says that they are from the archive', async () => {
  const [day, site] = [24 * 60 * 60_000, 'archived.example.org'];
  const start = Date.now() - 60 * day;
  await send(Array.from({ length: 450 }, (_, index) => view(start - index * 60_000, site)));
  const query = `/explore?query=${encodeURIComponent(`site:${site}`)}`;
  const label = page.getByText('From the archive.');
  const older = page.getByRole('button', { name: 'Load older events' });
  const summaryOf = async () => (await rows().first().textContent()) ?? '';
  await page.goto(query);
  await expect(rows().first()).toBeVisible();
  await expect(older).toBeAttached();
  await expect(label).toHaveCount(0);
  const shown = await summaryOf();
  await product.archiveOldEvents();
  await page.reload();
  await expect(label).toBeVisible();
  expect(await summaryOf()).toBe(shown);
  await label.scrollIntoViewIfNeeded();
  await picture('timeline-archive');
  await expect(async () => {
    await scrollTo(10_000_000);
    await expect(page.getByText('Start of the timeline.')).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
  await expect(label).toHaveCount(0);
  // Pages of newer events are from rows.
  await explore();
  await expect(older).toBeAttached();
  await expect(label).toHaveCount(0);
});

test('works by keyboard alone', async () => {
  await explore();
  const { keyboard } = page;
  const focused = () => page.evaluate<string | undefined>('document.activeElement?.dataset?.event');
  await keyboard.press('j');
  await expect.poll(focused).toBe(await rows().nth(0).getAttribute('data-event'));
  const first = await focused();
  await keyboard.press('j');
  await expect.poll(focused).not.toBe(first);
  await keyboard.press('k');
  await expect.poll(focused).toBe(first);
  await keyboard.press('Enter');
  await expect(page.getByText('Ledger entry')).toBeVisible();
  await picture('timeline-details');
  await keyboard.press('Enter');
  await expect(page.getByText('Ledger entry')).toBeHidden();
  await keyboard.press('e');
  await expect(page.getByRole('button', { name: 'Collapse group' })).toBeVisible();
  await expect.poll(focused).toBe(first);

  await keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toBeVisible();
  await picture('timeline-shortcuts');
  await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect.poll(focused).toBe(first);
  await keyboard.press('j');
  expect(await focused()).toBe(first);
  await keyboard.press('?');
  await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect.poll(focused).toBe(first);
  await keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Filter events' })).toBeFocused();
  await keyboard.type('j');
  await expect(page.getByRole('combobox', { name: 'Filter events' })).toHaveValue('j');
});

interface ExploreBody {
  pagination: { events: number; cursors: { older?: string } };
}

interface RowLayout {
  heights: Record<'event' | 'group' | 'date', number[]>;
  beyond: number;
  rest: number;
  drawn: number;
}

/** The rendered rows: heights by kind, number of rows below the visible range, and height of undrawn rows. */
const drawnRows = (of: Page) =>
  of.evaluate<RowLayout>(`(() => {
    const rows = [...document.querySelectorAll('li[data-index]')];
    const kindOf = (row) => (row.dataset.event ? 'event' : row.querySelector('button') ? 'group' : 'date');
    const boxOf = (element) => element.getBoundingClientRect();
    const heightsOf = (kind) => rows.filter((row) => kindOf(row) === kind).map((row) => Math.round(boxOf(row).height));
    return {
      heights: { event: heightsOf('event'), group: heightsOf('group'), date: heightsOf('date') },
      beyond: rows.filter((row) => boxOf(row).top >= window.innerHeight).length,
      rest: Math.round(boxOf(rows[0].parentElement).bottom - boxOf(rows.at(-1)).bottom),
      drawn: rows.length,
    };
  })()`);
