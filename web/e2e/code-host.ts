import { execFileSync } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { commitsOf, enableAll, expectHostConnection, type Host } from './hosts.ts';
import { type Product, sandboxOf, startProduct } from './server.ts';
import { createOrganization, signUp } from './steps.ts';
import { test } from './test.ts';

/** A code host that is connected by a token, as the sandbox simulates it. */
interface TokenHost extends Host {
  /** The scope with the repository, as the drawer names it. */
  scope: string;
  /** Number of commits before the connection: more than a page of the API. */
  commits: number;
  /** The paths of the API with the repository, as a regular expression. */
  api: string;
  /** The list whose second page repeats the first one, as a regular expression. */
  repeatedList: string;
  /** The name of the account, if the host needs it beside the token. */
  account?: string;
  /** Whether the host answers a wrong token with a page for signing in. */
  hasSignInPage?: boolean;
}

interface Scene {
  host: TokenHost;
  product: Product;
  page: Page;
  story: Awaited<ReturnType<typeof createStory>>;
}

const integrations = '/integrations/source-code-management';
const wrongToken = '0123456789abcdef';

/** Connects the host, breaks it in every way, and expects its card to tell it and each commit to be imported once. */
export function testCodeHost(host: TokenHost): void {
  let scene: Scene;
  test.beforeAll(async ({ browser }) => {
    test.setTimeout(300_000);
    const story = await createStory('widgets');
    for (let number = 1; number <= host.commits; number += 1)
      story.git(['commit', '--quiet', '--allow-empty', '-m', `Step ${number}`]);
    const product = await startProduct([story.path], () => (host.isPolled ? { CODE_HOST_POLL_MINUTES: '1' } : {}));
    const page = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
    scene = { host, product, page, story };
  });
  test.afterAll(async () => {
    await scene.page.context().close();
    await scene.product.stop();
    await scene.story.remove();
  });

  test(`connects ${host.name}, shows each failure on its card, and catches up without loss`, async () => {
    test.setTimeout(host.isPolled ? 900_000 : 600_000);
    await signUp(scene.page, scene.product.url);
    await createOrganization(scene.page, 'Kestrel Payments');
    await test.step('refuses a wrong token and keeps the input, then selects a scope', () => connect(scene));
    await test.step('waits for a rate limit with Retry-After, and reads a repeated page again', () =>
      importThroughLimit(scene));
    await test.step('imports what it missed after errors of the server and slow responses', () => breakServer(scene));
    await test.step('shows a revoked token, and catches up with a new one', () => revokeToken(scene));
    await expectHostConnection(scene.page, scene.product, scene.story, host);
  });
}

const control = async ({ page, product }: Scene, path: string, data: object): Promise<unknown> => {
  const answer = await page.request.post(`${sandboxOf(product)}/_sandbox/${path}`, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.status() === 204 ? undefined : answer.json();
};
const fault = (scene: Scene, data: object) => control(scene, 'faults', { match: scene.host.api, ...data });
const endFaults = ({ page, product }: Scene) => page.request.delete(`${sandboxOf(product)}/_sandbox/faults`);

const cardOf = ({ page, host }: Scene) => page.getByRole('listitem', { name: host.name, exact: true });
/** A poll starts within a minute. */
const cardTimeout = ({ host }: Scene) => ({ timeout: host.isPolled ? 120_000 : 60_000 });
const checkboxOf = ({ page, host }: Scene) =>
  page.getByRole('dialog').getByRole('checkbox', { name: host.scope, exact: true });

/** Waits until exactly the commits of git are known. */
async function expectCaughtUp({ page, product, story, host }: Scene): Promise<void> {
  const inGit = Number(execFileSync('git', ['rev-list', '--count', 'main'], { cwd: story.path }).toString());
  const path = `${host.provider}/${encodeURIComponent(host.path)}`;
  await expect(async () => expect(await commitsOf(page, product.url, path)).toBe(inGit)).toPass({ timeout: 120_000 });
}

async function fillToken({ page, host }: Scene, token: string): Promise<void> {
  const drawer = page.getByRole('dialog');
  if (host.account !== undefined) await drawer.getByLabel('User name').fill(host.account);
  await drawer.getByLabel('Access token').fill(token);
  await drawer.getByRole('button', { name: 'Connect', exact: true }).click();
}

async function fillNewToken(scene: Scene): Promise<void> {
  const { token } = (await control(scene, `${scene.host.provider}/token`, { login: 'ada' })) as { token: string };
  await fillToken(scene, token);
}

async function connect(scene: Scene): Promise<void> {
  const { page, host } = scene;
  await page.getByRole('link', { name: `Connect ${host.name}` }).click();
  const drawer = page.getByRole('dialog');
  const setSignInPage = (isShown: boolean) => control(scene, `${host.provider}/sign-in`, { page: isShown });
  if (host.hasSignInPage) await setSignInPage(true);
  await fillToken(scene, wrongToken);
  await expect(drawer.getByText(/rejects this token/).first()).toBeVisible();
  await expect(drawer.getByLabel('Access token')).toHaveValue(wrongToken);
  if (host.hasSignInPage) await setSignInPage(false);
  await expectAccessible(page, `connecting ${host.name}`);
  await fillNewToken(scene);
  await checkboxOf(scene).check();
  await drawer.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText(/^Connection succeeded\./)).toBeVisible();
  await expectAccessible(page, `selecting scopes of ${host.name}`);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/onboarding\/setup\/3/);
  await page.goto(integrations);
  await page.getByRole('button', { name: 'Connect Sandbox GitHub' }).click();
  await page.getByRole('button', { name: /^install/i }).click();
  await expect(page.getByRole('button', { name: 'Manage GitHub' })).toBeVisible();
}

