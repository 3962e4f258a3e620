import type { PullRequest } from '@sightline/contract/sources/pull-requests.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

type Reviewed = Pick<PullRequest, 'status' | 'reviewers'>;
type ReviewState = PullRequest['reviewers'][number]['state'];

/** Where the review of a pull request stands. One objection outweighs any number of approvals. */
export function reviewOf({ status, reviewers }: Reviewed): { tone: Tone; words: string } {
  const has = (state: ReviewState) => reviewers.some((reviewer) => reviewer.state === state);
  if (has('changes_requested')) return { tone: 'yellow', words: 'Changes requested' };
  if (reviewers.some(({ state, afterLastPush }) => state === 'approved' && afterLastPush))
    return { tone: 'green', words: 'Approved' };
  // What was approved is not what is there now: an auditor must not read it as approved.
  if (has('approved')) return { tone: 'orange', words: 'Changed since approval' };
  if (has('commented')) return { tone: 'gray', words: 'Commented' };
  return { tone: 'gray', words: status === 'in-progress' ? 'Review requested' : 'No review' };
}

/** What a reviewer decided, in words. */
export const decisionNames: Record<ReviewState, string> = {
  approved: 'approved',
  changes_requested: 'requested changes',
  commented: 'commented',
  dismissed: 'review dismissed',
  pending: 'requested a review',
};
