import type { PlantedAccess } from '@sightline/sandbox/git/model.ts';
import { createRepository, createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type CodeHost, HostFailed, HostLimited, pagesOf } from '#providers/code-host.ts';
import type { GrantedHost } from '../connectable.ts';
import { createGithub } from '../github/github.ts';
import type { HostRef } from '../host-facts.ts';
import { baseURLFrom } from './azure-devops.ts';
import { type SandboxAzureDevops, startSandboxAzureDevops } from './sandbox.fixture.ts';
import { identitiesURLOf } from './transport.ts';

let sandbox: SandboxAzureDevops;
let azureDevops: GrantedHost;
let github: CodeHost;
let place: string;
let story: Awaited<ReturnType<typeof createStory>>;
const long = createRepository('long');
const empty = createRepository('empty');
const owner = 'azure-devops/collection/sandbox';
const ref = (name: string): HostRef => ({ installationId: place, owner, name });

beforeAll(async () => {
  story = await createStory();
  await empty.start();
  await long.start();
  for (let number = 1; number <= 103; number += 1)
    long.git(['commit', '--allow-empty', '-m', `Step ${number}`, '-m', 'Text']);
  sandbox = await startSandboxAzureDevops([story.path, long.path, empty.path]);
  azureDevops = sandbox.open(sandbox.tokenOf());
  place = (await azureDevops.look()).places[0]?.id ?? '';
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
  const { login, missing, places } = await azureDevops.look();
  expect({ login, missing }).toEqual({ login: 'ada@azure.example', missing: [] });
  const instance = sandbox.baseURL.replace('http://', '');
  expect(places).toMatchObject([
    { kind: 'group', path: owner, name: 'sandbox', id: expect.stringContaining(`@${instance}`) },
  ]);
  const reader = await sandbox.open(sandbox.tokenOf('bob', ['code'])).look();
  expect(reader.missing).toEqual([expect.stringContaining('cannot read identities')]);
});

test.each([false, true])('refuses a wrong token, also if it leads to a page for signing in: %s', async (page) => {
  await sandbox.control('azure-devops/sign-in', { page });
  await expect(sandbox.open('wrong').look()).rejects.toMatchObject({ name: 'HostRefused', status: 401 });
  await sandbox.control('azure-devops/sign-in', { page: false });
});

test.each([
  ['dev.azure.com/contoso', 'https://dev.azure.com/contoso'],
  ['https://dev.azure.com/contoso/My%20Project/_git/widgets', 'https://dev.azure.com/contoso'],
  ['https://contoso.visualstudio.com/DefaultCollection', 'https://dev.azure.com/contoso'],
  ['https://server.example/tfs/Main/', 'https://server.example/tfs/Main'],
  ['https://server.example/tfs/Main/_apis/projects?a=b#c', 'https://server.example/tfs/Main'],
  ['https://dev.azure.com/', undefined],
  ['ftp://example.com', undefined],
  ['https://user:password@example.com/tfs', undefined],
  ['two words', undefined],
])('normalizes %s to %s', (entered, url) => {
  expect(baseURLFrom(entered)).toBe(url);
});

test('reads identities of Azure DevOps Services at their address, and of a server at the collection', () => {
  expect(identitiesURLOf('https://dev.azure.com/contoso')).toBe('https://vssps.dev.azure.com/contoso');
  expect(identitiesURLOf('https://server.example/tfs/Main')).toBe('https://server.example/tfs/Main');
});

test.each(['7.0', '6.0'])('asks a server of version %s in its version', async (version) => {
  await sandbox.control('azure-devops/version', { version });
  const older = sandbox.open(sandbox.tokenOf());
  expect((await older.look()).login).toBe('ada@azure.example');
  expect((await older.getRepository(ref('widgets'))).name).toBe('widgets');
  await sandbox.control('azure-devops/version', { version: '7.1' });
});

test('lists the repositories of a project, with IDs of this collection', async () => {
  const { items, next, total } = await azureDevops.listRepositories(place, null);
  expect(items.map((item) => item.fullName).sort()).toEqual([`${owner}/empty`, `${owner}/long`, `${owner}/widgets`]);
  expect({ next, total }).toEqual({ next: null, total: 3 });
  expect(items[0]?.id).toMatch(/^[0-9a-f-]{36}@127\.0\.0\.1:\d+\/azure-devops\/collection$/);
  expect(items.find(({ name }) => name === 'widgets')?.url).toBe(`${sandbox.baseURL}/sandbox/_git/widgets`);
});

