import { ada, bob, createRepository, zoe } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GrantedHost } from '../connectable.ts';
import type { HostRef } from '../host-facts.ts';
import { activitiesFrom, reviewsFrom, timelineFrom } from './activities.ts';
import { pushFrom } from './evidence-shapes.ts';
import {
  buildConditionFrom,
  checksFrom,
  mergeChecksFrom,
  protectionFrom,
  restrictionFrom,
} from './protection-shapes.ts';
import { matches } from './ref-matchers.ts';
import { type SandboxDataCenter, startSandboxDataCenter } from './sandbox.fixture.ts';

let sandbox: SandboxDataCenter;
let host: GrantedHost;
const story = createRepository();
const ref: HostRef = { installationId: '1@host', owner: 'SANDBOX', name: 'widgets' };
const repository = 'sandbox/widgets';
const tips: Record<string, string> = {};

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
    await story.commit(`Continue ${branch}`, { [`${branch}.txt`]: '2\n' }, author);
  }
  story.git(['checkout', '--quiet', '--detach', 'main']);
  for (const name of ['two', 'three', 'three~1']) tips[name] = story.git(['rev-parse', name]);
  sandbox = await startSandboxDataCenter([story.path]);
  host = sandbox.open(sandbox.tokenOf());
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

/** Opens the host for each use, as the server does: it keeps the list of merged pull requests. */
const evidence = () => {
  const opened = sandbox.open(sandbox.tokenOf()).evidence;
  if (!opened) throw new Error('There is no evidence');
  return opened;
};
const numberOf = (headRef: string): number =>
  sandbox.sandbox.host.repositories[0]?.git.pullRequests.find((pull) => pull.headRef === headRef)?.number ?? 0;
const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();

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
      activity: 'forced_push',
      pusher: { login: 'zoe-a' },
    },
    { before, after: direct, at, isForced: false, activity: 'push', pusher: { login: 'ada' } },
  ]);
  expect(await evidence().wasForced?.(ref, 'f'.repeat(40), direct)).toBe(null);
});

test('reports the pushers, approvals, dismissals with their times, and commits of a merge', async () => {
  const { control } = sandbox;
  const number = numberOf('one');
  await control('push', { repository, branch: 'one', by: 'ada', files: { 'one.txt': '3\n' }, at: ago(4) });
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
  await control('check', { repository, sha: head, name: 'build', conclusion: 'failure' });
  await control('merge', { repository, number, by: 'zoe-a', method: 'squash' });

  const { pullRequest, reviews, notes } = await host.getPullRequest(ref, number);
  expect(pullRequest).toMatchObject({
    body: expect.stringContaining('For PAY-1'),
    isFromFork: false,
    headSha: head,
    mergeSha: story.git(['rev-parse', 'main']),
    state: 'accepted',
  });
  expect(reviews).toMatchObject([{ state: 'dismissed', sha: head, user: { login: 'bob' } }]);
  const read = { ...(notes && { notes }) };
  expect(await evidence().timelineOf(ref, number, read)).toEqual({
    dismissals: [{ reviewId: reviews[0]?.id, at: dismissedAt, state: 'approved' }],
    mergeRequestedBy: expect.objectContaining({ login: 'zoe-a' }),
    isQueued: false,
    linkedIssues: 0,
  });
  expect((await evidence().pullRequestPushes(ref, pullRequest))[0]).toMatchObject({
    sha: head,
    atKnown: 'host',
    pusher: { login: 'ada' },
  });
  const commits = await evidence().pullRequestCommits(ref, number);
  expect(commits.items.map(({ message }) => message)).toEqual(['Begin one', 'Continue one', 'Change']);
  expect(await evidence().checksOf(ref, head)).toMatchObject([{ name: 'build', app: null, conclusion: 'failure' }]);
});

