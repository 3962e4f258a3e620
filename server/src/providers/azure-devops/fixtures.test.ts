import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readPush } from './commit-shapes.ts';
import { appliesTo, checksFrom, readPolicy, reviewsFrom } from './policy-shapes.ts';
import { pullRequestFrom, readPullRequest } from './pull-request-shapes.ts';
import { list } from './shapes.ts';
import {
  dismissalsFrom,
  headUpdatesFrom,
  reviewersFrom,
  threadsFrom,
  reviewsFrom as votesAsReviews,
  votesFrom,
} from './threads.ts';
import { azureDevopsWebhooks } from './webhooks.ts';

// Published examples, see fixtures/MANIFEST.md.
const example = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));

test('reads pushes', () => {
  expect(list.parse(example('pushes')).map(readPush)).toMatchObject([
    {
      pushId: 3,
      date: '2014-01-29T23:53:35.705Z',
      pushedBy: { login: 'fabrikamfiber3@hotmail.com', hostId: '8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d', isAgent: false },
      refUpdates: [{ name: 'refs/heads/develop', newObjectId: '67cae2b029dff7eb3dc062b49403aaedca5bad8d' }],
    },
    { pushId: 2 },
  ]);
});

test('reads policies of a branch, of all repositories or of one', () => {
  const [reviewers, minimum] = list.parse(example('policies')).map(readPolicy);
  if (!reviewers || !minimum) throw new Error('The example has two policies');
  const place = { repositoryId: '49c1d4d0-be28-4f20-9e0a-4ecfafc39257', branch: 'master', isDefault: true };
  const other = { ...place, repositoryId: '00000000-0000-0000-0000-000000000001' };
  expect([place, other].map((one) => appliesTo(reviewers, one))).toEqual([true, true]);
  expect([place, other].map((one) => appliesTo(reviewers, { ...one, branch: 'adventureworks' }))).toEqual([
    true,
    false,
  ]);
  expect(appliesTo(reviewers, { ...other, branch: 'releases/1' })).toBe(true);
  expect(appliesTo(reviewers, { ...other, branch: 'release' })).toBe(false);
  // It only advises.
  expect(appliesTo(minimum, place)).toBe(false);
  // It applies to some files only.
  expect(reviewsFrom([reviewers])).toEqual({ requiredReviews: 0, dismissesStaleReviews: false });
});

test('reads a pull request', () => {
  const found = readPullRequest(example('pull-request'));
  const given = {
    repositoryURL: 'https://dev.azure.com/fabrikam/p/_git/r',
    updatedAt: found.creationDate,
    mergeBase: undefined,
  };
  expect(pullRequestFrom(found, given)).toMatchObject({
    number: 22,
    state: 'in-progress',
    headRef: 'npaulk/my_work',
    baseRef: 'new_feature',
    headSha: '8c9396b5cf22f929767c7172e9dbbe777ddc6357',
    mergeSha: null,
    labels: [],
    url: 'https://dev.azure.com/fabrikam/p/_git/r/pullrequest/22',
  });
});

test('reads votes and pushes of threads in the older format, which names people by their ID', () => {
  const threads = threadsFrom(list.parse(example('threads')));
  const reviewers = reviewersFrom(readPullRequest(example('pull-request')).reviewers ?? []);
  const votes = votesFrom(threads, reviewers);
  expect(votesAsReviews(votes, '2016-11-01T16:30:31.000Z')).toMatchObject([
    {
      id: '143',
      state: 'approved',
      submittedAt: '2016-11-01T16:30:36.580Z',
      user: { login: 'fabrikamfiber16@hotmail.com' },
    },
  ]);
  expect(dismissalsFrom(votes)).toEqual([]);
  expect(headUpdatesFrom(threads)).toMatchObject([{ sha: '8c9396b5cf22f929767c7172e9dbbe777ddc6357', pusher: null }]);
});

test('reads deliveries of service hooks', () => {
  const push = Buffer.from(JSON.stringify(example('webhook-push')));
  const named = azureDevopsWebhooks.name(push, () => '');
  expect(named).toEqual({ deliveryId: 'git.push:8fda2152-0de0-4031-9127-98a472f586e0', event: 'git.push' });
  expect(azureDevopsWebhooks.read('git.push', example('webhook-push') as Record<string, unknown>)).toMatchObject([
    {
      kind: 'push',
      ref: 'refs/heads/master',
      isWhole: false,
      pusher: { login: 'Windows Live ID\\will.smythe@live.com' },
    },
  ]);
  const merged = example('webhook-pull-request-merged') as Record<string, unknown>;
  const [pull] = azureDevopsWebhooks.read('git.pullrequest.merged', merged);
  expect(pull).toEqual({
    kind: 'pull_request',
    repository: { id: '4bc14d40-c903-45e2-872e-0462c7748079', pushedAt: null },
    number: 1,
    parsePayload: undefined,
  });
});

const policy = (type: string, settings: object, more: object = {}) =>
  readPolicy({
    type: { id: type },
    isEnabled: true,
    isBlocking: true,
    settings: { scope: [{ repositoryId: null, matchKind: 'DefaultBranch' }], ...settings },
    ...more,
  });
const minimumReviewers = 'fa4e907d-c16b-4a4c-9dfa-4906e5d171dd';

test.each([
  ['two of others', { minimumApproverCount: 2 }, 2, false],
  ['one, which may be that of the author', { minimumApproverCount: 1, creatorVoteCounts: true }, 0, false],
  ['two, of which one may be that of the author', { minimumApproverCount: 2, creatorVoteCounts: true }, 1, false],
  ['one, reset by pushes', { minimumApproverCount: 1, resetOnSourcePush: true }, 1, true],
  ['one for the last version', { minimumApproverCount: 1, requireVoteOnLastIteration: true }, 1, true],
  ['two, one for the last version', { minimumApproverCount: 2, requireVoteOnLastIteration: true }, 2, false],
])('states the reviews that a policy requires: %s', (_, settings, requiredReviews, dismissesStaleReviews) => {
  expect(reviewsFrom([policy(minimumReviewers, settings)])).toEqual({ requiredReviews, dismissesStaleReviews });
});

