import { execFileSync } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { commitsOf, enableAll, expectHostConnection } from './hosts.ts';
import { type Product, sandboxOf, startProduct } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let product: Product;
let page: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  story = await createStory('widgets');
  // More than a page of Gitiles.
  for (let number = 1; number <= 110; number += 1)
    story.git(['commit', '--quiet', '--allow-empty', '-m', `Step ${number}`]);
  product = await startProduct([story.path], () => ({ CODE_HOST_POLL_MINUTES: '1' }));
  page = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
});
test.afterAll(async () => {
  await page.context().close();
  await product.stop();
  await story.remove();
});

const integrations = '/integrations/source-code-management';
const name = 'Gerrit';
const there = 'gerrit/sandbox%2Fwidgets';
const card = () => page.getByRole('listitem', { name, exact: true });
const control = async (path: string, data: object): Promise<unknown> => {
  const answer = await page.request.post(`${sandboxOf(product)}/_sandbox/${path}`, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.status() === 204 ? undefined : answer.json();
};
const fault = (data: object) =>
  control('faults', { match: '^/gerrit/a/(?:projects/sandbox%2Fwidgets|plugins/gitiles/sandbox)', ...data });
const calm = () => page.request.delete(`${sandboxOf(product)}/_sandbox/faults`);
const newToken = async () => ((await control('gerrit/token', { login: 'ada' })) as { token: string }).token;
const commitsInGit = () => Number(execFileSync('git', ['rev-list', '--count', 'main'], { cwd: story.path }).toString());
/** Waits until exactly the commits of git are known. */
const catchesUp = async () =>
  expect(async () => expect(await commitsOf(page, product.url, there)).toBe(commitsInGit())).toPass({
    timeout: 120_000,
  });

async function fillToken(token: string): Promise<void> {
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('User name').fill('ada');
  await drawer.getByLabel('Access token').fill(token);
  await drawer.getByRole('button', { name: 'Connect', exact: true }).click();
}

test('connects Gerrit, shows each failure on its card, and catches up without loss', async () => {
  test.setTimeout(900_000);
  await signUp(page, product.url);
  await createOrganization(page, 'Kestrel Payments');

  await test.step('refuses a wrong token and keeps the input, then selects a folder', async () => {
    await page.getByRole('link', { name: `Connect ${name}` }).click();
    const drawer = page.getByRole('dialog');
    await fillToken('0123456789abcdef');
    await expect(drawer.getByText(/rejects this token/).first()).toBeVisible();
    await expect(drawer.getByLabel('Access token')).toHaveValue('0123456789abcdef');
    await expectAccessible(page, `connecting ${name}`);
    await fillToken(await newToken());
    await drawer.getByRole('checkbox', { name: 'sandbox', exact: true }).check();
    await expectAccessible(page, 'picking folders');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL(/\/onboarding\/setup\/3/);
    await page.goto(integrations);
    await page.getByRole('button', { name: 'Connect Sandbox GitHub' }).click();
    await page.getByRole('button', { name: /^install/i }).click();
    await expect(page.getByRole('button', { name: 'Manage GitHub' })).toBeVisible();
  });

  await test.step('waits for a rate limit with Retry-After, and reads a repeated page again', async () => {
    await fault({ status: 429, retryAfter: 10, times: 1 });
    await control('gerrit/repeated-page', { match: '\\+log' });
    await enableAll(page, product.url);
    await page.goto(integrations);
    await expect(card().getByText(/^Rate limited until/)).toBeVisible({ timeout: 60_000 });
    await expect(card().getByText(/^Rate limited until/)).toBeHidden({ timeout: 60_000 });
    await expect(card().getByText(/^Importing 1 repository/)).toBeVisible();
    await control('gerrit/repeated-page', { match: null });
    await catchesUp();
    await expect(card().getByText(/^Active/)).toBeVisible({ timeout: 60_000 });
    await expectAccessible(page, `integrations with ${name}`);
  });

  await test.step('imports what it missed after errors of the server and slow responses', async () => {
    await fault({ status: 500, times: 1000 });
    await story.commit('During an error', { 'error.txt': '1\n' });
    await page.goto(integrations);
    await expect(card().getByText('Failing', { exact: true })).toBeVisible({ timeout: 120_000 });
    await expect(card().getByText(/^Gerrit fails to answer requests about 1 repository/)).toBeVisible();
    await calm();
    await fault({ delayMs: 2000, times: 3 });
    await story.commit('While it is slow', { 'slow.txt': '1\n' });
    await catchesUp();
    await calm();
    await expect(card().getByText(/^Active/)).toBeVisible({ timeout: 120_000 });
  });

  await test.step('shows a revoked token, and catches up with a new one', async () => {
    await control('gerrit/revoke-tokens', {});
    await story.commit('Without access', { 'revoked.txt': '1\n' });
    await page.goto(integrations);
    await expect(card().getByText('Failing', { exact: true })).toBeVisible({ timeout: 120_000 });
    await expect(card().getByText(/does not take our access any more/)).toBeVisible();
    await card()
      .getByRole('button', { name: /^Manage/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Connect again' }).click();
    await fillToken(await newToken());
    await expect(page.getByRole('dialog').getByRole('checkbox', { name: 'sandbox', exact: true })).toBeChecked();
    await page.goto(integrations);
    await expect(card().getByText(/^Active/)).toBeVisible({ timeout: 60_000 });
    await story.commit('With access again', { 'again.txt': '1\n' });
    await catchesUp();
  });

  await expectHostConnection(page, product, story, {
    provider: 'gerrit',
    name,
    path: 'sandbox/widgets',
    isPolled: true,
    hasSeries: true,
  });
});
