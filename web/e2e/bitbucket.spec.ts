import { execFileSync } from 'node:child_process';
import { expect, type Page, test } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { askAs, enableAll, pullsOf, readIn } from './hosts.ts';
import { type Product, startProduct } from './server.ts';
import { connectSandbox, createOrganization, signUp } from './steps.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let product: Product;

test.beforeAll(async () => {
  story = await createStory('widgets');
  product = await startProduct([story.path]);
});
test.afterAll(async () => {
  await product.stop();
  await story.remove();
});

const integrations = '/integrations/source-code-management';
const repository = 'bitbucket/sandbox%2Fwidgets';

const ofGit = () => Number(execFileSync('git', ['rev-list', '--count', 'main'], { cwd: story.path }).toString());

/** The sandbox beside the product. */
const sandbox = () => {
  const url = new URL(product.url);
  return `http://127.0.0.1:${Number(url.port) + 1}`;
};

/** Makes an API token as somebody would on the pages of Bitbucket; answers it with their address. */
async function tokenOf(page: Page, login: string): Promise<{ email: string; token: string }> {
  const pages = await page.context().newPage();
  await pages.goto(`${sandbox()}/bitbucket/account/api-tokens`);
  await expect(pages.getByText('Sandbox Bitbucket')).toBeVisible();
  await pages.getByRole('button', { name: new RegExp(`^${login}`) }).click();
  const [email = '', token = ''] = await pages.locator('code').allTextContents();
  await pages.close();
  return { email, token };
}

test('an owner connects Bitbucket by a token, picks a workspace, and sees what GitHub tells of the same repository', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
  await signUp(page, product.url);
  await createOrganization(page, 'Kestrel Payments');
  await connectSandbox(page);
  const { email, token } = await tokenOf(page, 'ada');

  await page.goto(integrations);
  await page.getByRole('button', { name: 'Connect Bitbucket' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Use an access token' }).click();
  await drawer.getByLabel('Access token').fill(token);
  // Without its address the token says nothing, and what was typed stays.
  await drawer.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(drawer.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(drawer.getByLabel('Access token')).toHaveValue(token);
  await expectAccessible(page, 'connecting Bitbucket');
  await drawer.getByLabel('Email').fill(email);
  await drawer.getByRole('button', { name: 'Connect', exact: true }).click();

  await drawer.getByRole('checkbox', { name: 'sandbox' }).check();
  await expectAccessible(page, 'picking workspaces');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/organization\/repositories/);
  await enableAll(page, product.url);

  const counts = await readIn(page, product.url, repository);
  expect(counts).toEqual(await readIn(page, product.url, 'github/sandbox%2Fwidgets'));
  expect(counts.commits).toBe(ofGit());
  expect(await pullsOf(page, product.url, repository)).toEqual(
    await pullsOf(page, product.url, 'github/sandbox%2Fwidgets'),
  );
  await page.goto('/repository/bitbucket/sandbox/widgets');
  await expect(page.getByRole('heading', { name: /widgets/ }).first()).toBeVisible();

  // A webhook of our own tells of what comes next.
  const connection = '/v2/integrations/bitbucket/connection';
  await expect(async () => {
    const state = await askAs<{ connection: { webhooks: { made: number } } }>(page, product.url, connection);
    expect(state.connection.webhooks.made).toBe(1);
  }).toPass();
  await story.commit('Say hello to Bitbucket', { 'hello.txt': 'hello' });
  await expect(async () => {
    const now = await askAs<{ counts: { commits: number } }>(page, product.url, `/v2/repositories/${repository}`);
    expect(now.counts.commits).toBe(ofGit());
  }).toPass();

  await page.goto(`${integrations}?setup=bitbucket`);
  await drawer.getByRole('button', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('dialog', { name: 'Disconnect Bitbucket?' });
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('Bitbucket is disconnected.')).toBeVisible();
  await expect(async () => {
    expect(await (await page.request.get(`${sandbox()}/_sandbox/bitbucket/hooks`)).json()).toEqual([]);
  }).toPass();
  await page.context().close();
});
