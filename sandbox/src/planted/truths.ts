import type { Person } from '../git/pull-request.ts';
import type { Telling } from './hosts.ts';
import type { Plot } from './plots.ts';
import type { Direct, Merge, Truth } from './story.ts';

// What is true follows from what was planted, by rules of its own: nothing here may ask the code that evaluates.

/** How the required check went by the merge, and whether the title names a ticket, of which nobody can ask a tracker. */
export type CheckOutcome = { checks: 'green' | 'again' | 'failed' | 'late' | 'none'; isKeyed: boolean };

const whole = (control: string, verdict: Truth['verdict'], ...reasons: Truth['reasons']): Truth => ({
  control,
  of: 'change',
  verdict,
  reasons,
});

export const truthsOfDirect = ({ isForced }: Direct): Truth[] => [
  whole('CHG-01', 'fail', ['direct_push'], ['no_independent_approval']),
  {
    control: 'CHG-02',
    of: 'commits',
    verdict: 'fail',
    reasons: isForced ? [['direct_push'], ['forced_push']] : [['direct_push']],
  },
];

export const truthsOfMerge = (change: Merge, plot: Plot, checked: CheckOutcome, telling: Telling): Truth[] => [
  approval(plot),
  { control: 'CHG-02', of: 'commits', verdict: 'pass', reasons: [['by_pull_request']] },
  separation(change, plot),
  telling.namesChecks ? checks(checked) : whole('CHG-05', 'missing_evidence', ['required_checks_unknown']),
  tickets(telling.linksIssues ? change.linkedIssues : [], checked),
  ...(plot.isByAgent && plot.approval === 'no' ? [{ ...approval(plot), control: 'AI-01' }] : []),
];

const approval = ({ approval: is, reasons }: Plot): Truth => {
  if (is === 'yes') return whole('CHG-01', 'pass', ['independent_approval']);
  if (is === 'no') return whole('CHG-01', 'fail', ['no_independent_approval'], ...reasons);
  return whole('CHG-01', 'missing_evidence', ...reasons);
};

/** Whoever queued it had it merged, where the queue did. */
const separation = ({ mergedBy, queuedBy }: Merge, plot: Plot): Truth => {
  const { authors, isUnsure = false, approval: is, reasons } = plot;
  const isAuthor = authors.some((author) => isOne(author, queuedBy ?? mergedBy));
  if (!isAuthor && !isUnsure) return whole('CHG-03', 'pass', ['merged_by_another']);
  if (is === 'yes') return whole('CHG-03', 'pass', ['independent_approval']);
  if (is === 'no') return whole('CHG-03', 'fail', ['merged_by_author'], ['no_independent_approval'], ...reasons);
  return whole('CHG-03', 'missing_evidence', ...reasons, ...(isAuthor ? [] : ([['merger_unresolved']] as const)));
};

const checks = ({ checks: went }: CheckOutcome): Truth => {
  if (went === 'failed') return whole('CHG-05', 'fail', ['required_check_failed']);
  if (went === 'late') return whole('CHG-05', 'fail', ['required_check_late']);
  if (went === 'none') return whole('CHG-05', 'fail', ['required_check_missing']);
  return whole('CHG-05', 'pass', ['required_checks_passed']);
};

const tickets = (linkedIssues: readonly number[], { isKeyed }: CheckOutcome): Truth => {
  if (linkedIssues.length > 0) return whole('CHG-06', 'pass', ['ticket_found']);
  return isKeyed ? whole('CHG-06', 'missing_evidence', ['tickets_missing']) : whole('CHG-06', 'fail', ['no_ticket']);
};

const isOne = (one: Person, other: Person): boolean => one.email === other.email;
