import { ada, bob, createRepository, zoe } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GrantedHost } from '../connectable.ts';
import type { HostRef } from '../host-facts.ts';
import { timelineFrom } from './evidence-shapes.ts';
import { protectionFrom } from './protection-shapes.ts';
import { type SandboxGitlab, startSandboxGitlab } from './sandbox.fixture.ts';

let sandbox: SandboxGitlab;
let gitlab: GrantedHost;
const story = createRepository();
const ref: HostRef = { installationId: 'group', owner: 'sandbox/code', name: 'widgets' };
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
  sandbox = await startSandboxGitlab([story.path]);
  gitlab = sandbox.open(sandbox.tokenOf());
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const evidence = () => {
  if (!gitlab.evidence) throw new Error('GitLab has no evidence');
  return gitlab.evidence;
};
const numberOf = (headRef: string): number =>
  sandbox.sandbox.host.repositories[0]?.git.pullRequests.find((pull) => pull.headRef === headRef)?.number ?? 0;

test('lists pushes with their time, pusher and discarded commits', async () => {
  const { control } = sandbox;
  const before = story.git(['rev-parse', 'main']);
  const at = new Date(Date.now() - 5_000).toISOString();
  await control('push', { repository, by: 'ada', files: { 'b.txt': 'b\n' }, at });
  const direct = story.git(['rev-parse', 'main']);
  await control('push', { repository, by: 'zoe-a', files: { 'b.txt': 'c\n' }, forced: true });
  const { items, isWhole } = (await evidence()
    .listPushes?.(ref, 'main', at)
    .then((list) => list)) ?? { items: [], isWhole: false };
  expect(isWhole).toBe(true);
  expect(items).toMatchObject([
    { before: direct, after: story.git(['rev-parse', 'main']), isForced: true, pusher: { login: 'zoe-a' } },
    { before, after: direct, at, isForced: false, pusher: { login: 'ada' } },
  ]);
  expect(await evidence().wasForced?.(ref, 'f'.repeat(40), direct)).toBe(null);
});

test('reports the pushers, approvals, dismissals and commits of a merge', async () => {
  const { control } = sandbox;
  const number = numberOf('one');
  await control('push', { repository, branch: 'one', by: 'ada', files: { 'one.txt': '2\n' } });
  const head = story.git(['rev-parse', 'one']);
  await control('review', { repository, number, by: 'bob', at: new Date(Date.now() - 3_000).toISOString() });
  await control('review', { repository, number, by: 'ada', at: new Date(Date.now() - 3_000).toISOString() });
  const dismissedAt = new Date(Date.now() - 2_000).toISOString();
  await control('dismiss', { repository, number, reviewer: 'bob', by: 'bob', at: dismissedAt });
  // Like a push that resets approvals: without a note.
  await control('dismiss', { repository, number, reviewer: 'ada', by: 'zoe-a' });
  await control('plant', {
    repository,
    number,
    linkedIssues: [4, 5],
    labels: ['risk'],
    body: 'For PAY-1',
    autoMergeBy: 'zoe-a',
  });
  await control('check', { repository, sha: head, name: 'any', conclusion: 'failure' });
  await control('merge', { repository, number, by: 'zoe-a', method: 'squash' });

  const { pullRequest, reviews } = await gitlab.getPullRequest(ref, number);
  expect(pullRequest).toMatchObject({ body: 'For PAY-1', labels: ['risk'], isFromFork: false, headSha: head });
  const timeline = await evidence().timelineOf(ref, number);
  const idOf = (login: string) => reviews.find((review) => review.user.login === login)?.id;
  expect(timeline).toEqual({
    dismissals: [
      { reviewId: idOf('bob'), at: dismissedAt, state: 'approved' },
      { reviewId: idOf('ada'), at: null, state: 'approved' },
    ],
    mergeRequestedBy: expect.objectContaining({ login: 'zoe-a' }),
    isQueued: false,
    linkedIssues: 2,
  });
  expect((await evidence().pullRequestPushes(ref, pullRequest))[0]).toMatchObject({
    sha: head,
    atKnown: 'host',
    pusher: { login: 'ada' },
  });
  const commits = await evidence().pullRequestCommits(ref, number);
  expect(commits.items.map(({ message }) => message)).toEqual(['Begin one', 'Change']);
  expect(commits.items[1]?.author.login).toBe('ada');
  expect(await evidence().pullsOf(ref, story.git(['rev-parse', 'main']))).toEqual([{ number, baseRef: 'main' }]);
  expect(await evidence().checksOf(ref, head)).toMatchObject([{ name: 'pipeline', sha: head, conclusion: 'failure' }]);
});

