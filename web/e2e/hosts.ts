import { execFileSync } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import type { ConnectableHost } from '../../contract/src/core/providers.ts';
import type { createStory } from '../../sandbox/src/testing/repository.ts';
import { type Product, sandboxOf } from './server.ts';
import { authorizationHeader } from './steps.ts';

export interface Host {
  provider: ConnectableHost;
  name: string;
  /** Path of the repository that GitHub calls sandbox/widgets. */
  path: string;
  /** Whether it sends no webhooks. The product then reads it every minute. */
  isPolled?: boolean;
  /** Whether each commit of a branch is a change of its own, as on Gerrit. */
  hasSeries?: boolean;
}

/**
 * After a host was connected and scopes were selected: expects the same data as from GitHub, webhooks for later
 * changes, and removal of the webhooks on disconnecting.
 */
export async function expectHostConnection(
  page: Page,
  product: Product,
  story: Awaited<ReturnType<typeof createStory>>,
  { provider, name, path, isPolled = false, hasSeries = false }: Host,
): Promise<void> {
  const { url } = product;
  const [there, onGithub] = [`${provider}/${encodeURIComponent(path)}`, 'github/sandbox%2Fwidgets'];
  // Number of commits of the default branch in git.
  const ofGit = () => Number(execFileSync('git', ['rev-list', '--count', 'main'], { cwd: story.path }).toString());
  await enableAll(page, url);
  const counts = await waitForImport(page, url, there);
  const { pullRequests, ...others } = await waitForImport(page, url, onGithub);
  expect(counts).toMatchObject(others);
  expect(counts.commits).toBe(ofGit());
  const pulls = await pullsOf(page, url, onGithub);
  expect(pulls).toHaveLength(pullRequests);
  const numbers = new Set(pulls.map(({ number }) => number));
  const found = await pullsOf(page, url, there);
  expect(found).toHaveLength(counts.pullRequests);
  const ofBoth = found.filter(({ number }) => !hasSeries || numbers.has(number));
  // Without the accounts of authors of commits, the name of an account is its login.
  const withoutName = ({ author: _, ...pull }: (typeof pulls)[number]) => pull;
  expect(hasSeries ? ofBoth.map(withoutName) : ofBoth).toEqual(hasSeries ? pulls.map(withoutName) : pulls);
  // The path in the URL contains plain slashes.
  await page.goto(`/repository/${provider}/${path}`);
  await expect(page.getByRole('heading', { name: /widgets/ }).first()).toBeVisible();

  if (!isPolled)
    await expect(async () => {
      const { connection } = await fetchAs<{ connection: { webhooks: { created: number } } }>(
        page,
        url,
        `/v2/integrations/${provider}/connection`,
      );
      expect(connection.webhooks.created).toBe(1);
    }).toPass();
  await story.commit(`Say hello to ${name}`, { 'hello.txt': 'hello' });
  await expect(async () => {
    const now = await fetchAs<{ counts: { commits: number } }>(page, url, `/v2/repositories/${there}`);
    expect(now.counts.commits).toBe(ofGit());
  }).toPass(isPolled ? { timeout: 120_000 } : {});

  await page.goto(`/integrations/source-code-management?setup=${provider}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('dialog', { name: `Disconnect ${name}?` });
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText(`${name} is disconnected.`)).toBeVisible();
  if (isPolled) return;
  await expect(async () => {
    const hooks = await page.request.get(`${sandboxOf(product)}/_sandbox/${provider}/hooks`);
    expect(await hooks.json()).toEqual([]);
  }).toPass();
}

/** Sends an API request as this page's owner. */
const fetchAs = async <Answer>(page: Page, url: string, path: string): Promise<Answer> => {
  const answer = await page.request.get(`${url}/api${path}`, { headers: await authorizationHeader(page) });
  return (await answer.json()) as Answer;
};

/** Waits until a repository is imported and returns its counts. `path`: `github/acme%2Fapi`. */
async function waitForImport(page: Page, url: string, path: string) {
  let found = { import: { state: '' }, counts: { commits: 0, pullRequests: 0, contributors: 0 } };
  await expect(async () => {
    found = await fetchAs(page, url, `/v2/repositories/${path}`);
    expect(found.import.state).toBe('done');
  }).toPass({ timeout: 120_000 });
  return found.counts;
}

type Pull = { number: number; title: string; status: string; author: { name: string } };

/** The pull requests of a repository, without fields that name the host. */
const pullsOf = async (page: Page, url: string, path: string) =>
  (await fetchAs<Pull[]>(page, url, `/v2/repositories/${path}/pull-requests?statuses=in-progress,accepted,closed`)).map(
    ({ number, title, status, author }) => ({ number, title, status, author: author.name }),
  );

/** The number of commits of an imported repository. `path`: `github/acme%2Fapi`. */
export const commitsOf = async (page: Page, url: string, path: string): Promise<number> =>
  (await fetchAs<{ counts: { commits: number } }>(page, url, `/v2/repositories/${path}`)).counts.commits;

/** Enables all offered repositories. */
export async function enableAll(page: Page, url: string): Promise<void> {
  const { providerRepos } = await fetchAs<{ providerRepos: Record<string, Record<string, { id: string }[]>> }>(
    page,
    url,
    '/v2/auth0mgm/org/repos',
  );
  const chosen = Object.entries(providerRepos).map(([provider, owners]) => [
    provider,
    Object.fromEntries(
      Object.entries(owners).map(([owner, all]) => [owner, all.map(({ id }) => ({ id, tracked: true }))]),
    ),
  ]);
  const answer = await page.request.post(`${url}/api/v2/auth0mgm/org/repos`, {
    headers: await authorizationHeader(page),
    data: { providerRepos: Object.fromEntries(chosen) },
  });
  expect(answer.ok()).toBe(true);
}
