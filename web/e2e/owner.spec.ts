import { execFileSync } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { sandboxOf, startProduct, type Tenant } from './server.ts';
import { authorizationHeader, importsCompleted, setUp } from './steps.ts';
import { test } from './test.ts';

const checkout = new URL('../..', import.meta.url).pathname;

let story: Awaited<ReturnType<typeof createStory>>;
let product: Tenant;

test.beforeAll(async ({ server }) => {
  story = await createStory('widgets');
  product = await server.addTenant([story.path]);
});
test.afterAll(async () => {
  await product.stop();
  await story.remove();
});

const git = (path: string, ...args: string[]) =>
  execFileSync('git', ['-C', path, ...args], { encoding: 'utf8' }).trim();

test('signs up an owner, connects the code host, and shows the real history and later changes', {
  tag: '@core',
}, async ({ page }) => {
  await setUp(page, product, 'Kestrel Payments');

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Repositories' }).click();
  await expect(page.getByRole('heading', { name: 'Repositories', level: 1 })).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'widgets' });
  await row.getByRole('link', { name: /widgets/ }).click();
  await expect(page.getByRole('link', { name: /Pull Requests/ })).toBeVisible();

  await test.step('equals contributors and commits of git shortlog', async () => {
    await page.getByRole('link', { name: /Contributors/ }).click();
    for (const line of git(story.path, 'shortlog', '-sn', 'main').split('\n')) {
      const [count = '', name = ''] = line.trim().split('\t');
      await expect(page.getByRole('row').filter({ hasText: name })).toContainText(count);
    }
  });

  await test.step('serves pictures of people from the server', async () => {
    const picture = page.getByRole('row').locator('img').first();
    await expect(picture).toHaveAttribute('src', /^blob:/);
    await expect(picture).toHaveJSProperty('naturalWidth', 80);
  });

  await test.step('opens Explore from a pull request with its context', async () => {
    await page.getByRole('link', { name: /Pull Requests/ }).click();
    await page.getByText('Closed PRs', { exact: true }).click();
    const request = page.getByRole('row').filter({ hasText: 'Let people in' });
    await request.getByRole('link', { name: /Explore events/ }).click();
    await expect(page.getByText('Remove context')).toBeVisible();
    await expect(page.getByText('#7').first()).toBeVisible();
    await page.getByText('Remove context').click();
  });

  await test.step('shows every commit of git log with author and date', async () => {
    const query = `kind:commit repo:${await fullNameOf(page, 'widgets')}`;
    await page.goto(`${product.url}/explore?query=${encodeURIComponent(query)}`);
    const log = git(story.path, 'log', '--format=%an%x09%aI%x09%s', 'main')
      .split('\n')
      .map((line) => line.split('\t'));
    const rows = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Show details' }) });
    await expect(rows).toHaveCount(log.length);
    for (const [author = '', date = '', title = ''] of log) {
      const row = rows.filter({ hasText: title });
      await expect(row).toContainText(author);
      await expect(row.locator('time')).toHaveAttribute('datetime', new Date(date).toISOString().replace('.000Z', 'Z'));
    }
  });

  await test.step('shows a new commit without a reload within 3 seconds', async () => {
    const made = performance.now();
    await story.commit('A change made while the page is open', { 'now.txt': 'now\n' });
    await expect(page.getByText('A change made while the page is open')).toBeVisible({ timeout: 10_000 });
    test.info().annotations.push({
      type: 'seconds until a commit is shown',
      description: String((performance.now() - made) / 1000),
    });
  });
});

test('imports the complete history of the product itself', async ({ page }) => {
  const own = await startProduct([checkout]);
  const repositories = await (await page.request.get(`${sandboxOf(own)}/_sandbox/repositories`)).json();
  const [{ full_name: fullName }] = repositories as [{ full_name: string }];
  await setUp(page, { ...own, account: fullName.split('/')[0] ?? '' }, 'Kestrel Payments');
  await importsCompleted(page, own.url);
  await page.goto(`${own.url}/repositories`);
  await page.getByRole('row').getByRole('link').first().click();
  await page.getByRole('link', { name: /Contributors/ }).click();
  await expect(page.getByRole('row').locator('td').first()).toBeVisible();
  const answer = await page.request.get(`${own.url}/api/v2/repositories`, { headers: await authorizationHeader(page) });
  const done = Number(git(checkout, 'rev-list', '--count', 'HEAD'));
  expect(await answer.json()).toMatchObject([{ import: { state: 'done', commits: { done } } }]);
  await own.stop();
});

async function fullNameOf(page: Page, name: string): Promise<string> {
  const answer = await page.request.get(`${product.url}/api/v2/repositories?search=${name}`, {
    headers: await authorizationHeader(page),
  });
  return ((await answer.json()) as { fullName: string }[])[0]?.fullName ?? '';
}
