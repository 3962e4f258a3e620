import { createRepository, createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { type CodeHost, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { GrantedHost } from '../connectable.ts';
import { createGithub } from '../github/github.ts';
import type { HostRef } from '../host-facts.ts';
import { baseURLFrom, openGitlab } from './gitlab.ts';
import { type SandboxGitlab, startSandboxGitlab } from './sandbox.fixture.ts';

let sandbox: SandboxGitlab;
let gitlab: GrantedHost;
let group: string;
let story: Awaited<ReturnType<typeof createStory>>;
const long = createRepository('long');
const empty = createRepository('empty');
const ref = (name: string): HostRef => ({ installationId: group, owner: 'sandbox/code', name });

beforeAll(async () => {
  story = await createStory();
  await empty.start();
  await long.start();
  for (let number = 1; number <= 103; number += 1) long.git(['commit', '--allow-empty', '-m', `Step ${number}`]);
  sandbox = await startSandboxGitlab([story.path, long.path, empty.path]);
  gitlab = sandbox.open(sandbox.tokenOf());
  group = (await gitlab.look()).places[0]?.id ?? '';
});
afterAll(async () => {
  await sandbox.close();
  for (const repository of [story, long, empty]) await repository.remove();
});

test('returns the owner of a token and the groups available for selection', async () => {
  const { login, scopes, missing, places } = await gitlab.look();
  expect({ login, scopes, missing }).toEqual({ login: 'ada', scopes: ['api'], missing: [] });
  expect(places.map(({ kind, path }) => [kind, path])).toEqual([
    ['group', 'sandbox'],
    ['group', 'sandbox/code'],
  ]);
  const reader = await sandbox.open(sandbox.tokenOf('bob', ['read_api'])).look();
  expect(reader.missing).toEqual([expect.stringContaining('cannot create webhooks')]);
  await expect(sandbox.open(sandbox.tokenOf('bob', ['read_user'])).look()).rejects.toMatchObject({ status: 403 });
});

test.each([
  ['gitlab.example.com', 'https://gitlab.example.com'],
  ['https://gitlab.example.com/', 'https://gitlab.example.com'],
  ['https://example.com/gitlab/api/v4', 'https://example.com/gitlab'],
  ['http://localhost:8080/?a=b#c', 'http://localhost:8080'],
  ['ftp://example.com', undefined],
  ['https://user:password@example.com', undefined],
  ['two words', undefined],
])('normalizes %s to the instance at %s', (entered, url) => {
  expect(baseURLFrom(entered)).toBe(url);
});

test('lists the projects of a group and its subgroups', async () => {
  const { items, next, total } = await gitlab.listRepositories(group, null);
  expect(items.map((item) => item.fullName).sort()).toEqual([
    'sandbox/code/empty',
    'sandbox/code/long',
    'sandbox/code/widgets',
  ]);
  expect({ next, total }).toEqual({ next: null, total: 3 });
  const widgets = items.find((item) => item.name === 'widgets');
  expect(widgets).toMatchObject({ owner: 'sandbox/code', defaultBranch: 'main', isPrivate: true });
  expect(await gitlab.getRepository(ref('widgets'))).toEqual(widgets);
});

test('lists commits newest first, page by page, and counts them once', async () => {
  const first = await gitlab.listCommits(ref('long'), 'main', null);
  expect([first.items.length, first.next, first.total]).toEqual([100, '2', 103]);
  expect(first.items[0]).toMatchObject({ message: 'Step 103', author: { email: 'ada@example.org' } });
  const second = await gitlab.listCommits(ref('long'), 'main', first.next);
  expect([second.items.length, second.next, second.total]).toEqual([3, null, null]);
});

test('compares two commits, oldest first', async () => {
  const [base, head] = [long.git(['rev-parse', 'main~101']), long.git(['rev-parse', 'main'])];
  const commits = await gitlab.compareCommits(ref('long'), base, head);
  expect([commits.length, commits[0]?.message, commits.at(-1)?.sha]).toEqual([101, 'Step 3', head]);
});

test('returns the same commits and pull requests as GitHub for the same repository', async () => {
  const github: CodeHost = createGithub(sandbox.config);
  const onGithub: HostRef = { installationId: String(sandbox.install().id), owner: 'sandbox', name: 'widgets' };
  const commits = async (host: CodeHost, at: HostRef) => (await host.listCommits(at, 'main', null)).items;
  const onGitlab = await commits(gitlab, ref('widgets'));
  expect(onGitlab).toEqual(await commits(github, onGithub));
  expect(onGitlab.map(({ author: { login } }) => login)).toContain('zoe-a');
  for (const { sha } of onGitlab) {
    expect(await gitlab.getCommit(ref('widgets'), sha)).toEqual(await github.getCommit(onGithub, sha));
  }
  const listed = (await gitlab.listPullRequests(ref('widgets'), null)).items;
  const numbers = listed.map(({ number }) => number);
  expect(numbers.length).toBeGreaterThan(3);
  expect(numbers).toEqual((await github.listPullRequests(onGithub, null)).items.map(({ number }) => number));
  for (const number of numbers) {
    const [one, other] = [
      await gitlab.getPullRequest(ref('widgets'), number),
      await github.getPullRequest(onGithub, number),
    ];
    // Only GitLab reports the common ancestor with the target.
    const { url, mergeBase } = one.pullRequest;
    expect(mergeBase).toMatch(/^[0-9a-f]{40}$/);
    expect(one.pullRequest).toEqual({ ...other.pullRequest, url, mergeBase });
    const comparable = (reviews: typeof one.reviews) =>
      reviews.map(({ user, state, submittedAt }) => ({ user, state, submittedAt }));
    expect(comparable(one.reviews)).toEqual(comparable(other.reviews));
  }
});

test('reads many merge requests and changes in fewer requests, with the same result as each one', async () => {
  const numbers = (await gitlab.listPullRequests(ref('widgets'), null)).items.map(({ number }) => number);
  const found = await gitlab.getPullRequests?.(ref('widgets'), [...numbers, 4_000]);
  expect([...(found?.keys() ?? [])].toSorted()).toEqual(numbers.toSorted());
  for (const [number, { pullRequest, reviews }] of found ?? []) {
    expect(reviews).toBeUndefined();
    const { notes, ...read } = await gitlab.getPullRequest(ref('widgets'), number);
    expect({ pullRequest, reviews: await gitlab.getReviews?.(ref('widgets'), pullRequest) }).toEqual(read);
    const timeline = await gitlab.evidence?.timelineOf(ref('widgets'), number);
    expect(await gitlab.evidence?.timelineOf(ref('widgets'), number, { notes: notes ?? [] })).toEqual(timeline);
  }
  for (const { sha } of (await gitlab.listCommits(ref('widgets'), 'main', null)).items)
    expect(await gitlab.getChanges?.(ref('widgets'), sha)).toEqual(
      (await gitlab.getCommit(ref('widgets'), sha)).changes,
    );
});

test('reads the head of a branch, the tree, files and their blame', async () => {
  const head = await gitlab.headOf(ref('widgets'), 'main');
  expect(head).toBe(story.git(['rev-parse', 'main']));
  const tree = await gitlab.listTree(ref('widgets'), head);
  expect(tree.map(({ path }) => path).sort()).toEqual(
    story.git(['-c', 'core.quotePath=false', 'ls-files']).split('\n').sort(),
  );
  const login = tree.find(({ path }) => path === 'src/login.ts');
  expect((await gitlab.readBlob(ref('widgets'), login?.blob ?? '')).toString()).toBe('one\ntwo\n');
  expect((await gitlab.readFile(ref('widgets'), head, 'docs/naïve ☃.md')).toString()).toBe('snow\n');
  await expect(gitlab.readFile(ref('widgets'), head, 'nowhere')).rejects.toMatchObject({ status: 404 });
  const blame = await gitlab.blame?.(ref('widgets'), head, ['src/login.ts', 'nowhere']);
  expect([...(blame?.keys() ?? [])]).toEqual(['src/login.ts']);
  expect(blame?.get('src/login.ts')).toMatchObject([{ from: 1, to: 2, commit: { message: 'Add login' } }]);
});

test('returns no commits, pull requests or error for an empty repository', async () => {
  expect(await gitlab.listCommits(ref('empty'), 'main', null)).toEqual({ items: [], next: null, total: 0 });
  expect((await gitlab.listPullRequests(ref('empty'), null)).items).toEqual([]);
});

test('reports a refusal without exposing tokens', async () => {
  const refused = await gitlab.getRepository(ref('nothing')).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(HostRefused);
  expect(refused).toMatchObject({ status: 404 });
  const revoked = await sandbox
    .open('glpat-revoked')
    .getRepository(ref('widgets'))
    .catch((error: unknown) => error);
  expect(revoked).toMatchObject({ status: 401 });
  for (const error of [refused, revoked]) expect(JSON.stringify({ ...(error as Error) })).not.toMatch(/glpat|Bearer/);
  const withoutScope = sandbox.open(sandbox.tokenOf('bob', ['read_user']));
  await expect(withoutScope.listRepositories(group, null)).rejects.toMatchObject({ status: 403 });
});

test('retries with another token after the first is rejected', async () => {
  const [old, fresh] = ['glpat-old', sandbox.tokenOf()];
  const rejected: (string | undefined)[] = [];
  const host = openGitlab(createOutbound(['127.0.0.1']), sandbox.baseURL, async (refused) => {
    rejected.push(refused);
    return refused === old ? fresh : old;
  });
  expect(await host.look()).toMatchObject({ login: 'ada' });
  expect(rejected.slice(0, 2)).toEqual([undefined, old]);
});

test('waits out a short rate limit and reports a long one to the caller', async () => {
  await sandbox.control('faults', { match: '/projects/[^/]+widgets$', status: 429, retryAfter: 1 });
  expect(await gitlab.getRepository(ref('widgets'))).toMatchObject({ name: 'widgets' });
  await sandbox.control('gitlab/rate-limit', { remaining: 0, resetInSeconds: 120 });
  const limited = await gitlab.getRepository(ref('widgets')).catch((error: unknown) => error);
  expect(limited).toBeInstanceOf(HostLimited);
  const { until } = limited as HostLimited;
  expect(Math.abs(until.getTime() - Date.now() - 120_000)).toBeLessThan(60_000);
  await sandbox.control('gitlab/rate-limit', { remaining: 1000, resetInSeconds: 3600 });
  gitlab = sandbox.open(sandbox.tokenOf());
});

test('retries after a server error of the host', async () => {
  await sandbox.control('faults', { match: '/projects/[^/]+widgets$', status: 502 });
  expect(await gitlab.getRepository(ref('widgets'))).toMatchObject({ name: 'widgets' });
});

test('follows a renamed project but never a redirect to another host', async () => {
  await sandbox.control('rename', { repository: 'sandbox/empty', name: 'void' });
  expect(await gitlab.getRepository(ref('empty'))).toMatchObject({ fullName: 'sandbox/code/void' });
  sandbox.sandbox.host.url = sandbox.sandbox.url.replace('127.0.0.1', 'localhost');
  await expect(gitlab.getRepository(ref('empty'))).rejects.toThrow(/pointed to http:\/\/localhost:\d+, which is not/);
});
