import { execFileSync } from 'node:child_process';
import { expect, type Page, test } from '@playwright/test';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { expectAccessible } from './accessible.ts';
import { type Product, startProduct } from './server.ts';
import { authorization, connectSandbox, createOrganization, signUp } from './steps.ts';

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

const ask = async <Answer>(page: Page, path: string): Promise<Answer> => {
  const answer = await page.request.get(`${product.url}/api${path}`, { headers: await authorization(page) });
  return (await answer.json()) as Answer;
};

/** Commits of the default branch as git has them, and what the product tells of the repository on a host. */
const ofGit = () => Number(execFileSync('git', ['rev-list', '--count', 'main'], { cwd: story.path }).toString());
const readIn = async (page: Page, path: string) => {
  let found = { import: { state: '' }, counts: { commits: 0, pullRequests: 0, contributors: 0 } };
  await expect(async () => {
    found = await ask(page, `/v2/repositories/${path}`);
    expect(found.import.state).toBe('done');
  }).toPass({ timeout: 120_000 });
  return found.counts;
};
type Pull = { number: number; title: string; status: string; author: { name: string } };
const pulls = async (page: Page, path: string) =>
  (await ask<Pull[]>(page, `/v2/repositories/${path}/pull-requests?statuses=in-progress,accepted,closed`)).map(
    ({ number, title, status, author }) => ({ number, title, status, author: author.name }),
  );

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
  await expect(drawer.getByRole('checkbox', { name: 'sandbox/code' })).toBeDisabled();
  await expectAccessible(page, 'picking groups');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/organization\/repositories/);
  await page.getByRole('button', { name: 'Enable repositories' }).click();
  await expect(page.getByText('sandbox/code').first()).toBeVisible();
  await enable(page);

  const gitlab = 'gitlab/sandbox%2Fcode%2Fwidgets';
  const counts = await readIn(page, gitlab);
  expect(counts).toEqual(await readIn(page, 'github/sandbox%2Fwidgets'));
  expect(counts.commits).toBe(ofGit());
  expect(await pulls(page, gitlab)).toEqual(await pulls(page, 'github/sandbox%2Fwidgets'));

  // The path of groups stands in the address as it is.
  await page.goto('/repository/gitlab/sandbox/code/widgets');
  await expect(page.getByRole('heading', { name: /widgets/ }).first()).toBeVisible();

  // A webhook of our own tells of what comes next.
  await expect(async () => {
    const { connection } = await ask<{ connection: { webhooks: { made: number } } }>(
      page,
      '/v2/integrations/gitlab/connection',
    );
    expect(connection.webhooks.made).toBe(1);
  }).toPass();
  await story.commit('Say hello to GitLab', { 'hello.txt': 'hello' });
  await expect(async () => {
    const { counts: now } = await ask<{ counts: { commits: number } }>(page, `/v2/repositories/${gitlab}`);
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

/** Enables every repository that is offered. */
async function enable(page: Page): Promise<void> {
  const headers = await authorization(page);
  const { providerRepos } = await ask<{ providerRepos: Record<string, Record<string, { id: string }[]>> }>(
    page,
    '/v2/auth0mgm/org/repos',
  );
  const body = Object.fromEntries(
    Object.entries(providerRepos).map(([provider, owners]) => [
      provider,
      Object.fromEntries(
        Object.entries(owners).map(([owner, all]) => [owner, all.map(({ id }) => ({ id, tracked: true }))]),
      ),
    ]),
  );
  const answer = await page.request.post(`${product.url}/api/v2/auth0mgm/org/repos`, {
    headers,
    data: { providerRepos: body },
  });
  expect(answer.ok()).toBe(true);
}
