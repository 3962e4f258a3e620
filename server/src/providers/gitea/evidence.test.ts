import { ada, bob, createRepository, zoe } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GrantedHost } from '../connectable.ts';
import type { HostRef } from '../host-facts.ts';
import { timelineFrom } from './evidence-shapes.ts';
import { protectionFrom, ruleFrom } from './protection-shapes.ts';
import { reviewsFrom } from './pull-request-shapes.ts';
import { type SandboxGitea, startSandboxGitea } from './sandbox.fixture.ts';

let sandbox: SandboxGitea;
let gitea: GrantedHost;
const story = createRepository();
const ref: HostRef = { installationId: '1@host', owner: 'sandbox', name: 'widgets' };
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
  sandbox = await startSandboxGitea([story.path]);
  gitea = sandbox.open(sandbox.tokenOf());
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const evidence = () => {
  if (!gitea.evidence) throw new Error('There is no evidence');
  return gitea.evidence;
};
const numberOf = (headRef: string): number =>
  sandbox.sandbox.host.repositories[0]?.git.pullRequests.find((pull) => pull.headRef === headRef)?.number ?? 0;
/** Times of the API have whole seconds. */
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
    { before: direct, after: story.git(['rev-parse', 'main']), isForced: true, pusher: { login: 'zoe-a' } },
    { before, after: direct, at, isForced: false, activity: null, pusher: { login: 'ada' } },
  ]);
  expect(await evidence().wasForced?.(ref, 'f'.repeat(40), direct)).toBe(null);
});

test('reports the pushers, approvals, dismissals with their times, and commits of a merge', async () => {
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
  await control('check', { repository, sha: head, name: 'build', conclusion: 'failure' });
  await control('merge', { repository, number, by: 'zoe-a', method: 'squash' });

  const { pullRequest, reviews, notes } = await gitea.getPullRequest(ref, number);
  expect(pullRequest).toMatchObject({
    body: expect.stringContaining('For PAY-1'),
    labels: ['risk'],
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
    linkedIssues: 2,
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

test('compares a commit with its parent by hunks, and others by their trees from the merge base', async () => {
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
      patch: null,
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

test.each([false, true])(
  'reports branch protection to administrators, and less to others (Forgejo: %s)',
  async (forgejo) => {
    await sandbox.control('gitea/product', { forgejo });
    await sandbox.control('protect', { repository, rules: null });
    expect(await evidence().tagsAreProtected(ref)).toBe(false);
    expect(await evidence().protectionOf(ref, 'main')).toEqual({
      requiredReviews: 0,
      dismissesStaleReviews: false,
      allowsForcePush: true,
      allowsDeletion: false,
      includesAdmins: false,
      requiredChecks: [],
      requiredCheckCount: 0,
      requiredApps: [],
      unboundChecks: 0,
    });
    await sandbox.control('protect', { repository, rules });
    const known = { requiredReviews: 2, allowsDeletion: false, requiredChecks: ['build'], requiredCheckCount: 1 };
    expect(await evidence().protectionOf(ref, 'main')).toEqual({
      ...known,
      dismissesStaleReviews: true,
      allowsForcePush: false,
      includesAdmins: true,
      requiredApps: [],
      unboundChecks: 1,
    });
    await sandbox.control('protect', { repository, rules: { ...rules, includesAdmins: false } });
    expect(await evidence().protectionOf(ref, 'main')).toMatchObject({ includesAdmins: false });
    await sandbox.control('gitea/role', { administrators: false });
    expect(await evidence().protectionOf(ref, 'main')).toMatchObject({
      ...known,
      dismissesStaleReviews: null,
      allowsForcePush: null,
      includesAdmins: null,
    });
    expect(await evidence().tagsAreProtected(ref)).toBe(null);
    await sandbox.control('gitea/role', { administrators: true });
    await sandbox.control('gitea/product', { forgejo: false });
  },
);

test.each([
  ['administrators may merge in spite of it', {}, false],
  ['anyone may push', { enable_push: true, block_admin_merge_override: true }, false],
  ['no one may push', { enable_push: true, enable_push_whitelist: true, block_admin_merge_override: true }, true],
  [
    'deploy keys may push',
    {
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_deploy_keys: true,
      block_admin_merge_override: true,
    },
    false,
  ],
  ['some files are not protected', { apply_to_admins: true, unprotected_file_patterns: 'docs/**' }, false],
  ['it applies to administrators', { apply_to_admins: true }, true],
])('states whether a rule binds everyone: %s', (_, rule, binds) => {
  expect(protectionFrom(ruleFrom(rule)).includesAdmins).toBe(binds);
});

test('does not name required checks that a rule describes by patterns', () => {
  const rule = ruleFrom({ enable_status_check: true, status_check_contexts: ['ci/*', 'build'] });
  expect(protectionFrom(rule)).toMatchObject({ requiredChecks: null, requiredCheckCount: 2 });
});

const review = (id: number, state: string, more: object = {}) => ({
  id,
  state,
  user: { id: 5, login: 'bob' },
  commit_id: 'a'.repeat(40),
  official: true,
  dismissed: false,
  submitted_at: `2026-01-0${id}T00:00:00Z`,
  ...more,
});

test('an approval that the host does not count is a comment, unless a later decision replaced it', () => {
  const statesOf = (...items: object[]) => reviewsFrom(items).map(({ state }) => state);
  expect(statesOf(review(1, 'APPROVED'))).toEqual(['approved']);
  expect(statesOf(review(1, 'APPROVED', { official: false }))).toEqual(['commented']);
  expect(statesOf(review(1, 'APPROVED', { official: false }), review(2, 'REQUEST_CHANGES'))).toEqual([
    'approved',
    'changes_requested',
  ]);
  expect(statesOf(review(1, 'PENDING'), review(2, 'REQUEST_REVIEW'))).toEqual([]);
});

test('a review of a deleted account has no name', () => {
  const [found] = reviewsFrom([review(1, 'APPROVED', { user: { id: -1, login: 'Ghost' } })]);
  expect(found?.user).toEqual({ login: 'ghost', avatarUrl: null, isAgent: false });
});

test('a review that was dismissed without an event has no time', () => {
  expect(timelineFrom([], [review(1, 'APPROVED', { dismissed: true })]).dismissals).toEqual([
    { reviewId: '1', at: null, state: 'approved' },
  ]);
});
