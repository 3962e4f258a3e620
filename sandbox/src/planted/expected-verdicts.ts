import type { Person } from '../git/pull-request.ts';
import type { HostBehavior } from './host-scenarios.ts';
import type { PullRequestScenario } from './pull-request-scenarios.ts';
import type { Direct, ExpectedChangeVerdict, Merge } from './repository-scenario.ts';

// Expected verdicts derive from the planted data by separate rules. They must not use the evaluation code.

/**
 * The result of the required check at the merge, and whether the title names a ticket, which no issue tracker can
 * confirm.
 */
export type CheckOutcome = { checks: 'green' | 'again' | 'failed' | 'late' | 'none'; isKeyed: boolean };

const expectVerdict = (
  control: string,
  verdict: ExpectedChangeVerdict['verdict'],
  ...reasons: ExpectedChangeVerdict['reasons']
): ExpectedChangeVerdict => ({
  control,
  of: 'change',
  verdict,
  reasons,
});

/** Whether the merged commit counts as a direct push, and not as a merge of its pull request. */
export const isDirect = ({ isByPush }: Pick<Merge, 'isByPush'>, { tellsPushes = false }: HostBehavior): boolean =>
  isByPush && tellsPushes;

export const expectedVerdictsOfPush = ({ isForced }: Pick<Direct, 'isForced'>): ExpectedChangeVerdict[] => [
  expectVerdict('CHG-01', 'fail', ['direct_push'], ['no_independent_approval']),
  {
    control: 'CHG-02',
    of: 'commits',
    verdict: 'fail',
    reasons: isForced ? [['direct_push'], ['forced_push']] : [['direct_push']],
  },
];

export const expectedVerdictsOfMerge = (
  change: Merge,
  planted: PullRequestScenario,
  checked: CheckOutcome,
  hostBehavior: HostBehavior,
): ExpectedChangeVerdict[] => {
  if (isDirect(change, hostBehavior)) return expectedVerdictsOfPush({ isForced: false });
  const isByPush = change.isByPush && hostBehavior.reportsActivity;
  const scenario = isContentKnown(change, hostBehavior) ? planted : withUnknownContent(planted);
  return [
    isByPush ? expectVerdict('CHG-01', 'fail', ['merged_by_push']) : approval(scenario),
    arrival(isByPush, hostBehavior),
    separation(change, scenario, isByPush),
    hostBehavior.namesChecks
      ? checks(checked)
      : expectVerdict('CHG-05', 'missing_evidence', ['required_checks_unknown']),
    tickets(hostBehavior.linksIssues ? change.linkedIssues : [], checked),
    ...(scenario.isByAgent && scenario.approval === 'no' ? [{ ...approval(scenario), control: 'AI-01' }] : []),
  ];
};

/** Only some hosts report that commits were pushed directly; the others say so in every row. */
const arrival = (isByPush: boolean, { reportsActivity }: HostBehavior): ExpectedChangeVerdict => ({
  control: 'CHG-02',
  of: 'commits',
  verdict: isByPush ? 'fail' : 'pass',
  reasons: isByPush
    ? [['merged_by_push']]
    : [['by_pull_request'], ...(reportsActivity ? [] : [['host_activity_not_reported'] as const])],
});

/** A merge of several commits without a merge commit is compared from the start of its push, unless that is lost for good. */
const isContentKnown = ({ method, commits, lost }: Merge, { listsPushes, rebased }: HostBehavior): boolean =>
  method === 'merge' ||
  (method === 'rebase' && rebased === 'forward') ||
  commits.length === 1 ||
  listsPushes ||
  !lost.includes('push');

const withUnknownContent = (scenario: PullRequestScenario): PullRequestScenario => ({
  ...scenario,
  isContentUnknown: true,
  ...(scenario.approval !== 'no' && {
    approval: 'unknown',
    reasons: [...(scenario.approval === 'unknown' ? scenario.reasons : []), ['merge_content_unknown']],
  }),
});

const approval = ({ approval: independentApproval, reasons }: PullRequestScenario): ExpectedChangeVerdict => {
  if (independentApproval === 'yes') return expectVerdict('CHG-01', 'pass', ['independent_approval']);
  if (independentApproval === 'no') return expectVerdict('CHG-01', 'fail', ['no_independent_approval'], ...reasons);
  return expectVerdict('CHG-01', 'missing_evidence', ...reasons);
};

/** If the queue merged, the person who queued it requested the merge. */
const separation = (
  { mergedBy, queuedBy }: Merge,
  scenario: PullRequestScenario,
  isByPush: boolean,
): ExpectedChangeVerdict => {
  const { contributors, hasUnresolvedContributor = false, approval: independentApproval, reasons } = scenario;
  const { hasOwnMergeContent = false, isContentUnknown = false, isPushedByProgram = false } = scenario;
  // The merger wrote what only the merged commit has.
  const isAuthor = hasOwnMergeContent || contributors.some((author) => isSamePerson(author, queuedBy ?? mergedBy));
  const unproven: ExpectedChangeVerdict['reasons'] = [
    ...(isContentUnknown ? ([['merge_content_unknown']] as const) : []),
    ...(isPushedByProgram ? ([['authors_unattested']] as const) : []),
  ];
  if (!isAuthor && !hasUnresolvedContributor && unproven.length === 0)
    return expectVerdict('CHG-03', 'pass', ['merged_by_another']);
  if (isByPush && isAuthor) return expectVerdict('CHG-03', 'fail', ['merged_by_author'], ['merged_by_push']);
  if (independentApproval === 'yes') return expectVerdict('CHG-03', 'pass', ['independent_approval']);
  if (independentApproval === 'no' && !isAuthor) return expectVerdict('CHG-03', 'missing_evidence', ...unproven);
  if (independentApproval === 'no')
    return expectVerdict('CHG-03', 'fail', ['merged_by_author'], ['no_independent_approval'], ...reasons);
  return expectVerdict(
    'CHG-03',
    'missing_evidence',
    ...reasons,
    ...(isAuthor || unproven.length > 0 ? [] : ([['merger_unresolved']] as const)),
  );
};

const checks = ({ checks: outcome }: CheckOutcome): ExpectedChangeVerdict => {
  if (outcome === 'failed') return expectVerdict('CHG-05', 'fail', ['required_check_failed']);
  if (outcome === 'late') return expectVerdict('CHG-05', 'fail', ['required_check_late']);
  if (outcome === 'none') return expectVerdict('CHG-05', 'fail', ['required_check_missing']);
  return expectVerdict('CHG-05', 'pass', ['required_checks_passed']);
};

const tickets = (linkedIssues: readonly number[], { isKeyed }: CheckOutcome): ExpectedChangeVerdict => {
  if (linkedIssues.length > 0) return expectVerdict('CHG-06', 'pass', ['ticket_found']);
  return isKeyed
    ? expectVerdict('CHG-06', 'missing_evidence', ['tickets_missing'])
    : expectVerdict('CHG-06', 'fail', ['no_ticket']);
};

const isSamePerson = (one: Person, other: Person): boolean => one.email === other.email;