test('finds the pull request of each commit of a rebase and of a merge, and none of a direct push', async () => {
  const { control } = sandbox;
  const [squashed] = [numberOf('one')];
  const afterSquash = story.git(['rev-parse', 'main']);
  expect(await evidence().pullsOf(ref, afterSquash)).toEqual([{ number: squashed, baseRef: 'main' }]);
  // The squash stands for three commits. The direct push below it belongs to none of them.
  const direct = story.git(['rev-parse', 'main~1']);
  expect(await evidence().pullsOf(ref, direct)).toEqual([]);
  const rebased = numberOf('two');
  await control('merge', { repository, number: rebased, by: 'zoe-a', method: 'rebase' });
  for (const name of ['main', 'main~1'])
    expect(await evidence().pullsOf(ref, story.git(['rev-parse', name]))).toEqual([
      { number: rebased, baseRef: 'main' },
    ]);
  expect(await evidence().pullsOf(ref, afterSquash)).toEqual([{ number: squashed, baseRef: 'main' }]);
  const merged = numberOf('three');
  await control('merge', { repository, number: merged, by: 'zoe-a', method: 'merge' });
  for (const name of ['main', 'main^2', 'main^2~1'])
    expect(await evidence().pullsOf(ref, story.git(['rev-parse', name]))).toEqual([
      { number: merged, baseRef: 'main' },
    ]);
  await control('push', { repository, by: 'ada', files: { 'late.txt': '1\n' } });
  expect(await evidence().pullsOf(ref, story.git(['rev-parse', 'main']))).toEqual([]);
});

test('compares commits from their merge base, with contents and hunks', async () => {
  const { two: base = '', three: head = '', 'three~1': parent = '' } = tips;
  const own = await evidence().differenceOf(ref, parent, head);
  expect(own.items).toMatchObject([{ path: 'three.txt', status: 'modified', patch: '@@ -1 +1 @@\n-1\n+2\n' }]);
  const { items, isWhole } = await evidence().differenceOf(ref, base, head);
  expect(isWhole).toBe(true);
  expect(items).toEqual([
    {
      path: 'three.txt',
      previousPath: null,
      status: 'added',
      blob: story.git(['rev-parse', `${head}:three.txt`]),
      patch: '@@ -0,0 +1 @@\n+2\n',
    },
  ]);
  expect((await evidence().differenceOf(ref, head, parent)).items).toEqual([]);
});

const rules = {
  requiredReviews: 2,
  dismissesStale: true,
  allowsForcePush: false,
  allowsDeletion: false,
  includesAdmins: true,
  requiredChecks: ['build'],
};

test('reports branch permissions to administrators, and merge checks to all', async () => {
  await sandbox.control('protect', { repository, rules: null });
  expect(await evidence().tagsAreProtected(ref)).toBe(false);
  expect(await evidence().protectionOf(ref, 'main')).toEqual({
    requiredReviews: 0,
    dismissesStaleReviews: false,
    allowsForcePush: true,
    allowsDeletion: true,
    includesAdmins: false,
    requiredChecks: [],
    requiredCheckCount: 0,
    requiredApps: [],
    unboundChecks: 0,
  });
  await sandbox.control('protect', { repository, rules });
  const known = { requiredReviews: 2, dismissesStaleReviews: true, requiredChecks: ['build'], requiredCheckCount: 1 };
  expect(await evidence().protectionOf(ref, 'main')).toEqual({
    ...known,
    allowsForcePush: false,
    allowsDeletion: false,
    includesAdmins: true,
    requiredApps: [],
    unboundChecks: 1,
  });
  await sandbox.control('protect', { repository, rules: { ...rules, includesAdmins: false } });
  expect(await evidence().protectionOf(ref, 'main')).toMatchObject({ includesAdmins: false });
  await sandbox.control('bitbucket-data-center/role', { administrators: false });
  expect(await evidence().protectionOf(ref, 'main')).toMatchObject({
    ...known,
    allowsForcePush: null,
    allowsDeletion: null,
    includesAdmins: null,
  });
  expect(await evidence().tagsAreProtected(ref)).toBe(null);
  await expect(evidence().listPushes?.(ref, 'main', ago(60))).rejects.toMatchObject({ status: 403 });
  await sandbox.control('bitbucket-data-center/role', { administrators: true });
});

const onMain = { id: 'refs/heads/main', type: { id: 'BRANCH' } };
const user = (name: string) => ({ id: name.length, name, type: 'NORMAL' });
const restriction = (type: string, exempt: object = {}) =>
  restrictionFrom({ id: 1, type, matcher: onMain, users: [], groups: [], accessKeys: [], ...exempt });
