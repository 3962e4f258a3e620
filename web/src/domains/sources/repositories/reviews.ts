import type { PullRequest } from '@sightline/contract/sources/pull-requests.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

type Reviewed = Pick<PullRequest, 'status' | 'reviewers'>;
type ReviewState = PullRequest['reviewers'][number]['state'];

/** Returns the review status of a pull request. One change request outweighs any number of approvals. */
export function reviewStatusOf({ status, reviewers }: Reviewed): { tone: Tone; words: string } {
  const has = (state: ReviewState) => reviewers.some((reviewer) => reviewer.state === state);
  if (has('changes_requested')) return { tone: 'yellow', words: 'Changes requested' };
  if (reviewers.some(({ state, afterLastPush }) => state === 'approved' && afterLastPush))
    return { tone: 'green', words: 'Approved' };
  // The approval covers an earlier version, so it must not appear as an approval of the current one.
  if (has('approved')) return { tone: 'orange', words: 'Changed since approval' };
  if (has('commented')) return { tone: 'gray', words: 'Commented' };
  return { tone: 'gray', words: status === 'in-progress' ? 'Review requested' : 'No review' };
}

/** The decision of a reviewer in words. */
export const reviewStateTexts: Record<ReviewState, string> = {
  approved: 'approved',
  changes_requested: 'requested changes',
  commented: 'commented',
  dismissed: 'review dismissed',
  pending: 'requested a review',
};
