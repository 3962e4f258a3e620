import type { PlantedAccess } from '@sightline/sandbox/git/model.ts';
import { createRepository, createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createOutbound } from '#core/outbound.ts';
import { type CodeHost, HostFailed, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { GrantedHost } from '../connectable.ts';
import { createGithub } from '../github/github.ts';
import type { HostRef } from '../host-facts.ts';
import { baseURLFrom, openGitea } from './gitea.ts';
import { type SandboxGitea, startSandboxGitea } from './sandbox.fixture.ts';

let sandbox: SandboxGitea;
let gitea: GrantedHost;
let github: CodeHost;
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
  sandbox = await startSandboxGitea([story.path, long.path, empty.path]);
  gitea = sandbox.open(sandbox.tokenOf());
  place = (await gitea.look()).places[0]?.id ?? '';
  github = createGithub(sandbox.config);
});
afterAll(async () => {
  await sandbox.close();
  for (const repository of [story, long, empty]) await repository.remove();
});
afterEach(async () => {
  await fetch(`${sandbox.sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
});

test('returns the owner of a token and the organizations available for selection', async () => {
  const { login, missing, places } = await gitea.look();
  expect({ login, missing }).toEqual({ login: 'ada', missing: [] });
  const instance = sandbox.baseURL.replace('http://', '');
  expect(places).toMatchObject([{ kind: 'group', path: 'sandbox', id: expect.stringContaining(`@${instance}`) }]);
  const reader = await sandbox.open(sandbox.tokenOf('bob', ['read:user', 'read:repository'])).look();
  expect(reader.missing).toEqual([expect.stringContaining('cannot read organizations')]);
  await expect(sandbox.open('wrong').look()).rejects.toMatchObject({ status: 401 });
});

test.each([
  ['code.example.com', 'https://code.example.com'],
  ['https://code.example.com/', 'https://code.example.com'],
  ['https://example.com/git/api/v1', 'https://example.com/git'],
  ['http://localhost:8080/?a=b#c', 'http://localhost:8080'],
  ['ftp://example.com', undefined],
  ['https://user:password@example.com', undefined],
  ['two words', undefined],
])('normalizes %s to the instance at %s', (entered, url) => {
  expect(baseURLFrom(entered)).toBe(url);
});

test('lists the repositories of an organization, with IDs of this instance', async () => {
  const { items, next, total } = await gitea.listRepositories(place, null);
  expect(items.map((item) => item.fullName).sort()).toEqual(['sandbox/empty', 'sandbox/long', 'sandbox/widgets']);
  expect({ next, total }).toEqual({ next: null, total: 3 });
  expect(items[0]?.id).toMatch(/^\d+@127\.0\.0\.1:\d+\/gitea$/);
  expect(items[0]?.url).toContain(`${sandbox.baseURL}/sandbox/`);
});

test('reads every page of commits once', async () => {
  const found: string[] = [];
  let page: string | null = null;
  do {
    const { items, next } = await gitea.listCommits(ref('long'), 'main', page);
    found.push(...items.map(({ message }) => message));
    page = next;
  } while (page !== null);
  expect(found).toEqual(Array.from({ length: 103 }, (_, index) => `Step ${103 - index}`));
});

test('a repeated page is a temporary failure, because another one would be missing', async () => {
  await sandbox.control('gitea/repeated-page', { match: '/commits' });
  const { next } = await gitea.listCommits(ref('long'), 'main', null);
  await expect(gitea.listCommits(ref('long'), 'main', next)).rejects.toThrow(HostFailed);
  await sandbox.control('gitea/repeated-page', { match: null });
  expect((await gitea.listCommits(ref('long'), 'main', next)).items).toHaveLength(50);
});

test('reads the same commits and pull requests as from GitHub', async () => {
  const installation = String(sandbox.install().id);
  const there: HostRef = { ...ref('widgets'), installationId: installation };
  const [ours, theirs] = [
    await gitea.listCommits(ref('widgets'), 'main', null),
    await github.listCommits(there, 'main', null),
  ];
  const essence = ({ items }: typeof ours) =>
    items.map(({ sha, message, author, authoredAt, committedAt, parents }) => [
      ...[sha, message.trimEnd(), author.name, author.email, author.login, authoredAt, committedAt],
      parents,
    ]);
  expect(essence(ours)).toEqual(essence(theirs));
  const numbers = (await gitea.listPullRequests(ref('widgets'), null)).items.map(({ number }) => number);
  expect(numbers.toSorted()).toEqual(
    (await github.listPullRequests(there, null)).items.map((one) => one.number).toSorted(),
  );
  for (const number of numbers) {
    const [one, other] = [
      await gitea.getPullRequest(ref('widgets'), number),
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
  const head = await gitea.headOf(widgets, 'main');
  expect(head).toBe(story.git(['rev-parse', 'main']));
  const { changes } = await gitea.getCommit(widgets, head);
  expect(changes).toMatchObject({ additions: 1, deletions: 0, files: [{ path: 'a.txt', status: 'added' }] });
  expect((await gitea.readFile(widgets, head, 'README.md')).toString()).toBe('# Widgets\n');
  await expect(gitea.readFile(widgets, head, 'src')).rejects.toMatchObject({ status: 404 });
  const tree = await gitea.listTree(widgets, head);
  expect(tree.map(({ path }) => path)).toContain('docs/naïve ☃.md');
  const blob = tree.find(({ path }) => path === 'a.txt')?.blob ?? '';
  expect((await gitea.readBlob(widgets, blob)).toString()).toBe('a\n');
  expect((await gitea.lastChangeOf(widgets, head, 'README.md'))?.message).toContain('First steps');
  expect(await gitea.lastChangeOf(widgets, head, 'none.txt')).toBeUndefined();
  const range = await gitea.compareCommits(widgets, `${head}~2`, head).catch((error: unknown) => error);
  expect(range).toBeInstanceOf(HostRefused);
  expect(await gitea.compareCommits(widgets, story.git(['rev-parse', 'main~1']), head)).toHaveLength(1);
});

test('an empty repository has no commits', async () => {
  await expect(gitea.headOf(ref('empty'), 'main')).rejects.toMatchObject({ status: 404 });
});

test('follows a renamed repository', async () => {
  const [hosted] = sandbox.sandbox.host.repositories.filter(({ name }) => name === 'empty');
  if (!hosted) throw new Error('There is no empty repository');
  hosted.formerNames.push('sandbox/empty');
  hosted.name = 'renamed';
  expect((await gitea.getRepository(ref('empty'))).fullName).toBe('sandbox/renamed');
});

test('sends a token to its own host only', async () => {
  const other = openGitea(createOutbound([new URL(sandbox.baseURL).origin]), sandbox.baseURL, async () => 'token');
  const [hosted] = sandbox.sandbox.host.repositories;
  if (!hosted) throw new Error('There is no repository');
  const address = sandbox.gitea.host.url;
  // The instance redirects to another address of itself.
  hosted.formerNames.push('sandbox/former');
  sandbox.gitea.host.url = address.replace('127.0.0.1', 'localhost');
  await expect(sandbox.open(sandbox.tokenOf()).getRepository(ref('former'))).rejects.toThrow(
    'which is not the instance',
  );
  sandbox.gitea.host.url = address;
  await expect(other.look()).rejects.toMatchObject({ status: 401 });
});

test('honors Retry-After, and reports errors of the server as temporary', async () => {
  const fault = { match: '^/gitea/api', times: 10 };
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
  await expect(gitea.look()).rejects.toThrow(HostFailed);
});

test('sets statuses and writes comments once', async () => {
  const widgets = ref('widgets');
  const head = await gitea.headOf(widgets, 'main');
  const status = {
    state: 'success',
    context: 'sightline/policy',
    description: 'All well',
    url: 'https://a.example/',
  } as const;
  await gitea.setStatus?.(widgets, head, status);
  expect(await gitea.evidence?.checksOf(widgets, head)).toMatchObject([
    { name: 'sightline/policy', conclusion: 'success' },
  ]);
  const id = (await gitea.comments?.writeComment(widgets, 7, 'A comment <!-- mark -->')) ?? '';
  await gitea.comments?.changeComment(widgets, 7, id, 'Another <!-- mark -->');
  expect(await gitea.comments?.findComment(widgets, 7, '<!-- mark -->')).toBe(id);
  const reader = sandbox.open(sandbox.tokenOf('ada', ['read:repository']));
  await expect(reader.setStatus?.(widgets, head, status)).rejects.toMatchObject({ status: 403 });
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

test('reads collaborators, teams, keys and owners, and who may bypass the rule of the branch', async () => {
  const repository = 'sandbox/widgets';
  await sandbox.control('access', { repository, ...access });
  const read = async () => gitea.evidence?.accessOf?.(ref('widgets'), 'main');
  const wordsOf = async () =>
    Object.fromEntries(
      ((await read())?.holders ?? []).map(({ kind, name, permission, routes, canBypass }) => [
        `${kind} ${name}`,
        [permission, ...routes, canBypass ? 'bypasses' : 'bound'].join(' '),
      ]),
    );
  expect(await wordsOf()).toEqual({
    'person ada': 'admin direct bypasses',
    'person contractor': 'read direct bound',
    'person zoe-a': 'write organization bypasses',
    'person boss': 'admin owner bypasses',
    'team Owners': 'admin organization bypasses',
    'team core': 'write organization bypasses',
    'key Deploy': 'write direct bypasses',
  });
  const rules = { requiredReviews: 1, dismissesStale: true, allowsForcePush: false, allowsDeletion: false };
  await sandbox.control('protect', { repository, rules: { ...rules, includesAdmins: false, requiredChecks: [] } });
  expect(await wordsOf()).toMatchObject({
    'person ada': 'admin direct bypasses',
    'person zoe-a': 'write organization bound',
    'key Deploy': 'write direct bound',
  });
  await sandbox.control('protect', {
    repository,
    rules: { ...rules, includesAdmins: true, requiredChecks: [], bypassTeams: ['core'] },
  });
  expect(await wordsOf()).toMatchObject({
    'person boss': 'admin owner bound',
    'person zoe-a': 'write organization bypasses',
  });
  await sandbox.control('gitea/role', { administrators: false });
  expect((await read())?.parts).toEqual({
    people: 'read',
    teams: 'read',
    keys: 'forbidden',
    apps: 'not_offered',
    owners: 'read',
    bypass: 'forbidden',
  });
  await sandbox.control('gitea/role', { administrators: true });
});
