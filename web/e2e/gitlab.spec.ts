import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
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

/** Commits of the default branch as git has them. */
const ofGit = () => Number(execFileSync('git', ['rev-list', '--count', 'main'], { cwd: story.path }).toString());

test('an owner connects GitLab, picks a group, and sees what GitHub tells of the same repository', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' })).newPage();
  await signUp(page, product.url);
  await createOrganization(page, 'Kestrel Payments');
  await connectSandbox(page);

  await page.goto(integrations);
  await page.getByRole('button', { name: 'Connect GitLab' }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('heading', { name: 'Connect GitLab' })).toBeVisible();
  await expectAccessible(page, 'connecting GitLab');
  await drawer.getByRole('button', { name: 'Sign in with GitLab' }).click();
  await page.getByRole('button', { name: /^ada/ }).click();

  await expect(page).toHaveURL(/setup=gitlab/);
  await expect(drawer.getByText('by ada, signed in')).toBeVisible();
  await drawer.getByRole('checkbox', { name: 'sandbox', exact: true }).check();
  await expect(drawer.getByRole('checkbox', { name: /^sandbox\/code/ })).toBeDisabled();
  await expectAccessible(page, 'picking groups');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/organization\/repositories/);
  await page.getByRole('button', { name: 'Enable repositories' }).click();
  await expect(page.getByText('sandbox/code').first()).toBeVisible();
  await enableAll(page, product.url);

  const gitlab = 'gitlab/sandbox%2Fcode%2Fwidgets';
  const counts = await readIn(page, product.url, gitlab);
  expect(counts).toEqual(await readIn(page, product.url, 'github/sandbox%2Fwidgets'));
  expect(counts.commits).toBe(ofGit());
  expect(await pullsOf(page, product.url, gitlab)).toEqual(
    await pullsOf(page, product.url, 'github/sandbox%2Fwidgets'),
  );

  // The path of groups stands in the address as it is.
  await page.goto('/repository/gitlab/sandbox/code/widgets');
  await expect(page.getByRole('heading', { name: /widgets/ }).first()).toBeVisible();

  // A webhook of our own tells of what comes next.
  await expect(async () => {
    const { connection } = await askAs<{ connection: { webhooks: { made: number } } }>(
      page,
      product.url,
      '/v2/integrations/gitlab/connection',
    );
    expect(connection.webhooks.made).toBe(1);
  }).toPass();
  await story.commit('Say hello to GitLab', { 'hello.txt': 'hello' });
  await expect(async () => {
    const { counts: now } = await askAs<{ counts: { commits: number } }>(
      page,
      product.url,
      `/v2/repositories/${gitlab}`,
    );
    expect(now.commits).toBe(ofGit());
  }).toPass();

  await page.goto(`${integrations}?setup=gitlab`);
  await drawer.getByRole('button', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('dialog', { name: 'Disconnect GitLab?' });
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('GitLab is disconnected.')).toBeVisible();
  // Its webhook is taken away there.
  const sandbox = new URL(product.url);
  sandbox.port = String(Number(sandbox.port) + 1);
  await expect(async () => {
    const hooks = await (await page.request.get(`http://127.0.0.1:${sandbox.port}/_sandbox/gitlab/hooks`)).json();
    expect(hooks).toEqual([]);
  }).toPass();
  await page.context().close();
});
