import type { Person } from '../git/pull-request.ts';
import type { HostBehavior } from './hosts.ts';
import type { Plot } from './plots.ts';
import type { Direct, ExpectedChangeVerdict, Merge } from './story.ts';

// Expected verdicts derive from the planted data by separate rules. They must not use the evaluation code.

/**
 * The result of the required check at the merge, and whether the title names a ticket, which no issue tracker can
 * confirm.
 */
export type CheckOutcome = { checks: 'green' | 'again' | 'failed' | 'late' | 'none'; isKeyed: boolean };

const truthOf = (
  control: string,
  verdict: ExpectedChangeVerdict['verdict'],
  ...reasons: ExpectedChangeVerdict['reasons']
): ExpectedChangeVerdict => ({
  control,
  of: 'change',
  verdict,
  reasons,
});

export const expectedVerdictsOfPush = ({ isForced }: Direct): ExpectedChangeVerdict[] => [
  truthOf('CHG-01', 'fail', ['direct_push'], ['no_independent_approval']),
  {
    control: 'CHG-02',
    of: 'commits',
    verdict: 'fail',
    reasons: isForced ? [['direct_push'], ['forced_push']] : [['direct_push']],
  },
];

export const expectedVerdictsOfMerge = (
  change: Merge,
  plot: Plot,
  checked: CheckOutcome,
  telling: HostBehavior,
): ExpectedChangeVerdict[] => [
  approval(plot),
  { control: 'CHG-02', of: 'commits', verdict: 'pass', reasons: [['by_pull_request']] },
  separation(change, plot),
  telling.namesChecks ? checks(checked) : truthOf('CHG-05', 'missing_evidence', ['required_checks_unknown']),
  tickets(telling.linksIssues ? change.linkedIssues : [], checked),
  ...(plot.isByAgent && plot.approval === 'no' ? [{ ...approval(plot), control: 'AI-01' }] : []),
];

const approval = ({ approval: is, reasons }: Plot): ExpectedChangeVerdict => {
  if (is === 'yes') return truthOf('CHG-01', 'pass', ['independent_approval']);
  if (is === 'no') return truthOf('CHG-01', 'fail', ['no_independent_approval'], ...reasons);
  return truthOf('CHG-01', 'missing_evidence', ...reasons);
};

/** If the queue merged, the person who queued it requested the merge. */
const separation = ({ mergedBy, queuedBy }: Merge, plot: Plot): ExpectedChangeVerdict => {
  const { authors, isUnsure = false, approval: is, reasons } = plot;
  const isAuthor = authors.some((author) => isSamePerson(author, queuedBy ?? mergedBy));
  if (!isAuthor && !isUnsure) return truthOf('CHG-03', 'pass', ['merged_by_another']);
  if (is === 'yes') return truthOf('CHG-03', 'pass', ['independent_approval']);
  if (is === 'no') return truthOf('CHG-03', 'fail', ['merged_by_author'], ['no_independent_approval'], ...reasons);
  return truthOf('CHG-03', 'missing_evidence', ...reasons, ...(isAuthor ? [] : ([['merger_unresolved']] as const)));
};

const checks = ({ checks: went }: CheckOutcome): ExpectedChangeVerdict => {
  if (went === 'failed') return truthOf('CHG-05', 'fail', ['required_check_failed']);
  if (went === 'late') return truthOf('CHG-05', 'fail', ['required_check_late']);
  if (went === 'none') return truthOf('CHG-05', 'fail', ['required_check_missing']);
  return truthOf('CHG-05', 'pass', ['required_checks_passed']);
};

const tickets = (linkedIssues: readonly number[], { isKeyed }: CheckOutcome): ExpectedChangeVerdict => {
  if (linkedIssues.length > 0) return truthOf('CHG-06', 'pass', ['ticket_found']);
  return isKeyed
    ? truthOf('CHG-06', 'missing_evidence', ['tickets_missing'])
    : truthOf('CHG-06', 'fail', ['no_ticket']);
};

const isSamePerson = (one: Person, other: Person): boolean => one.email === other.email;
