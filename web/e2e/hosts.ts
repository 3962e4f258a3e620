import { expect, type Page } from '@playwright/test';
import { authorization } from './steps.ts';

/** What the product answers to a question of this page's owner. */
export const askAs = async <Answer>(page: Page, url: string, path: string): Promise<Answer> => {
  const answer = await page.request.get(`${url}/api${path}`, { headers: await authorization(page) });
  return (await answer.json()) as Answer;
};

/** Waits until a repository is read in; answers its counts. `path`: `github/acme%2Fapi`. */
export async function readIn(page: Page, url: string, path: string) {
  let found = { import: { state: '' }, counts: { commits: 0, pullRequests: 0, contributors: 0 } };
  await expect(async () => {
    found = await askAs(page, url, `/v2/repositories/${path}`);
    expect(found.import.state).toBe('done');
  }).toPass({ timeout: 120_000 });
  return found.counts;
}

type Pull = { number: number; title: string; status: string; author: { name: string } };

/** The pull requests of a repository, without what names the host. */
export const pullsOf = async (page: Page, url: string, path: string) =>
  (await askAs<Pull[]>(page, url, `/v2/repositories/${path}/pull-requests?statuses=in-progress,accepted,closed`)).map(
    ({ number, title, status, author }) => ({ number, title, status, author: author.name }),
  );

/** Enables every repository that is offered. */
export async function enableAll(page: Page, url: string): Promise<void> {
  const { providerRepos } = await askAs<{ providerRepos: Record<string, Record<string, { id: string }[]>> }>(
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
    headers: await authorization(page),
    data: { providerRepos: Object.fromEntries(chosen) },
  });
  expect(answer.ok()).toBe(true);
}