async function importThroughLimit(scene: Scene): Promise<void> {
  const { page, product, host } = scene;
  const card = cardOf(scene);
  await fault(scene, { status: 429, retryAfter: 10, times: 1 });
  await control(scene, `${host.provider}/repeated-page`, { match: host.repeatedList });
  await enableAll(page, product.url);
  await page.goto(integrations);
  await expect(card.getByText(/^Rate limited until/)).toBeVisible({ timeout: 60_000 });
  await expect(card.getByText(/^Rate limited until/)).toBeHidden({ timeout: 60_000 });
  await expect(card.getByText(/^Importing 1 repository/)).toBeVisible();
  await control(scene, `${host.provider}/repeated-page`, { match: null });
  await expectCaughtUp(scene);
  await expect(card.getByText(/^Active/)).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page, `integrations with ${host.name}`);
}

async function breakServer(scene: Scene): Promise<void> {
  const { page, product, story, host } = scene;
  await fault(scene, { status: 500, times: host.isPolled ? 1000 : 12 });
  await story.commit('During an error', { 'error.txt': '1\n' });
  if (host.isPolled) {
    await page.goto(integrations);
    await expect(cardOf(scene).getByText('Failing', { exact: true })).toBeVisible(cardTimeout(scene));
    await expect(cardOf(scene).getByText(/fails to answer requests about 1 repository/)).toBeVisible();
  } else
    await expect(async () => {
      const deliveries = await page.request.get(`${sandboxOf(product)}/_sandbox/${host.provider}/deliveries`);
      expect(((await deliveries.json()) as unknown[]).length).toBeGreaterThan(0);
    }).toPass();
  await endFaults(scene);
  await fault(scene, { delayMs: 2000, times: 3 });
  await story.commit('While it is slow', { 'slow.txt': '1\n' });
  await expectCaughtUp(scene);
  await endFaults(scene);
  if (host.isPolled) await expect(cardOf(scene).getByText(/^Active/)).toBeVisible(cardTimeout(scene));
}

async function revokeToken(scene: Scene): Promise<void> {
  const { page, story, host } = scene;
  await control(scene, `${host.provider}/revoke-tokens`, {});
  await story.commit('Without access', { 'revoked.txt': '1\n' });
  await page.goto(integrations);
  await expect(cardOf(scene).getByText('Failing', { exact: true })).toBeVisible(cardTimeout(scene));
  await expect(cardOf(scene).getByText(/does not take our access any more/)).toBeVisible();
  await cardOf(scene)
    .getByRole('button', { name: /^Manage/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Connection failed')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Connect again' }).click();
  await fillNewToken(scene);
  await expect(checkboxOf(scene)).toBeChecked();
  await page.goto(integrations);
  await expect(cardOf(scene).getByText(/^Active/)).toBeVisible({ timeout: 60_000 });
  await story.commit('With access again', { 'again.txt': '1\n' });
  await expectCaughtUp(scene);
}
