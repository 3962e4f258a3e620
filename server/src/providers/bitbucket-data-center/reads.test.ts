import type { PlantedAccess } from '@sightline/sandbox/git/model.ts';
import { refreshRepository } from '@sightline/sandbox/git/repository.ts';
import { createRepository, createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { type CodeHost, HostFailed, HostLimited } from '#providers/code-host.ts';
import type { GrantedHost } from '../connectable.ts';
import { createGithub } from '../github/github.ts';
import type { HostRef } from '../host-facts.ts';
import { baseURLFrom, openDataCenter } from './data-center.ts';
import { type SandboxDataCenter, startSandboxDataCenter } from './sandbox.fixture.ts';

let sandbox: SandboxDataCenter;
let host: GrantedHost;
let github: CodeHost;
let place: string;
let story: Awaited<ReturnType<typeof createStory>>;
const long = createRepository('long');
const empty = createRepository('empty');
const ref = (name: string): HostRef => ({ installationId: place, owner: 'SANDBOX', name });

beforeAll(async () => {
  story = await createStory();
  await empty.start();
  await long.start();
  for (let number = 1; number <= 203; number += 1) long.git(['commit', '--allow-empty', '-m', `Step ${number}`]);
  sandbox = await startSandboxDataCenter([story.path, long.path, empty.path]);
  host = sandbox.open(sandbox.tokenOf());
  place = (await host.look()).places[0]?.id ?? '';
  github = createGithub(sandbox.config);
});
afterAll(async () => {
  await sandbox.close();
  for (const repository of [story, long, empty]) await repository.remove();
});
afterEach(async () => {
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
});

test('returns the owner of a token and the projects available for selection', async () => {
  const { login, missing, places } = await host.look();
  expect({ login, missing }).toEqual({ login: 'ada', missing: [] });
  const instance = sandbox.baseURL.replace('http://', '');
  expect(places).toMatchObject([{ kind: 'group', path: 'SANDBOX', id: expect.stringContaining(`@${instance}`) }]);
});

test('a token that the instance serves as an anonymous user is rejected', async () => {
  const message = 'The code host does not know the token';
  await expect(sandbox.open('wrong').look()).rejects.toMatchObject({ status: 401, message });
  await expect(sandbox.open('wrong').getRepository(ref('long'))).rejects.toMatchObject({ status: 401 });
});

test('a missing permission is no rejected token, although the instance answers 401 to both', async () => {
  const reader = sandbox.open(sandbox.tokenOf('ada', 'REPO_READ'));
  const hook = { url: 'https://a.example/', secret: 'secret' };
  await expect(reader.hooks?.createHook(ref('long'), hook)).rejects.toMatchObject({ status: 403 });
});

test.each([
  ['code.example.com', 'https://code.example.com'],
  ['https://code.example.com/', 'https://code.example.com'],
  ['https://example.com/git/rest/api/latest', 'https://example.com/git'],
  ['https://example.com/projects/PRJ/repos/app/browse', 'https://example.com'],
  ['http://localhost:8080/?a=b#c', 'http://localhost:8080'],
  ['ftp://example.com', undefined],
  ['https://user:password@example.com', undefined],
  ['two words', undefined],
])('normalizes %s to the instance at %s', (entered, url) => {
  expect(baseURLFrom(entered)).toBe(url);
});

test('lists the repositories of a project, with IDs of this instance', async () => {
  const { items, next } = await host.listRepositories(place, null);
  expect(items.map((item) => item.fullName).sort()).toEqual(['SANDBOX/empty', 'SANDBOX/long', 'SANDBOX/widgets']);
  expect(next).toBe(null);
  expect(items[0]?.id).toMatch(/^\d+@127\.0\.0\.1:\d+\/bitbucket-data-center$/);
  expect(items.map(({ url }) => url)).toContain(`${sandbox.baseURL}/projects/SANDBOX/repos/long`);
  await expect(host.listRepositories('1@elsewhere', null)).rejects.toMatchObject({ status: 404 });
});

test('reads every page of commits once', async () => {
  const found: string[] = [];
  let page: string | null = null;
  do {
    const { items, next } = await host.listCommits(ref('long'), 'main', page);
    found.push(...items.map(({ message }) => message));
    page = next;
  } while (page !== null);
  expect(found).toEqual(Array.from({ length: 203 }, (_, index) => `Step ${203 - index}`));
});

test('a repeated page is a temporary failure, because another one would be missing', async () => {
  await sandbox.control('bitbucket-data-center/repeated-page', { match: '/commits' });
  const { next } = await host.listCommits(ref('long'), 'main', null);
  await expect(host.listCommits(ref('long'), 'main', next)).rejects.toThrow(HostFailed);
  await sandbox.control('bitbucket-data-center/repeated-page', { match: null });
  expect((await host.listCommits(ref('long'), 'main', next)).items).toHaveLength(100);
});

test('reads the same commits and pull requests as from GitHub', async () => {
  const installation = String(sandbox.install().id);
  const there: HostRef = { ...ref('widgets'), installationId: installation };
  const [ours, theirs] = [
    await host.listCommits(ref('widgets'), 'main', null),
    await github.listCommits(there, 'main', null),
  ];
  const essence = ({ items }: typeof ours) =>
    items.map(({ sha, message, author, authoredAt, committedAt, parents }) => [
      ...[sha, message.trimEnd(), author.name, author.email, author.login, authoredAt, committedAt],
      parents,
    ]);
  expect(essence(ours)).toEqual(essence(theirs));
  const numbers = (await host.listPullRequests(ref('widgets'), null)).items.map(({ number }) => number);
  expect(numbers.toSorted()).toEqual(
    (await github.listPullRequests(there, null)).items.map((one) => one.number).toSorted(),
  );
  for (const number of numbers) {
    const [one, other] = [
      await host.getPullRequest(ref('widgets'), number),
      await github.getPullRequest(there, number),
    ];
    const { title, state, createdAt, mergedAt, mergeSha, headSha, headRef, isFromFork } = other.pullRequest;
    expect(one.pullRequest).toMatchObject({
      title,
      state,
      createdAt,
      mergedAt,
      mergeSha,
      headSha,
      headRef,
      isFromFork,
    });
    expect(one.pullRequest.author.login).toBe(other.pullRequest.author.login);
    const decisions = ({ reviews }: typeof one) => reviews.map(({ user, state: was, sha }) => [user.login, was, sha]);
    expect(decisions(one)).toEqual(decisions(other));
  }
});

test('reads a commit with its files, files, trees and the last change of a file', async () => {
  const widgets = ref('widgets');
  const head = await host.headOf(widgets, 'main');
  expect(head).toBe(story.git(['rev-parse', 'main']));
  const { changes } = await host.getCommit(widgets, head);
  expect(changes).toMatchObject({ additions: 1, deletions: 0, files: [{ path: 'a.txt', status: 'added' }] });
  expect((await host.readFile(widgets, head, 'README.md')).toString()).toBe('# Widgets\n');
  await expect(host.readFile(widgets, head, 'src')).rejects.toMatchObject({ status: 404 });
  const tree = await host.listTree(widgets, head);
  expect(tree.map(({ path }) => path)).toContain('docs/naïve ☃.md');
  const blob = tree.find(({ path }) => path === 'a.txt')?.blob ?? '';
  expect((await host.readBlob(widgets, blob)).toString()).toBe('a\n');
  expect((await host.lastChangeOf(widgets, head, 'README.md'))?.message).toContain('First steps');
  expect(await host.lastChangeOf(widgets, head, 'none.txt')).toBeUndefined();
  expect(await host.compareCommits(widgets, story.git(['rev-parse', 'main~1']), head)).toHaveLength(1);
  expect(await host.getChanges?.(widgets, head)).toEqual(changes);
});

test('reports files above a size as too large', async () => {
  const [hosted] = sandbox.sandbox.host.repositories.filter(({ name }) => name === 'long');
  await long.commit('Large', { 'large.bin': 'x'.repeat(1024 * 1024 + 1) });
  if (hosted) await refreshRepository(hosted.git);
  const head = await host.headOf(ref('long'), 'main');
  await expect(host.readFile(ref('long'), head, 'large.bin')).rejects.toMatchObject({ status: 413 });
});

test('reads notes of agents over git with the token, which cannot contain settings of git', async () => {
  const head = story.git(['rev-parse', 'main']);
  story.git(['notes', '--ref=ai', 'add', '--force', '-m', 'written by an agent', head]);
  const token = sandbox.tokenOf();
  const found = await sandbox.open(token).evidence?.notesOf?.(ref('widgets'), [head]);
  expect(found?.get(head)).toBe('written by an agent\n');
  // Git would read the rest as a comment.
  const reading = sandbox.open(`${token} ; comment`).evidence?.notesOf?.(ref('widgets'), [head]);
  await expect(reading).rejects.toThrow();
});

test('an empty repository has no commits', async () => {
  expect(await host.listCommits(ref('empty'), 'main', null)).toMatchObject({ items: [], next: null });
  await expect(host.headOf(ref('empty'), 'main')).rejects.toMatchObject({ status: 404 });
});

test('follows a renamed repository', async () => {
  const [hosted] = sandbox.sandbox.host.repositories.filter(({ name }) => name === 'empty');
  if (!hosted) throw new Error('There is no empty repository');
  hosted.formerNames.push('sandbox/empty');
  hosted.name = 'renamed';
  expect((await host.getRepository(ref('empty'))).fullName).toBe('SANDBOX/renamed');
});

test('sends a token to its own host only', async () => {
  const other = openDataCenter(createOutbound([new URL(sandbox.baseURL).origin]), sandbox.baseURL, async () => 'token');
  const [hosted] = sandbox.sandbox.host.repositories;
  if (!hosted) throw new Error('There is no repository');
  const address = sandbox.dataCenter.host.url;
  // The instance redirects to another address of itself.
  hosted.formerNames.push('sandbox/former');
  sandbox.dataCenter.host.url = address.replace('127.0.0.1', 'localhost');
  await expect(sandbox.open(sandbox.tokenOf()).getRepository(ref('former'))).rejects.toThrow(
    'which is not the instance',
  );
  sandbox.dataCenter.host.url = address;
  await expect(other.look()).rejects.toMatchObject({ status: 401 });
});

test('honors Retry-After, and reports errors of the server as temporary', async () => {
  const fault = { match: '^/bitbucket-data-center/rest', times: 10 };
  await sandbox.control('faults', { ...fault, status: 429, retryAfter: 60 });
  const before = Date.now();
  const error = await sandbox
    .open(sandbox.tokenOf())
    .look()
    .catch((one: unknown) => one);
  expect(error).toBeInstanceOf(HostLimited);
  expect((error as HostLimited).until.getTime()).toBeGreaterThanOrEqual(before + 59_000);
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
  await sandbox.control('faults', { ...fault, status: 500 });
  await expect(host.look()).rejects.toThrow(HostFailed);
});

test('sets statuses and writes comments once', async () => {
  const widgets = ref('widgets');
  const head = await host.headOf(widgets, 'main');
  const status = {
    state: 'success',
    context: 'sightline/policy',
    description: 'All well',
    url: 'https://a.example/',
  } as const;
  await host.setStatus?.(widgets, head, status);
  expect(await host.evidence?.checksOf(widgets, head)).toMatchObject([
    { name: 'sightline/policy', conclusion: 'success' },
  ]);
  const id = (await host.comments?.writeComment(widgets, 7, 'A comment <!-- mark -->')) ?? '';
  await host.comments?.changeComment(widgets, 7, id, 'Another <!-- mark -->');
  expect(await host.comments?.findComment(widgets, 7, '<!-- mark -->')).toBe(id);
  await host.setStatus?.(widgets, head, { ...status, state: 'failure' });
  expect(await host.evidence?.checksOf(widgets, head)).toMatchObject([{ conclusion: 'failure' }]);
});

const access: PlantedAccess = {
  people: [
    { login: 'ada', role: 'maintain', via: 'direct' },
    { login: 'contractor', role: 'read', via: 'outside' },
  ],
  teams: [{ slug: 'core', role: 'write', members: ['zoe-a'] }],
  keys: [{ id: 11, title: 'Deploy', isReadOnly: false, addedBy: null }],
  apps: [],
  owners: ['boss'],
};

const rules = { requiredReviews: 1, dismissesStale: true, allowsForcePush: false, allowsDeletion: false };

test('reads accounts in effect, groups, keys and administrators, and who may push without a pull request', async () => {
  const repository = 'sandbox/widgets';
  await sandbox.control('access', { repository, ...access });
  const read = async () => host.evidence?.accessOf?.(ref('widgets'), 'main');
  const wordsOf = async () =>
    Object.fromEntries(
      ((await read())?.holders ?? []).map(({ kind, name, permission, routes, canBypass }) => [
        `${kind} ${name}`,
        [permission, ...routes, canBypass ? 'bypasses' : 'bound'].join(' '),
      ]),
    );
  // Without a restriction, everyone who can write can push.
  expect(await wordsOf()).toEqual({
    'person ada': 'write direct bypasses',
    'person contractor': 'read direct bound',
    'person zoe-a': 'write organization bypasses',
    'person boss': 'admin owner bypasses',
    'team core': 'write organization bypasses',
    'key Deploy': 'write direct bypasses',
  });
  await sandbox.control('protect', { repository, rules: { ...rules, includesAdmins: true, requiredChecks: [] } });
  expect(await wordsOf()).toMatchObject({
    'person ada': 'write direct bound',
    'person boss': 'admin owner bound',
    'key Deploy': 'write direct bound',
  });
  await sandbox.control('protect', {
    repository,
    rules: { ...rules, includesAdmins: true, requiredChecks: [], bypassTeams: ['core'] },
  });
  expect(await wordsOf()).toMatchObject({
    'person boss': 'admin owner bound',
    'person zoe-a': 'write organization bypasses',
    'team core': 'write organization bypasses',
  });
  await sandbox.control('bitbucket-data-center/role', { administrators: false });
  expect((await read())?.parts).toEqual({
    people: 'read',
    teams: 'forbidden',
    keys: 'forbidden',
    apps: 'forbidden',
    owners: 'read',
    bypass: 'forbidden',
  });
  await sandbox.control('bitbucket-data-center/role', { administrators: true });
});

test.each([false, true])('creates webhooks with the event names of the version (recent: %s)', async (recent) => {
  await sandbox.control('bitbucket-data-center/version', { recent });
  const { hooks } = host;
  const hook = { url: 'https://a.example/hook', secret: 'first' };
  const id = (await hooks?.createHook(ref('widgets'), hook)) ?? '';
  await hooks?.setHookSecret(ref('widgets'), id, { ...hook, secret: 'second' });
  const stored = sandbox.dataCenter.kept.hooks.find((one) => String(one.id) === id);
  expect(stored).toMatchObject({ secret: 'second', url: hook.url });
  expect(stored?.events).toContain(recent ? 'pr:reviewer:changes_requested' : 'pr:reviewer:needs_work');
  await hooks?.deleteHook(ref('widgets'), id);
  await hooks?.deleteHook(ref('widgets'), id);
  expect(sandbox.dataCenter.kept.hooks).toEqual([]);
});
