import { type BrowserContext, expect, type Page } from '@playwright/test';
import { bob, createRepository } from '../../sandbox/src/testing/repository.ts';
import { triggerHostActivity } from './host.ts';
import type { Tenant } from './server.ts';
import { authorizationHeader, importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

const story = createRepository('widgets');
let noted: string;
let product: Tenant;
let context: BrowserContext;
let page: Page;
test.beforeAll(async ({ browser, server }) => {
  await story.start();
  await story.commit('First', { 'README.md': '# Widgets\n' });
  story.git(['checkout', '--quiet', '-b', 'invoices']);
  noted = await story.commit('Add invoices', { 'src/invoices.ts': 'one\ntwo\nthree\nfour\n' }, bob);
  const sessions = { s_0123456789abcd: { agent_id: { tool: 'claude', id: '1', model: 'claude-opus-4-5' } } };
  const log = JSON.stringify({ schema_version: 'authorship/3.0.0', prompts: {}, sessions });
  const note = `src/invoices.ts\n  s_0123456789abcd::t_0123456789abcd 1-3\n  nobody 4\n---\n${log}`;
  story.git(['notes', '--ref', 'ai', 'add', '-m', note, noted]);
  story.git(['checkout', '--quiet', '--detach', 'main']);
  product = await server.addTenant([story.path]);
  context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  page = await context.newPage();
});
test.afterAll(async () => {
  await context?.close();
  await product?.stop();
  await story.remove();
});

test('shows agents on a change, by line, and in Explore', async () => {
  await setUp(page, product, 'Kestrel Payments');
  await importsCompleted(page, product.url);
  const open = await page.request.get(
    `${product.url}/api/v2/repositories/github/${product.account}%2Fwidgets/pull-requests?statuses=in-progress`,
    { headers: await authorizationHeader(page) },
  );
  const [{ number }] = (await open.json()) as [{ number: number }];
  await triggerHostActivity(product.url)('merge', { repository: `${product.account}/widgets`, number, by: 'ada' });
  await page.goto('/changes');
  const row = page
    .getByRole('table', { name: 'Changes' })
    .getByRole('row')
    .filter({ hasText: `widgets #${number}` });
  await expect(row).toBeVisible({ timeout: 60_000 });
  await row.getByRole('link').first().click();

  const step = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Agents', level: 3 }) });
  await expect(step.getByText('Claude (claude-opus-4-5), 3 lines in 1 file')).toContainText(
    'declared by a git-ai note',
  );
  await expect(step.getByText(/^3 of \d+ added lines .* attributed to agents[.]$/)).toBeVisible();
  await expect(step.getByText('Of the notes of git-ai, 1 entry could not be read.')).toBeVisible();
  await step.getByText('By file').click();
  await expect(step.getByText('3 lines: 1–3, Claude')).toBeVisible();

  await page.goto(`/explore?query=${encodeURIComponent('agent:claude-code ai:declared')}`);
  const events = page.getByRole('main');
  await expect(events.getByText('Add invoices').first()).toBeVisible({ timeout: 60_000 });
  await expect(events.getByText('First', { exact: true })).toHaveCount(0);
});