const key = (id: number) => ({ accessKeys: [{ key: { id } }] });
const without = { rejectsForcePush: false, checks: undefined };
const checks = { requiredChecks: null, requiredCheckCount: null, requiredApps: null, unboundChecks: null };

test.each([
  ['it has no exemption', [restriction('pull-request-only')], true],
  ['a user is exempt', [restriction('pull-request-only', { users: [user('ada')] })], false],
  ['a group is exempt', [restriction('pull-request-only', { groups: ['developers'] })], false],
  ['an access key is exempt', [restriction('pull-request-only', key(3))], false],
  ['only forced pushes are rejected', [restriction('fast-forward-only')], false],
  ['another one has no exemption', [restriction('read-only'), restriction('pull-request-only', key(3))], true],
  [
    'no account is exempt from both',
    [restriction('read-only', key(4)), restriction('pull-request-only', key(3))],
    true,
  ],
  ['one is exempt from both', [restriction('read-only', key(3)), restriction('pull-request-only', key(3))], false],
])('states whether restrictions bind everyone: %s', (_, restrictions, binds) => {
  expect(protectionFrom({ ...without, restrictions }, checks).includesAdmins).toBe(binds);
});

test('the hook that rejects forced pushes is as good as the restriction, but forbids no deletion', () => {
  expect(protectionFrom({ ...without, rejectsForcePush: true, restrictions: [] }, checks)).toMatchObject({
    allowsForcePush: false,
    allowsDeletion: true,
    includesAdmins: false,
  });
});

test.each([
  ['ANY_REF', 'ANY_REF_MATCHER_ID', true],
  ['BRANCH', 'refs/heads/main', true],
  ['BRANCH', 'refs/heads/maintenance', false],
  ['PATTERN', '*', true],
  ['PATTERN', 'ma?n', true],
  ['PATTERN', 'heads/**/main', true],
  ['PATTERN', 'release/*', false],
  ['PATTERN', 'main.', false],
  ['PATTERN', 'tags/', false],
  ['MODEL_BRANCH', 'development', true],
  ['MODEL_BRANCH', 'production', false],
  ['MODEL_CATEGORY', 'RELEASE', false],
  ['LATER_TYPE', 'main', undefined],
])('decides whether a matcher of the type %s with the ID %s applies to the branch', (type, id, applies) => {
  const model = { development: { id: 'refs/heads/main' }, types: [{ id: 'RELEASE', prefix: 'release/' }] };
  expect(matches({ id, type: { id: type } }, 'refs/heads/main', model) ?? undefined).toBe(applies);
});

test('the branching model decides, and without it nothing is known', () => {
  expect(matches({ id: 'development', type: { id: 'MODEL_BRANCH' } }, 'refs/heads/main', undefined)).toBeUndefined();
  expect(matches({ id: 'tags/**', type: { id: 'PATTERN' } }, 'refs/tags/v1/2', undefined)).toBe(true);
});

test('names required builds, except those that only have a number or cannot be decided', () => {
  const main = 'refs/heads/main';
  const condition = buildConditionFrom({ buildParentKeys: ['ci', 'lint'], refMatcher: onMain });
  expect(checksFrom(main, [condition], undefined, 0)).toMatchObject({
    requiredChecks: ['ci', 'lint'],
    requiredCheckCount: 2,
  });
  expect(checksFrom(main, [condition], undefined, 3)).toMatchObject({
    requiredChecks: ['ci', 'lint'],
    requiredCheckCount: 3,
  });
  expect(checksFrom(main, [], undefined, 2)).toMatchObject({ requiredChecks: null, requiredCheckCount: 2 });
  expect(checksFrom(main, [{ ...condition, exemptRefMatcher: onMain }], undefined, 0)).toMatchObject({
    requiredChecks: [],
  });
  const unknown = { ...condition, refMatcher: { id: 'production', type: { id: 'MODEL_BRANCH' } } };
  expect(checksFrom(main, [unknown], undefined, 0)).toMatchObject({ requiredChecks: null, requiredCheckCount: null });
  expect(checksFrom(main, null, undefined, 0)).toMatchObject({ requiredChecks: null, requiredCheckCount: null });
});