test('reads every page of commits once, with whole messages', async () => {
  const found: string[] = [];
  for await (const items of pagesOf((page) => azureDevops.listCommits(ref('long'), 'main', page)))
    found.push(...items.map(({ message }) => message));
  expect(found).toEqual(Array.from({ length: 103 }, (_, index) => `Step ${103 - index}\n\nText`));
});

test('a repeated page is a temporary failure, because another one would be missing', async () => {
  await sandbox.control('azure-devops/repeated-page', { match: '/commits\\?' });
  const { next } = await azureDevops.listCommits(ref('long'), 'main', null);
  await expect(azureDevops.listCommits(ref('long'), 'main', next)).rejects.toThrow(HostFailed);
  await sandbox.control('azure-devops/repeated-page', { match: null });
  expect((await azureDevops.listCommits(ref('long'), 'main', next)).items).toHaveLength(3);
});

test('reads the same commits and pull requests as from GitHub', async () => {
  const there: HostRef = { installationId: String(sandbox.install().id), owner: 'sandbox', name: 'widgets' };
  const [ours, theirs] = [
    await azureDevops.listCommits(ref('widgets'), 'main', null),
    await github.listCommits(there, 'main', null),
  ];
  const essence = ({ items }: typeof ours) =>
    items.map(({ sha, message, author, authoredAt, committedAt }) => [
      ...[sha, message.trimEnd(), author.name, author.email, author.login?.replace('@azure.example', '') ?? null],
      ...[authoredAt, committedAt].map((time) => Date.parse(time)),
    ]);
  expect(essence(ours)).toEqual(essence(theirs));
  const numbers: number[] = [];
  for await (const items of pagesOf((page) => azureDevops.listPullRequests(ref('widgets'), page)))
    numbers.push(...items.map(({ number }) => number));
  expect(numbers.toSorted()).toEqual(
    (await github.listPullRequests(there, null)).items.map((one) => one.number).toSorted(),
  );
  for (const number of numbers) {
    const [one, other] = [
      await azureDevops.getPullRequest(ref('widgets'), number),
      await github.getPullRequest(there, number),
    ];
    const { title, state, createdAt, mergedAt, mergeSha, headSha, headRef, isFromFork } = other.pullRequest;
    const times = [createdAt, mergedAt].map((time) => time && new Date(time).toISOString());
    expect(one.pullRequest).toMatchObject({ title, state, createdAt: times[0], mergedAt: times[1] });
    expect(one.pullRequest).toMatchObject({ mergeSha, headSha, headRef, isFromFork });
    expect(one.pullRequest.author.login).toBe(`${other.pullRequest.author.login}@azure.example`);
    const decisions = ({ reviews }: typeof one) =>
      reviews
        .filter(({ state: was }) => was !== 'commented')
        .map(({ user, state: was }) => [user.login.replace('@azure.example', ''), was]);
    expect(decisions(one)).toEqual(decisions(other));
  }
});

test('lists open pull requests first, then the others by the time they were closed', async () => {
  const listed: { number: number; updatedAt: string }[] = [];
  for await (const items of pagesOf((page) => azureDevops.listPullRequests(ref('widgets'), page)))
    listed.push(...items);
  expect(listed.map(({ updatedAt }) => updatedAt)).toEqual(
    listed
      .map(({ updatedAt }) => updatedAt)
      .toSorted()
      .toReversed(),
  );
});

test('reads a commit with its files, files, trees and the last change of a file', async () => {
  const widgets = ref('widgets');
  const head = await azureDevops.headOf(widgets, 'main');
  expect(head).toBe(story.git(['rev-parse', 'main']));
  const { changes, parents } = await azureDevops.getCommit(widgets, head);
  expect(parents).toEqual([story.git(['rev-parse', 'main~1'])]);
  expect(changes).toMatchObject({ additions: null, files: [{ path: 'a.txt', status: 'added' }] });
  expect(await azureDevops.getChanges?.(widgets, head)).toEqual(changes);
  expect((await azureDevops.readFile(widgets, head, 'README.md')).toString()).toBe('# Widgets\n');
  await expect(azureDevops.readFile(widgets, head, 'src')).rejects.toMatchObject({ status: 404 });
  const tree = await azureDevops.listTree(widgets, head);
  expect(tree.map(({ path }) => path)).toContain('docs/naïve ☃.md');
  const blob = tree.find(({ path }) => path === 'a.txt')?.blob ?? '';
  expect((await azureDevops.readBlob(widgets, blob)).toString()).toBe('a\n');
  expect((await azureDevops.lastChangeOf(widgets, head, 'README.md'))?.message).toBe(
    story.git(['log', '-1', '--format=%B', '--', 'README.md']),
  );
  expect(await azureDevops.lastChangeOf(widgets, head, 'none.txt')).toBeUndefined();
  expect(
    (await azureDevops.compareCommits(widgets, story.git(['rev-parse', 'main~1']), head)).map(({ sha }) => sha),
  ).toEqual([head]);
});

