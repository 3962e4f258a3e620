import { createRepository, createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import { runWithReserve } from '#providers/host-budget.ts';
import type { HostRef } from '../host-facts.ts';
import { createGithub, type Github } from './github.ts';
import { type SandboxGithub, startSandboxGithub } from './sandbox.fixture.ts';

let sandbox: SandboxGithub;
let github: Github;
let installationId: string;
let story: Awaited<ReturnType<typeof createStory>>;
const long = createRepository('long');
const empty = createRepository('empty');
const ref = (name: string): HostRef => ({ installationId, owner: 'sandbox', name });

beforeAll(async () => {
  story = await createStory();
  await empty.start();
  await long.start();
  for (let number = 1; number <= 103; number += 1) long.git(['commit', '--allow-empty', '-m', `Step ${number}`]);
  sandbox = await startSandboxGithub([story.path, long.path, empty.path]);
  github = createGithub(sandbox.config);
  installationId = String(sandbox.install().id);
});
afterAll(async () => {
  await sandbox.close();
  for (const repository of [story, long, empty]) await repository.remove();
});

test('lists the repositories of an installation', async () => {
  const { items, next, total } = await github.listRepositories(installationId, null);
  expect(items.map((item) => item.fullName).sort()).toEqual(['sandbox/empty', 'sandbox/long', 'sandbox/widgets']);
  expect({ next, total }).toEqual({ next: null, total: 3 });
  const widgets = items.find((item) => item.name === 'widgets');
  expect(widgets).toMatchObject({ owner: 'sandbox', defaultBranch: 'main', isPrivate: true });
  expect(widgets?.pushedAt).toMatch(/^2024-01-01T09:\d\d:00\.000Z$/);
  expect(await github.getRepository(ref('widgets'))).toEqual(widgets);
});

test('lists commits newest first, page by page, and counts them once', async () => {
  const first = await github.listCommits(ref('long'), 'main', null);
  expect([first.items.length, first.next, first.total]).toEqual([100, '2', 103]);
  expect(first.items[0]?.message).toBe('Step 103');
  const second = await github.listCommits(ref('long'), 'main', first.next);
  expect([second.items.length, second.next, second.total]).toEqual([3, null, null]);
  const short = await github.listCommits(ref('widgets'), 'main', null);
  expect(short.total).toBe(short.items.length);
  expect(short.items[0]).not.toHaveProperty('changes');
});

test('returns no commits and no error for an empty repository', async () => {
  expect(await github.listCommits(ref('empty'), 'main', null)).toEqual({ items: [], next: null, total: 0 });
});

test('reads a commit with its changes, its author and committer, and UTC times', async () => {
  const sha = story.git(['rev-parse', 'main~2^{commit}']);
  const commit = await github.getCommit(ref('widgets'), sha);
  expect(commit).toMatchObject({
    sha,
    message: 'Drop a picture in',
    author: { email: 'ada@example.org', login: 'ada' },
  });
  expect(commit.authoredAt).toMatch(/Z$/);
  expect(commit.parents).toHaveLength(1);
  expect(commit.changes?.files).toEqual([{ path: 'logo.bin', status: 'added', additions: 0, deletions: 0 }]);
  const moved = await github.getCommit(ref('widgets'), story.git(['rev-parse', 'main~1^2']));
  expect(moved.changes?.files).toMatchObject([{ path: 'src/start.ts', status: 'renamed' }]);
});

test('compares two commits, oldest first', async () => {
  const [base, head] = [long.git(['rev-parse', 'main~101']), long.git(['rev-parse', 'main'])];
  const commits = await github.compareCommits(ref('long'), base, head);
  expect([commits.length, commits[0]?.message, commits.at(-1)?.sha]).toEqual([101, 'Step 3', head]);
  expect(commits[0]).not.toHaveProperty('changes');
});

test('reads pull requests with their state, merge and reviews', async () => {
  const { items, next, total } = await github.listPullRequests(ref('widgets'), null);
  expect({ next, total }).toEqual({ next: null, total: items.length });
  const merged = await github.getPullRequest(ref('widgets'), 7);
  expect(merged.pullRequest).toMatchObject({
    number: 7,
    title: 'Let people in',
    state: 'accepted',
    mergeSha: expect.stringMatching(/^[0-9a-f]{40}$/),
    closedBy: null,
    commits: 2,
    author: { isAgent: false },
  });
  expect(merged.reviews).toMatchObject([{ state: 'approved', user: { login: 'bob' } }]);
  const open = items.find(({ number }) => ![7, 12].includes(number));
  const { pullRequest } = await github.getPullRequest(ref('widgets'), open?.number ?? 0);
  expect(pullRequest).toMatchObject({ state: 'in-progress', mergedAt: null, mergeSha: null, headRef: 'wip/search' });
});

test('reads many pull requests with the same result as each one, and omits those that the host does not return', async () => {
  const { items } = await github.listPullRequests(ref('widgets'), null);
  const numbers = items.map(({ number }) => number);
  const found = await github.getPullRequests(ref('widgets'), [...numbers, 4_000]);
  expect([...found.keys()].toSorted()).toEqual(numbers.toSorted());
  for (const [number, read] of found) expect(read).toEqual(await github.getPullRequest(ref('widgets'), number));
  await sandbox.control('faults', { match: '/graphql', status: 502, times: 3 });
  expect(await github.getPullRequests(ref('widgets'), numbers)).toEqual(new Map());
});

test('reports a refusal without exposing tokens', async () => {
  const refused = await github.getRepository(ref('nothing')).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(HostRefused);
  expect(refused).toMatchObject({ status: 404 });
  const unknown = await github.getCommit(ref('widgets'), 'f'.repeat(40)).catch((error: unknown) => error);
  expect(unknown).toMatchObject({ status: 422 });
  for (const error of [refused, unknown]) expect(JSON.stringify({ ...(error as Error) })).not.toMatch(/gh[su]_|token/);
  await expect(github.listRepositories('999', null)).rejects.toMatchObject({ status: 404 });
});

test('waits out a short rate limit and reports a long one to the caller', { tags: 'full' }, async () => {
  await sandbox.control('faults', { match: '/repos/sandbox/widgets$', status: 403, retryAfter: 1 });
  expect(await github.getRepository(ref('widgets'))).toMatchObject({ name: 'widgets' });
  await sandbox.control('faults', { match: '/repos/sandbox/widgets$', status: 429, retryAfter: 120 });
  const limited = await github.getRepository(ref('widgets')).catch((error: unknown) => error);
  expect(limited).toBeInstanceOf(HostLimited);
  const { until } = limited as HostLimited;
  expect(Math.abs(until.getTime() - Date.now() - 120_000)).toBeLessThan(60_000);

  await expect(github.getRepository(ref('widgets'))).rejects.toMatchObject({ until });

  await sandbox.control('rate-limit', { remaining: 0, resetInSeconds: 3600 });
  github = createGithub(sandbox.config);
  await expect(github.listCommits(ref('widgets'), 'main', null)).rejects.toBeInstanceOf(HostLimited);
  await sandbox.control('rate-limit', { remaining: 1000, resetInSeconds: 3600 });
  github = createGithub(sandbox.config);
});

test('reserves a share of the requests for webhooks and commit lists', async () => {
  await sandbox.control('rate-limit', { remaining: 3100, resetInSeconds: 3600 });
  await github.getRepository(ref('widgets'));
  await sandbox.control('rate-limit', { remaining: 3001, resetInSeconds: 3600 });
  await github.getRepository(ref('widgets'));
  await expect(github.getRepository(ref('widgets'))).rejects.toBeInstanceOf(HostLimited);
  expect(await runWithReserve(() => github.getRepository(ref('widgets')))).toMatchObject({ name: 'widgets' });
  await sandbox.control('rate-limit', { remaining: 15_000, resetInSeconds: 3600 });
  github = createGithub(sandbox.config);
});

test('retries after a server error of the host', async () => {
  await sandbox.control('faults', { match: '/repos/sandbox/widgets$', status: 502 });
  expect(await github.getRepository(ref('widgets'))).toMatchObject({ name: 'widgets' });
});

test('follows a renamed repository but never a redirect to another host', async () => {
  await sandbox.control('rename', { repository: 'sandbox/empty', name: 'void' });
  expect(await github.getRepository(ref('empty'))).toMatchObject({ fullName: 'sandbox/void' });
  sandbox.sandbox.host.url = sandbox.sandbox.url.replace('127.0.0.1', 'localhost');
  await expect(github.getRepository(ref('empty'))).rejects.toThrow(
    /redirected to http:\/\/localhost:\d+, which is not/,
  );
});
