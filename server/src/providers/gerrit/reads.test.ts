import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRepository, createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { HostFailed, HostLimited } from '#providers/code-host.ts';
import type { GrantedHost } from '../connectable.ts';
import type { HostRef } from '../host-facts.ts';
import { baseURLFrom, createGerritFor, openGerrit } from './gerrit.ts';
import { type SandboxGerrit, startSandboxGerrit } from './sandbox.fixture.ts';

let sandbox: SandboxGerrit;
let gerrit: GrantedHost;
let place: string;
let story: Awaited<ReturnType<typeof createStory>>;
const long = createRepository('long');
const empty = createRepository('empty');
const ref = (name: string): HostRef => ({ installationId: place, owner: 'sandbox', name });

beforeAll(async () => {
  story = await createStory();
  await empty.start();
  await long.start();
  for (let number = 1; number <= 103; number += 1) long.git(['commit', '--allow-empty', '-m', `Step ${number}`]);
  sandbox = await startSandboxGerrit([story.path, long.path, empty.path]);
  gerrit = sandbox.open();
  place = (await gerrit.look()).places[0]?.id ?? '';
});
afterAll(async () => {
  await sandbox.close();
  for (const repository of [story, long, empty]) await repository.remove();
});
afterEach(async () => {
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
});

test('returns the account of the credentials, and the folders of projects available for selection', async () => {
  const { login, missing, places } = await gerrit.look();
  expect({ login, missing }).toEqual({ login: 'ada', missing: [] });
  const instance = sandbox.baseURL.replace('http://', '');
  expect(places).toMatchObject([{ kind: 'group', path: 'sandbox', id: `sandbox@${instance}` }]);
  await expect(sandbox.open('ada:wrong').look()).rejects.toMatchObject({ status: 401 });
  await sandbox.control('gerrit/plugins', { gitiles: false });
  expect((await gerrit.look()).missing).toEqual([expect.stringContaining('no plugin Gitiles')]);
  await expect(gerrit.listCommits(ref('long'), 'main', null)).rejects.toThrow('needs its plugin Gitiles');
  await sandbox.control('gerrit/plugins', { gitiles: true });
});

test.each([
  ['review.example.com', 'https://review.example.com'],
  ['https://review.example.com/', 'https://review.example.com'],
  ['https://example.com/r/c/tools/widgets/+/12', 'https://example.com/r'],
  ['https://example.com/r/q/status:open', 'https://example.com/r'],
  ['http://localhost:8080/?a=b#c', 'http://localhost:8080'],
  ['ftp://example.com', undefined],
  ['https://user:password@example.com', undefined],
  ['two words', undefined],
])('normalizes %s to the instance at %s', (entered, url) => {
  expect(baseURLFrom(entered)).toBe(url);
});

test('requires the name of the account', async () => {
  const outbound = createOutbound([new URL(sandbox.baseURL).origin]);
  const connector = await createGerritFor({ url: undefined, sandboxPage: undefined }, () => outbound)('org');
  expect(connector.tokenFrom('password', 'ada', undefined)).toEqual({ secret: 'ada:password', display: '…word' });
  expect(() => connector.tokenFrom('password', undefined, undefined)).toThrow();
  expect(() => connector.tokenFrom('password', 'a:b', undefined)).toThrow();
});

test('lists the projects of a folder, with IDs of this instance', async () => {
  const { items, next } = await gerrit.listRepositories(place, null);
  expect(items.map((item) => item.fullName)).toEqual(['sandbox/empty', 'sandbox/long', 'sandbox/widgets']);
  expect(next).toBeNull();
  expect(items[0]?.id).toMatch(/^sandbox\/empty@127\.0\.0\.1:\d+\/gerrit$/);
  expect(items[2]?.defaultBranch).toBe('main');
});

test('reads every page of commits once, and a repeated page is a temporary failure', async () => {
  const found: string[] = [];
  let page: string | null = null;
  do {
    const { items, next } = await gerrit.listCommits(ref('long'), 'main', page);
    found.push(...items.map(({ message }) => message));
    page = next;
  } while (page !== null);
  expect(found).toEqual(Array.from({ length: 103 }, (_, index) => `Step ${103 - index}`));
  await sandbox.control('gerrit/repeated-page', { match: '\\+log' });
  const { next } = await gerrit.listCommits(ref('long'), 'main', null);
  await expect(gerrit.listCommits(ref('long'), 'main', next)).rejects.toThrow(HostFailed);
  await sandbox.control('gerrit/repeated-page', { match: null });
  expect((await gerrit.listCommits(ref('long'), 'main', next)).items).toHaveLength(3);
});

