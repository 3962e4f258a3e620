import { ada, bob, createRepository, zoe } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GrantedHost } from '../connectable.ts';
import type { HostRef } from '../host-facts.ts';
import { type SandboxAzureDevops, startSandboxAzureDevops } from './sandbox.fixture.ts';

let sandbox: SandboxAzureDevops;
let azureDevops: GrantedHost;
const story = createRepository();
const ref: HostRef = { installationId: '1@host', owner: 'azure-devops/collection/sandbox', name: 'widgets' };
const repository = 'sandbox/widgets';
/** The heads of the branches before their merges, which delete them. */
const heads = new Map<string, string>();

beforeAll(async () => {
  await story.start();
  await story.commit('First', { 'a.txt': 'a\n' });
  for (const [branch, author] of [
    ['one', zoe],
    ['two', ada],
    ['three', bob],
    ['four', zoe],
  ] as const) {
    story.git(['checkout', '--quiet', '-b', branch, 'main']);
    await story.commit(`Begin ${branch}`, { [`${branch}.txt`]: '1\n' }, author);
    await story.commit(`Continue ${branch}`, { [`${branch}.txt`]: '2\n' }, author);
  }
  story.git(['checkout', '--quiet', 'one']);
  story.git(['commit', '--quiet', '--amend', '-m', 'Continue one', '-m', 'Co-authored-by: Bob <bob@example.com>']);
  for (const branch of ['one', 'two', 'three', 'four']) heads.set(branch, story.git(['rev-parse', branch]));
  story.git(['checkout', '--quiet', '--detach', 'main']);
  sandbox = await startSandboxAzureDevops([story.path]);
  azureDevops = sandbox.open(sandbox.tokenOf());
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const evidence = () => {
  if (!azureDevops.evidence) throw new Error('There is no evidence');
  return azureDevops.evidence;
};
const numberOf = (headRef: string): number =>
  sandbox.sandbox.host.repositories[0]?.git.pullRequests.find((pull) => pull.headRef === headRef)?.number ?? 0;
const ago = (seconds: number): string => new Date(Math.floor(Date.now() / 1000 - seconds) * 1000).toISOString();

test('lists pushes with their time, pusher and discarded commits', async () => {
  const { control } = sandbox;
  const before = story.git(['rev-parse', 'main']);
  const at = ago(5);
  await control('push', { repository, by: 'ada', files: { 'b.txt': 'b\n' }, at });
  const direct = story.git(['rev-parse', 'main']);
  await control('push', { repository, by: 'zoe-a', files: { 'b.txt': 'c\n' }, forced: true });
  const { items, isWhole } = (await evidence().listPushes?.(ref, 'main', at)) ?? { items: [], isWhole: false };
  expect(isWhole).toBe(true);
  expect(items).toMatchObject([
    {
      before: direct,
      after: story.git(['rev-parse', 'main']),
      isForced: true,
      pusher: { login: 'zoe-a@azure.example' },
    },
    { before, after: direct, at, isForced: false, activity: null, pusher: { login: 'ada@azure.example' } },
  ]);
  expect(await evidence().wasForced?.(ref, 'f'.repeat(40), direct)).toBe(null);
});

test('reports the pushers, votes, resets with their times, and commits of a merge', async () => {
  const { control } = sandbox;
  const number = numberOf('one');
  await control('push', { repository, branch: 'one', by: 'ada', files: { 'one.txt': '3\n' } });
  const head = story.git(['rev-parse', 'one']);
  await control('review', { repository, number, by: 'bob', at: ago(3) });
  const dismissedAt = ago(2);
  await control('dismiss', { repository, number, reviewer: 'bob', by: 'ada', at: dismissedAt });
  await control('plant', {
    repository,
    number,
    linkedIssues: [4, 5],
    labels: ['risk'],
    body: 'For PAY-1',
    autoMergeBy: 'zoe-a',
  });
  await control('check', { repository, sha: head, name: 'ci/build', conclusion: 'failure' });
  await control('merge', { repository, number, by: 'zoe-a', method: 'squash' });

  const { pullRequest, reviews, notes } = await azureDevops.getPullRequest(ref, number);
  expect(pullRequest).toMatchObject({
    body: 'For PAY-1',
    labels: ['risk'],
    isFromFork: false,
    headSha: head,
    mergeSha: story.git(['rev-parse', 'main']),
    mergedBy: { login: 'zoe-a@azure.example' },
    state: 'accepted',
  });
  expect(reviews).toMatchObject([{ state: 'dismissed', sha: null, user: { login: 'bob@azure.example' } }]);
  const read = { ...(notes && { notes }) };
  expect(await evidence().timelineOf(ref, number, read)).toEqual({
    dismissals: [{ reviewId: reviews[0]?.id, at: dismissedAt, state: 'approved' }],
    mergeRequestedBy: expect.objectContaining({ login: 'zoe-a@azure.example' }),
    isQueued: false,
    linkedIssues: 2,
  });
  expect((await evidence().pullRequestPushes(ref, pullRequest))[0]).toMatchObject({
    sha: head,
    atKnown: 'host',
    pusher: { login: 'ada@azure.example' },
  });
  const commits = await evidence().pullRequestCommits(ref, number);
  // A list has the first line of a message, and no parents.
  expect(commits.items.map(({ message }) => message)).toEqual([
    'Begin one',
    'Continue one\n\nCo-authored-by: Bob <bob@example.com>',
    'Change',
  ]);
  expect(commits.items.map(({ parents }) => parents)).toEqual([
    [expect.any(String)],
    ...commits.items.slice(0, -1).map(({ sha }) => [sha]),
  ]);
  expect(commits.items[0]?.author).toMatchObject({ login: 'zoe-a@azure.example', hostId: expect.any(String) });
  expect(await evidence().pullRequestFiles(ref, number)).toEqual({
    items: [{ path: 'one.txt', previousPath: null, status: 'added' }],
    isWhole: true,
  });
  expect(await evidence().checksOf(ref, head)).toMatchObject([
    { name: 'ci/build', app: expect.any(String), sha: head, conclusion: 'failure' },
  ]);
});

test('finds the pull request of each commit of a rebase and of a merge, and none of a direct push', async () => {
  const { control } = sandbox;
  const squashed = numberOf('four');
  await control('push', { repository, by: 'ada', files: { 'early.txt': '1\n' } });
  await control('merge', { repository, number: squashed, by: 'zoe-a', method: 'squash' });
  const afterSquash = story.git(['rev-parse', 'main']);
  expect(await evidence().pullsOf(ref, afterSquash)).toEqual([{ number: squashed, baseRef: 'main' }]);
  expect(await evidence().pullsOf(ref, story.git(['rev-parse', 'main~1']))).toEqual([]);
  // A squash leaves the commits of the branch outside of the target.
  expect(await evidence().pullsOf(ref, heads.get('four') ?? '')).toEqual([]);
  const rebased = numberOf('two');
  await control('merge', { repository, number: rebased, by: 'zoe-a', method: 'rebase' });
  for (const name of ['main', 'main~1'])
    expect(await evidence().pullsOf(ref, story.git(['rev-parse', name]))).toEqual([
      { number: rebased, baseRef: 'main' },
    ]);
  const merged = numberOf('three');
  await control('merge', { repository, number: merged, by: 'zoe-a', method: 'merge' });
  for (const name of ['main', 'main^2', 'main^2~1'])
    expect(await evidence().pullsOf(ref, story.git(['rev-parse', name]))).toEqual([
      { number: merged, baseRef: 'main' },
    ]);
  await control('push', { repository, by: 'ada', files: { 'late.txt': '1\n' } });
  expect(await evidence().pullsOf(ref, story.git(['rev-parse', 'main']))).toEqual([]);
});

test('compares commits by their files from the merge base', async () => {
  const head = heads.get('three') ?? '';
  const parent = story.git(['rev-parse', `${head}~1`]);
  const blob = story.git(['rev-parse', `${head}:three.txt`]);
  expect((await evidence().differenceOf(ref, parent, head)).items).toMatchObject([
    { path: 'three.txt', status: 'modified', blob, patch: null },
  ]);
  const base = heads.get('one') ?? '';
  expect(await evidence().differenceOf(ref, base, head)).toMatchObject({
    items: [{ path: 'three.txt', status: 'added', blob }],
    isWhole: true,
  });
  expect((await evidence().differenceOf(ref, head, parent)).items).toEqual([]);
});

const rules = {
  requiredReviews: 2,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
  requiredChecks: ['ci/build', 'Build all'],
};

test('reports policies, who may bypass them if the token may read permissions, and the builds that they require', async () => {
  const { control } = sandbox;
  await control('protect', { repository, rules: null });
  expect(await evidence().protectionOf(ref, 'main')).toBeUndefined();
  await control('protect', { repository, rules });
  const known = {
    requiredReviews: 2,
    dismissesStaleReviews: true,
    requiredChecks: ['ci/build', 'Build all'],
    requiredCheckCount: 2,
    requiredApps: [],
    unboundChecks: 2,
  };
  const strict = { ...known, allowsForcePush: false, allowsDeletion: false, includesAdmins: true };
  expect(await evidence().protectionOf(ref, 'main')).toEqual(strict);
  await control('protect', { repository, rules: { ...rules, includesAdmins: false } });
  expect(await evidence().protectionOf(ref, 'main')).toEqual({ ...strict, includesAdmins: false });
  await control('protect', { repository, rules: { ...rules, allowsForcePush: true } });
  expect(await evidence().protectionOf(ref, 'main')).toMatchObject({
    allowsForcePush: true,
    allowsDeletion: true,
    includesAdmins: false,
  });
  await control('azure-devops/role', { administrators: false });
  const unknown = { allowsForcePush: null, allowsDeletion: null, includesAdmins: null };
  expect(await evidence().protectionOf(ref, 'main')).toEqual({ ...known, ...unknown });
  expect(await evidence().tagsAreProtected(ref)).toBe(null);
  await control('azure-devops/role', { administrators: true });
  expect(await evidence().tagsAreProtected(ref)).toBe(false);
  const { headSha } = (await azureDevops.getPullRequest(ref, numberOf('two'))).pullRequest;
  await control('check', { repository, sha: headSha, name: 'Build all', conclusion: 'success' });
  expect(await evidence().checksOf(ref, headSha)).toMatchObject([
    { name: 'Build all', app: null, conclusion: 'success' },
  ]);
});

test('without the permission to read identities, authors have no accounts', async () => {
  const reader = sandbox.open(sandbox.tokenOf('ada', ['code']));
  const { items } = await reader.listCommits(ref, 'main', null);
  expect(items.map(({ author }) => author.login)).toEqual(items.map(() => null));
  expect((await azureDevops.listCommits(ref, 'main', null)).items[0]?.author.login).toContain('@azure.example');
});

test('creates a subscription for each event, changes their password, and removes them', async () => {
  const hooks = azureDevops.hooks;
  if (!hooks) throw new Error('There are no webhooks');
  const { kept } = sandbox.azureDevops;
  const hook = { url: 'https://sightline.example/api/webhooks/azure-devops?hook=1', secret: 'first' };
  const id = await hooks.createHook(ref, hook);
  expect(kept.hooks.map(({ eventType, password }) => [eventType, password])).toEqual(
    ['git.push', 'git.pullrequest.created', 'git.pullrequest.updated', 'git.pullrequest.merged'].map((event) => [
      event,
      'first',
    ]),
  );
  await hooks.setHookSecret(ref, id, { ...hook, secret: 'second' });
  expect(new Set(kept.hooks.map(({ password }) => password))).toEqual(new Set(['second']));
  await hooks.deleteHook(ref, id);
  await hooks.deleteHook(ref, id);
  expect(kept.hooks).toEqual([]);
  await sandbox.control('azure-devops/role', { administrators: false });
  await expect(hooks.createHook(ref, hook)).rejects.toMatchObject({ status: 403 });
  await sandbox.control('azure-devops/role', { administrators: true });
});