test('an empty repository has no commits', async () => {
  expect((await azureDevops.listCommits(ref('empty'), 'main', null)).items).toEqual([]);
  await expect(azureDevops.headOf(ref('empty'), 'main')).rejects.toMatchObject({ status: 404 });
  await expect(azureDevops.listCommits(ref('widgets'), 'none', null)).rejects.toMatchObject({ status: 404 });
});

test('honors Retry-After, and reports errors of the server as temporary', async () => {
  const fault = { match: '^/azure-devops/collection', times: 10 };
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
  await expect(azureDevops.look()).rejects.toThrow(HostFailed);
});

test('sets statuses of commits and of their open pull requests, and writes comments once', async () => {
  const widgets = ref('widgets');
  const open = (await azureDevops.listPullRequests(widgets, null)).items[0]?.number ?? 0;
  const { headSha } = (await azureDevops.getPullRequest(widgets, open)).pullRequest;
  const status = {
    state: 'success',
    context: 'sightline/policy',
    description: 'All well',
    url: 'https://a.example/',
  } as const;
  await azureDevops.setStatus?.(widgets, headSha, status);
  expect(await azureDevops.evidence?.checksOf(widgets, headSha)).toMatchObject([
    { name: 'sightline/policy', conclusion: 'success' },
    { name: 'sightline/policy', conclusion: 'success' },
  ]);
  expect(sandbox.azureDevops.said.map(({ pull, genre, name }) => [pull, genre, name])).toEqual([
    [null, 'sightline', 'policy'],
    [open, 'sightline', 'policy'],
  ]);
  const id = (await azureDevops.comments?.writeComment(widgets, open, 'A comment <!-- mark -->')) ?? '';
  await azureDevops.comments?.changeComment(widgets, open, id, 'Another <!-- mark -->');
  expect(await azureDevops.comments?.findComment(widgets, open, '<!-- mark -->')).toBe(id);
  const reader = sandbox.open(sandbox.tokenOf('ada', ['code']));
  await expect(reader.setStatus?.(widgets, headSha, status)).rejects.toMatchObject({ status: 403 });
});

const access: PlantedAccess = {
  people: [
    { login: 'ada', role: 'maintain', via: 'direct' },
    { login: 'contractor', role: 'read', via: 'outside' },
  ],
  teams: [{ slug: 'core', role: 'write', members: ['zoe-a'] }],
  keys: [],
  apps: [],
  owners: ['boss'],
};

test('reads people, groups and administrators, and who may bypass the policies of the branch', async () => {
  const repository = 'sandbox/widgets';
  await sandbox.control('access', { repository, ...access });
  const read = async () => azureDevops.evidence?.accessOf?.(ref('widgets'), 'main');
  const wordsOf = async () =>
    Object.fromEntries(
      ((await read())?.holders ?? []).map(({ kind, name, permission, routes, canBypass }) => [
        `${kind} ${name}`,
        [permission, ...routes, canBypass ? 'bypasses' : 'bound'].join(' '),
      ]),
    );
  expect(await wordsOf()).toEqual({
    'person ada@azure.example': 'admin direct bypasses',
    'person contractor@azure.example': 'read direct bound',
    'person zoe-a@azure.example': 'write organization bypasses',
    'person boss@azure.example': 'admin owner bypasses',
    'team [collection]\\Project Collection Administrators': 'admin organization bypasses',
    'team [sandbox]\\Project Administrators': 'admin organization bypasses',
    'team [sandbox]\\Contributors': 'write organization bypasses',
    'team [sandbox]\\core': 'write organization bypasses',
  });
  const rules = {
    requiredReviews: 1,
    dismissesStale: true,
    allowsForcePush: false,
    allowsDeletion: false,
    requiredChecks: [],
  };
  await sandbox.control('protect', { repository, rules: { ...rules, includesAdmins: true, bypassTeams: ['core'] } });
  expect(await wordsOf()).toMatchObject({
    'person ada@azure.example': 'admin direct bound',
    'person boss@azure.example': 'admin owner bound',
    'person zoe-a@azure.example': 'write organization bypasses',
  });
  await sandbox.control('azure-devops/role', { administrators: false });
  expect((await read())?.parts).toEqual({
    people: 'forbidden',
    teams: 'forbidden',
    keys: 'not_offered',
    apps: 'forbidden',
    owners: 'forbidden',
    bypass: 'forbidden',
  });
  await sandbox.control('azure-devops/role', { administrators: true });
});