test('reads a commit with its files, files, trees and the last change of a file', async () => {
  const widgets = ref('widgets');
  const head = await gerrit.headOf(widgets, 'main');
  expect(head).toBe(story.git(['rev-parse', 'main']));
  const { changes, parents } = await gerrit.getCommit(widgets, head);
  expect(changes).toMatchObject({ additions: 1, deletions: 0, files: [{ path: 'a.txt', status: 'added' }] });
  expect(parents).toEqual([story.git(['rev-parse', 'main~1'])]);
  expect((await gerrit.readFile(widgets, head, 'README.md')).toString()).toBe('# Widgets\n');
  await expect(gerrit.readFile(widgets, head, 'src')).rejects.toMatchObject({ status: 404 });
  const tree = await gerrit.listTree(widgets, head);
  expect(tree.map(({ path }) => path)).toContain('docs/naïve ☃.md');
  const blob = tree.find(({ path }) => path === 'src/login.ts')?.blob ?? '';
  expect((await gerrit.readBlob(widgets, blob)).toString()).toBe('one\ntwo\n');
  expect((await gerrit.lastChangeOf(widgets, head, 'README.md'))?.message).toContain('First steps');
  expect(await gerrit.lastChangeOf(widgets, head, 'none.txt')).toBeUndefined();
  expect(await gerrit.compareCommits(widgets, story.git(['rev-parse', 'main~1']), head)).toHaveLength(1);
});

test('an empty project has no commits', async () => {
  expect(await gerrit.listCommits(ref('empty'), 'main', null)).toEqual({ items: [], next: null, total: 0 });
  await expect(gerrit.headOf(ref('empty'), 'main')).rejects.toMatchObject({ status: 404 });
});

test('reads changes with their votes, submitter and merged commit', async () => {
  const widgets = ref('widgets');
  const numbers = (await gerrit.listPullRequests(widgets, null)).items.map(({ number }) => number);
  expect(numbers).toEqual(expect.arrayContaining([7, 12]));
  const { pullRequest, reviews } = await gerrit.getPullRequest(widgets, 7);
  const merge = story.git(['log', '--format=%H', '--grep=#7', 'main']);
  const head = story.git(['rev-parse', `${merge}^2`]);
  expect(pullRequest).toMatchObject({ state: 'accepted', headSha: head, mergeSha: head, baseRef: 'main', commits: 1 });
  expect(pullRequest.mergedBy?.login).toBeTruthy();
  expect(reviews).toMatchObject([{ state: 'approved', sha: head }]);
  await expect(gerrit.getPullRequest(widgets, 999)).rejects.toMatchObject({ status: 404 });
});

test('honors Retry-After, and reports errors of the server as temporary', async () => {
  const fault = { match: '^/gerrit/a', times: 10 };
  await sandbox.control('faults', { ...fault, status: 429, retryAfter: 60 });
  const before = Date.now();
  const error = await sandbox
    .open()
    .look()
    .catch((one: unknown) => one);
  expect(error).toBeInstanceOf(HostLimited);
  expect((error as HostLimited).until.getTime()).toBeGreaterThanOrEqual(before + 59_000);
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  await sandbox.control('faults', { ...fault, status: 500 });
  await expect(gerrit.look()).rejects.toThrow(HostFailed);
});

test('sends credentials to its own host only, and shows no text of another service', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.startsWith('/a/accounts')) response.writeHead(302, { location: sandbox.baseURL }).end();
    else response.writeHead(403).end('internal text');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outbound = createOutbound([address, new URL(sandbox.baseURL).origin]);
  const other = openGerrit(outbound, address, async () => 'ada:secret');
  await expect(other.look()).rejects.toThrow('which is not the instance');
  const refused = await other.getRepository(ref('widgets')).catch((error: Error) => error.message);
  expect(refused).toContain('403');
  expect(refused).not.toContain('internal text');
  expect(asked.every((path) => path.startsWith('/a/'))).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});
