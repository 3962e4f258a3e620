import { allScopes, createWorkspaceToken } from '@sightline/sandbox/bitbucket/bitbucket.ts';
import { ada, bob, createRepository, zoe } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import type { GrantedHost } from '../connectable.ts';
import { differencesFrom } from '../git-diff.ts';
import type { HostRef } from '../host-facts.ts';
import { createBitbucket } from './bitbucket.ts';
import { protectionFrom } from './evidence-shapes.ts';

let sandbox: SandboxGithub;
let bitbucket: GrantedHost;
const story = createRepository();
const ref: HostRef = { installationId: '', owner: 'sandbox', name: 'widgets' };
const repository = 'sandbox/widgets';

beforeAll(async () => {
  await story.start();
  await story.commit('First', { 'a.txt': 'a\n' });
  for (const [branch, author] of [
    ['one', zoe],
    ['two', ada],
    ['three', bob],
  ] as const) {
    story.git(['checkout', '--quiet', '-b', branch, 'main']);
    await story.commit(`Begin ${branch}`, { [`${branch}.txt`]: '1\n' }, author);
  }
  story.git(['checkout', '--quiet', '--detach', 'main']);
  sandbox = await startSandboxGithub([story.path]);
  bitbucket = openWith(allScopes);
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const openWith = (scopes: typeof allScopes): GrantedHost => {
  const { bitbucket: server, host } = sandbox.sandbox;
  const client = { id: host.app.clientId, secret: host.app.clientSecret };
  const cloud = createBitbucket({ url: server.url, apiUrl: server.api, client, sandboxPage: undefined });
  const token = createWorkspaceToken(server, 'sandbox', scopes);
  return cloud.open(server.url, async () => cloud.tokenFrom(token, undefined, 'sandbox').secret);
};
const evidence = (host = bitbucket) => {
  if (!host.evidence) throw new Error('Bitbucket has no evidence');
  return host.evidence;
};
const numberOf = (headRef: string): number =>
  sandbox.sandbox.host.repositories[0]?.git.pullRequests.find((pull) => pull.headRef === headRef)?.number ?? 0;

test('reports the later pushers, builds and commits of a merge', async () => {
  const number = numberOf('one');
  const first = story.git(['rev-parse', 'one']);
  await sandbox.control('push', { repository, branch: 'one', by: 'ada', files: { 'one.txt': '2\n' } });
  const head = story.git(['rev-parse', 'one']);
  await sandbox.control('plant', { repository, number, body: 'For PAY-1' });
  await sandbox.control('review', { repository, number, by: 'bob' });
  await sandbox.control('dismiss', { repository, number, reviewer: 'bob', by: 'bob' });
  await sandbox.control('check', { repository, sha: head, name: 'build', conclusion: 'failure' });
  await sandbox.control('check', { repository, sha: head, name: 'style', conclusion: null });
  await sandbox.control('merge', { repository, number, by: 'zoe-a', method: 'squash' });

  const { pullRequest, reviews } = await bitbucket.getPullRequest(ref, number);
  expect(pullRequest).toMatchObject({ body: 'For PAY-1', labels: [], isFromFork: false, headSha: head });
  expect(reviews).toMatchObject([{ user: { login: 'bob' }, state: 'dismissed', sha: head }]);
  expect(await evidence().pullRequestPushes(ref, pullRequest)).toMatchObject([
    { sha: head, atKnown: 'host', pusher: { login: 'ada' } },
    { sha: first, atKnown: 'after', pusher: null },
  ]);
  const commits = await evidence().pullRequestCommits(ref, number);
  expect(commits).toMatchObject({ isWhole: true, items: [{ sha: first }, { sha: head }] });
  expect(await evidence().pullsOf(ref, story.git(['rev-parse', 'main']))).toEqual([{ number, baseRef: 'main' }]);
  expect(await evidence().checksOf(ref, head)).toMatchObject([
    { name: 'build', sha: head, conclusion: 'failure' },
    { name: 'style', conclusion: null, completedAt: null },
  ]);
});

test('lists the files of a pull request, and the last change of a file', async () => {
  const number = numberOf('two');
  expect(await evidence().pullRequestFiles(ref, number)).toEqual({
    isWhole: true,
    items: [{ path: 'two.txt', previousPath: null, status: 'added' }],
  });
  const head = story.git(['rev-parse', 'two']);
  expect(await bitbucket.lastChangeOf(ref, head, 'two.txt')).toMatchObject({
    sha: head,
    author: { name: 'Ada Lovelace' },
  });
  expect((await bitbucket.lastChangeOf(ref, head, 'a.txt'))?.message.trim()).toBe('First');
  expect(await bitbucket.lastChangeOf(ref, head, 'none.txt')).toBeUndefined();
});

test('compares two commits from their merge base, file by file', async () => {
  const [base, head] = [story.git(['rev-parse', 'main']), story.git(['rev-parse', 'two'])];
  const blob = story.git(['rev-parse', '--short', 'two:two.txt']);
  expect(await evidence().differenceOf(ref, base, head)).toEqual({
    isWhole: true,
    items: [{ path: 'two.txt', previousPath: null, status: 'added', blob, patch: '@@ -0,0 +1 @@\n+1\n' }],
  });
});

test('reads the names of files in a diff of git', () => {
  const renamed = 'diff --git a/a b.txt b/c d.txt\nsimilarity index 100%\nrename from a b.txt\nrename to c d.txt\n';
  const quoted =
    'diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"\nnew file mode 100644\nindex 000..abc\n--- /dev/null\n+++ "b/\\303\\244.txt"\n@@ -0,0 +1 @@\n+diff --git a/x b/x\n';
  const binary = 'diff --git a/x y.png b/x y.png\ndeleted file mode 100644\nindex abc..000\nBinary files differ\n';
  expect(differencesFrom(renamed + quoted + binary)).toMatchObject([
    { path: 'c d.txt', previousPath: 'a b.txt', status: 'renamed', patch: '' },
    { path: '\\303\\244.txt', status: 'added', blob: 'abc', patch: '@@ -0,0 +1 @@\n+diff --git a/x b/x\n' },
    { path: 'x y.png', status: 'removed', blob: 'abc', patch: null },
  ]);
});

test('reports branch restrictions to administrators and refuses other roles', async () => {
  expect(await evidence().tagsAreProtected(ref)).toBe(false);
  expect(await evidence().protectionOf(ref, 'main')).toBe(undefined);
  const rules = {
    requiredReviews: 2,
    dismissesStale: true,
    allowsForcePush: false,
    allowsDeletion: false,
    includesAdmins: false,
    requiredChecks: ['build'],
  };
  await sandbox.control('protect', { repository, rules });
  expect(await evidence().protectionOf(ref, 'main')).toEqual({
    requiredReviews: 2,
    dismissesStaleReviews: true,
    allowsForcePush: false,
    allowsDeletion: false,
    includesAdmins: null,
    // Bitbucket requires a number of builds, by any reporter.
    requiredChecks: null,
    requiredCheckCount: 1,
    requiredApps: [],
    unboundChecks: 1,
  });
  const reader = openWith(allScopes.filter((scope) => scope !== 'repository:admin'));
  await expect(evidence(reader).protectionOf(ref, 'main')).rejects.toMatchObject({ status: 403 });
});

test.each([
  ['main', true],
  ['ma*', true],
  ['*', true],
  ['release/*', false],
  ['m*x*n', false],
  ['main*main', false],
])('applies a restriction of %s only to matching branches', (pattern, matches) => {
  const found = protectionFrom('main', [{ kind: 'force', branch_match_kind: 'glob', pattern }]);
  expect(found?.allowsForcePush).toBe(matches ? false : undefined);
});

test('reports settings that depend on the branching model as unknown', () => {
  const found = protectionFrom('main', [
    { kind: 'require_approvals_to_merge', value: 2, branch_match_kind: 'branching_model', branch_type: 'production' },
    { kind: 'delete', branch_match_kind: 'glob', pattern: 'main' },
  ]);
  expect(found).toMatchObject({ requiredReviews: null, allowsDeletion: false, allowsForcePush: true });
});