test.each([
  [
    { requiredApprovers: 2, unapproveOnUpdate: 'true' },
    { approvers: 2, builds: 0, unapprovesOnUpdate: true },
  ],
  [{ requiredApprovers: { enabled: true, count: '3' } }, { approvers: 3, builds: 0, unapprovesOnUpdate: false }],
  [{ requiredApprovers: { enable: false, count: 3 } }, { approvers: 0, builds: 0, unapprovesOnUpdate: false }],
  [{ requiredSuccessfulBuilds: 1 }, { approvers: 0, builds: 1, unapprovesOnUpdate: false }],
])('reads merge checks in the forms of several versions: %j', (json, found) => {
  expect(mergeChecksFrom(json)).toEqual(found);
});

const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
const pullRequest = (reviewers: object[] = []) => ({
  id: 1,
  title: 'Change',
  state: 'OPEN',
  createdDate: 1,
  updatedDate: 9,
  fromRef: { id: 'refs/heads/topic', displayId: 'topic', latestCommit: second },
  toRef: onMainRef,
  author: { user: user('ada') },
  reviewers,
});
const onMainRef = { id: 'refs/heads/main', displayId: 'main', latestCommit: first };
const activity = (at: number, action: string, by: string, more: object = {}) => ({
  id: at,
  createdDate: at,
  action,
  user: user(by),
  ...more,
});
const update = activity(4, 'RESCOPED', 'ada', { previousFromHash: first, fromHash: second });

test('an approval is for the head of the branch at its time, and the host names the commit of the last one', () => {
  const activities = activitiesFrom([activity(2, 'APPROVED', 'bob'), update, activity(6, 'REVIEWED', 'zoe')]);
  const json = pullRequest([
    { user: user('bob'), status: 'APPROVED' },
    { user: user('zoe'), status: 'NEEDS_WORK', lastReviewedCommit: first },
  ]);
  const found = reviewsFrom(json, activities, second).map(({ review }) => [
    review.user.login,
    review.state,
    review.sha,
  ]);
  expect(found).toEqual([
    ['bob', 'approved', first],
    ['zoe', 'changes_requested', first],
  ]);
});

test.each([
  ['the reviewer withdraws it', [activity(5, 'UNAPPROVED', 'bob')], '1970-01-01T00:00:00.005Z'],
  [
    'the reviewer is removed',
    [activity(5, 'UPDATED', 'ada', { removedReviewers: [user('bob')] })],
    '1970-01-01T00:00:00.005Z',
  ],
  ['only its absence shows it', [], null],
])('a decision that does not count is dismissed: %s', (_, more, at) => {
  const activities = activitiesFrom([activity(2, 'APPROVED', 'bob'), ...more]);
  const json = pullRequest([{ user: user('bob'), status: 'UNAPPROVED' }]);
  expect(reviewsFrom(json, activities, second).map(({ review }) => review.state)).toEqual(['dismissed']);
  expect(timelineFrom(json, activities).dismissals).toEqual([{ reviewId: '2', at, state: 'approved' }]);
});

test('a cancelled automatic merge has no requester', () => {
  const activities = [activity(2, 'AUTO_MERGE_REQUESTED', 'bob'), activity(3, 'AUTO_MERGE_CANCELLED', 'bob')];
  expect(timelineFrom(pullRequest(), activitiesFrom(activities)).mergeRequestedBy).toBe(null);
});

test.each([
  ['push', 'NOT_FORCED', 'push'],
  ['push', 'FORCED', 'forced_push'],
  ['push', 'UNKNOWN', null],
  ['PULL_REQUEST_MERGE', 'NOT_FORCED', 'pull_request_merge'],
  ['a later trigger', 'NOT_FORCED', null],
])('names the activity of the trigger %s with the update %s: %s', (trigger, updatedType, named) => {
  const refChange = { refId: 'refs/heads/main', fromHash: first, toHash: second, type: 'UPDATE', updatedType };
  const json = { createdDate: 5, user: user('ada'), trigger, refChange };
  expect(pushFrom(json, 'main')).toMatchObject({ activity: named, before: first, after: second });
  expect(pushFrom(json, 'other')).toBeUndefined();
});
