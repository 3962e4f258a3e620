import type { HostName } from '../host-name.ts';
import { pullRequestScenarios } from '../pull-request-scenarios.ts';
import type { CheckStep, ExpectedCells, PullRequestRow, ScenarioSource } from './scenario-row.ts';

type Rest = Omit<PullRequestRow, 'kind' | 'name' | 'source' | 'parts' | 'expected'>;

const reviewed: PullRequestRow['parts'] = (people) => {
  const scenario = pullRequestScenarios.sound;
  if (scenario === undefined) throw new RangeError('There is no compliant scenario.');
  return scenario(people);
};

const row = (source: ScenarioSource, name: string, expected: ExpectedCells, rest: Rest): PullRequestRow => ({
  kind: 'pull request',
  name,
  source,
  parts: reviewed,
  expected,
  ...rest,
});

const noNames = 'Bitbucket requires a number of builds and does not name them.';
/** The result of CHG-05 where checks have names; the compliant result on Bitbucket applies to all. */
const named = (result: string, more: Partial<Record<HostName, { because: string; expected: ExpectedCells }>> = {}) => ({
  expected: { 'CHG-05': result },
  on: {
    bitbucket: { because: noNames, expected: { 'CHG-05': 'missing_evidence required_checks_unknown' } },
    ...more,
  },
});

type CreateRow = (
  name: string,
  checks: readonly CheckStep[],
  result: ReturnType<typeof named>,
  rest?: Rest,
) => PullRequestRow;

const checkedFrom =
  (source: ScenarioSource): CreateRow =>
  (name, checks, { expected, on }, rest = {}) =>
    row(source, name, expected, { checks, on, ...rest });

const [own, fromReview] = [checkedFrom('own'), checkedFrom('review')];

const unknownPushes =
  'missing_evidence authors_unattested last_pusher_missing last_pusher_unresolved merge_content_unknown pusher_unresolved pushers_missing';

const success: CheckStep = { conclusion: 'success' };
const failure: CheckStep = { conclusion: 'failure' };
/** The app that the branch protection names for the required check. */
export const requiredApp = 999;

/** The tickets that the history prepares in the issue tracker, beside those of the sandbox. */
export const trackerTickets = { moved: 'OPS-70', later: 'PAY-71', deleted: 'PAY-72', failing: 'PAY-500' } as const;

/** A pull request without linked issue, merged while an issue tracker is connected. */
const tracked = (name: string, result: string, title: string, rest: Rest = {}) =>
  row('own', name, { 'CHG-06': result }, { phase: 'issue tracker', hasLinkedIssue: false, title, ...rest });

/** Pull requests that differ in the results of the required check and in their tickets. */
export const checkRows: readonly PullRequestRow[] = [
  fromReview('the required check failed', [failure], named('fail required_check_failed'), {
    isRepresentative: true,
  }),
  own('the required check failed, then passed', [failure, success], named('pass required_checks_passed')),
  own('the required check passed, then failed', [success, failure], named('fail required_check_failed')),
  own(
    'the required check passed after the merge only',
    [{ ...success, when: 'after the merge' }],
    named('fail required_check_late'),
  ),
  own(
    'the required check failed again after the merge',
    [success, { ...failure, when: 'after the merge' }],
    named('pass required_checks_passed'),
  ),
  own('the required check did not run', [], named('fail required_check_missing')),
  own(
    'the required check ran on an earlier commit only',
    [{ ...success, on: 'first commit' }],
    named('fail required_check_missing'),
  ),
  own('the required check still ran', [{ conclusion: null }], named('fail required_check_late')),
  own('the required check was canceled', [{ conclusion: 'cancelled' }], named('fail required_check_failed')),
  own('the required check ended as neutral', [{ conclusion: 'neutral' }], named('pass required_checks_passed'), {
    notOn: { gitlab: 'Pipelines have no such result.', bitbucket: 'Builds have no such result.' },
  }),
  own('a commit status is the required check', [{ ...success, isStatus: true }], named('pass required_checks_passed')),
  fromReview('the required check was skipped', [{ conclusion: 'skipped' }], named('fail required_check_failed')),
  fromReview(
    'a commit status was set over the failed run',
    [failure, { ...success, isStatus: true }],
    named('fail required_check_failed'),
  ),
  fromReview(
    'another app reported the required check',
    [{ ...success, app: 1000 }],
    named('fail required_check_by_other_app'),
    {
      phase: 'checks of one app',
      notOn: {
        gitlab: 'Its pipelines are not reported by apps.',
        bitbucket: 'It does not bind builds to an app.',
      },
    },
  ),
  row(
    'review',
    'required checks were off around the merge',
    { 'CHG-05': 'fail required_check_disabled' },
    {
      phase: 'no checks',
      checks: [],
    },
  ),
  row(
    'own',
    'no ticket',
    { 'CHG-06': 'fail no_ticket' },
    {
      hasLinkedIssue: false,
      isRepresentative: true,
    },
  ),
  tracked('a ticket that the issue tracker has', 'pass ticket_found', 'PAY-1: Change the limits', {
    isRepresentative: true,
  }),
  tracked('one of two tickets exists', 'pass ticket_found', 'PAY-404, PAY-1: Change the limits'),
  tracked(
    'a ticket that was moved to another project',
    'pass ticket_found',
    `${trackerTickets.moved}: Change the limits`,
  ),
  {
    ...tracked('a ticket in a commit trailer only', 'pass ticket_found', 'Change the limits'),
    parts: (people) => {
      const parts = reviewed(people);
      return { ...parts, commits: parts.commits.map((commit) => ({ ...commit, trailers: ['Refs: PAY-1'] })) };
    },
  },
  tracked('a ticket that the issue tracker does not have', 'fail no_ticket', 'PAY-404: Change the limits', {
    isRepresentative: true,
  }),
  tracked('a ticket that was created after the merge', 'fail no_ticket', `${trackerTickets.later}: Change the limits`),
  tracked('a deleted ticket', 'fail no_ticket', `${trackerTickets.deleted}: Change the limits`),
  tracked(
    'a ticket that the issue tracker does not return',
    'missing_evidence tracker_unreachable',
    `${trackerTickets.failing}: Change the limits`,
    { isRepresentative: true },
  ),
  row(
    'own',
    'a ticket that no issue tracker can confirm',
    { 'CHG-06': 'missing_evidence tickets_missing' },
    {
      hasLinkedIssue: false,
      title: 'PAY-17: Change the limits',
    },
  ),
  row(
    'review',
    'the repository was disabled during the merge and enabled again',
    {},
    {
      phase: 'repository disabled',
      on: {
        bitbucket: {
          because: 'It lists no pushes, so that nothing about the pushes of that time is known.',
          expected: {
            'CHG-01': unknownPushes,
            'CHG-03': unknownPushes,
          },
        },
      },
    },
  ),
  row(
    'review',
    'a policy in observe mode exempts every source branch',
    { 'CHG-06': null },
    {
      phase: 'exempted by a policy',
      hasLinkedIssue: false,
    },
  ),
];