test('names required statuses and builds, and the account that a status must come from', () => {
  const [status, build] = ['cbdc66da-9728-4af8-aada-9a5a32e4a226', '0609b952-1397-4640-95ec-e00a01b2c241'];
  const author = 'D6245F20-2AF8-44F4-9451-8107CB2767DB';
  expect(
    checksFrom([
      policy(status, { statusGenre: 'ci', statusName: 'lint', authorId: author }),
      policy(status, { statusName: 'scan' }),
      policy(build, { buildDefinitionId: 5, displayName: 'Build all' }),
      policy(build, { buildDefinitionId: 6, displayName: 'Build docs', filenamePatterns: ['/docs/*'] }),
    ]),
  ).toEqual({
    requiredChecks: ['ci/lint', 'scan', 'Build all'],
    requiredCheckCount: 3,
    requiredApps: [{ name: 'ci/lint', app: author.toLowerCase() }],
    unboundChecks: 2,
  });
});

test('a policy for default branches applies to these only, and a disabled or deleted one to none', () => {
  const place = { repositoryId: 'any', branch: 'main', isDefault: true };
  expect(appliesTo(policy(minimumReviewers, {}), place)).toBe(true);
  expect(appliesTo(policy(minimumReviewers, {}), { ...place, isDefault: false })).toBe(false);
  expect(appliesTo(policy(minimumReviewers, {}, { isEnabled: false }), place)).toBe(false);
  expect(appliesTo(policy(minimumReviewers, {}, { isDeleted: true }), place)).toBe(false);
});

const at = (minute: number) => `2026-01-01T10:0${minute}:00.000Z`;
const people = { 1: { id: 'a1', uniqueName: 'ada' }, 2: { id: 'b2', uniqueName: 'bob' } };
const thread = (id: number, type: string, properties: Record<string, unknown>) => ({
  id,
  publishedDate: at(id),
  identities: people,
  properties: Object.fromEntries(
    Object.entries({ CodeReviewThreadType: type, ...properties }).map(([name, $value]) => [name, { $value }]),
  ),
});
const vote = (id: number, value: number, by = '1') =>
  thread(id, 'VoteUpdate', { CodeReviewVoteResult: value, CodeReviewVotedByIdentity: by });
const statesOf = (threads: object[], ...present: object[]) => {
  const votes = votesFrom(threadsFrom(threads), reviewersFrom(present));
  const ends = new Map(dismissalsFrom(votes).map((one) => [one.reviewId, one.at]));
  return votesAsReviews(votes, at(0)).map(({ id, user, state }) => [user.login, state, ends.get(id)]);
};

test('votes end by a withdrawal, a reset, or with the reviewer, at a known time', () => {
  const ada = { ...people[1], vote: 10 };
  const none = { ...people[1], vote: 0 };
  expect(statesOf([vote(1, 10)], ada)).toEqual([['ada', 'approved', undefined]]);
  expect(statesOf([vote(1, 5), vote(2, -5)], { ...ada, vote: -5 })).toEqual([
    ['ada', 'approved', undefined],
    ['ada', 'changes_requested', undefined],
  ]);
  expect(statesOf([vote(1, 10), vote(2, 0)], none)).toEqual([['ada', 'dismissed', at(2)]]);
  expect(statesOf([vote(1, 10), thread(2, 'ResetAllVotes', {})], none)).toEqual([['ada', 'dismissed', at(2)]]);
  const some = { CodeReviewResetMultipleVotesNumVoters: 1, CodeReviewResetMultipleVotesExampleVoterIdentities: '1' };
  expect(statesOf([vote(1, 10), thread(2, 'ResetMultipleVotes', some)], none)).toEqual([['ada', 'dismissed', at(2)]]);
  const removed = { CodeReviewReviewersUpdatedRemovedIdentity: '1' };
  expect(statesOf([vote(1, 10), thread(2, 'ReviewersUpdate', removed)])).toEqual([['ada', 'dismissed', at(2)]]);
});

test('a vote that is no longer there, or that was never recorded, has an unknown end', () => {
  expect(statesOf([vote(1, 10)], { ...people[1], vote: 0 })).toEqual([['ada', 'dismissed', null]]);
  expect(statesOf([vote(1, 10)])).toEqual([['ada', 'dismissed', null]]);
  expect(statesOf([], { ...people[2], vote: 10 })).toEqual([['bob', 'dismissed', null]]);
});

test('the vote of a group is no vote of its own', () => {
  expect(statesOf([], { id: 'c3', displayName: '[p]\\Team', vote: 10, isContainer: true })).toEqual([]);
});

const headersOf = (authorization: string) => (name: string) => (name === 'authorization' ? authorization : '');
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test('accepts a delivery only with the password of its hook', () => {
  const check = (authorization: string) => azureDevopsWebhooks.signatureOf('secret', headersOf(authorization));
  expect(check(basic('sightline:secret'))?.isValid()).toBe(true);
  for (const wrong of ['', basic('sightline:other'), basic('other:secret'), basic(''), 'Bearer secret', 'Basic ???'])
    expect(check(wrong)).toBeUndefined();
  const strict = azureDevopsWebhooks.signatureOf('secret', headersOf(basic('sightline:secret')), { mustSign: true });
  expect(strict).toBeUndefined();
});