test('lists the files of a pull request, and the last change of a file', async () => {
  const number = numberOf('two');
  expect(await evidence().pullRequestFiles(ref, number)).toEqual({
    isWhole: true,
    items: [{ path: 'two.txt', previousPath: null, status: 'added', blob: null, patch: '' }],
  });
  const head = story.git(['rev-parse', 'two']);
  expect(await gitlab.lastChangeOf(ref, head, 'two.txt')).toMatchObject({
    sha: head,
    author: { name: 'Ada Lovelace' },
  });
  expect((await gitlab.lastChangeOf(ref, head, 'a.txt'))?.message.trim()).toBe('First');
  expect(await gitlab.lastChangeOf(ref, head, 'none.txt')).toBeUndefined();
});

test('compares two commits from their merge base, file by file', async () => {
  const [base, head] = [story.git(['rev-parse', 'main']), story.git(['rev-parse', 'two'])];
  const { items, isWhole } = await evidence().differenceOf(ref, base, head);
  expect(isWhole).toBe(true);
  expect(items).toEqual([
    { path: 'two.txt', previousPath: null, status: 'added', blob: null, patch: '@@ -0,0 +1 @@\n+1\n' },
  ]);
});

test('reports branch protection to maintainers and refuses other roles', async () => {
  const open = { requiredReviews: 0, dismissesStaleReviews: false, allowsForcePush: true, includesAdmins: false };
  expect(await evidence().tagsAreProtected(ref)).toBe(false);
  expect(await evidence().protectionOf(ref, 'main')).toEqual({
    ...open,
    allowsDeletion: false,
    requiredChecks: [],
    requiredCheckCount: 0,
    requiredApps: [],
    unboundChecks: 0,
  });
  const rules = {
    requiredReviews: 2,
    dismissesStale: true,
    allowsForcePush: false,
    allowsDeletion: false,
    includesAdmins: true,
    requiredChecks: ['build'],
  };
  await sandbox.control('protect', { repository, rules });
  expect(await evidence().protectionOf(ref, 'main')).toEqual({
    requiredReviews: 2,
    dismissesStaleReviews: true,
    allowsForcePush: false,
    allowsDeletion: false,
    includesAdmins: true,
    requiredChecks: ['pipeline'],
    requiredCheckCount: 1,
    requiredApps: [],
    unboundChecks: 0,
  });
  await sandbox.control('gitlab/role', { maintainers: false });
  await expect(evidence().protectionOf(ref, 'main')).rejects.toMatchObject({ status: 403 });
  await sandbox.control('gitlab/role', { maintainers: true });
});

test.each([
  ['rules about other branches', [{ approvals_required: 3, protected_branches: [{ name: 'release' }] }], 0],
  ['a pattern that may be about it', [{ approvals_required: 3, protected_branches: [{ name: 'ma*' }] }], null],
  ['rules of all protected branches', [{ approvals_required: 1, applies_to_all_protected_branches: true }], 1],
  ['an edition without them', undefined, null],
])('derives the number of required reviews from %s', (_, rules, required) => {
  const settings = { default_branch: 'main', only_allow_merge_if_pipeline_succeeds: false };
  const protection = { allow_force_push: false, push_access_levels: [{ access_level: 40 }] };
  const found = protectionFrom('main', { settings, protection, approvals: undefined, rules });
  expect(found).toMatchObject({ requiredReviews: required, dismissesStaleReviews: null, includesAdmins: false });
});

test('ignores a merge train that the merge request left', () => {
  const note = (id: number, body: string) => ({
    id,
    body,
    system: true,
    created_at: '2026-01-01T00:00:00Z',
    author: { username: 'ada' },
  });
  const train = [note(1, 'started a merge train'), note(2, 'removed this merge request from the merge train')];
  expect(timelineFrom(train, undefined)).toEqual({ dismissals: [], mergeRequestedBy: null, isQueued: false });
  expect(timelineFrom(train.slice(0, 1), undefined)).toMatchObject({
    isQueued: true,
    mergeRequestedBy: { login: 'ada' },
  });
});
