import type { PullRequest } from '@sightline/contract/sources/pull-requests.ts';
import { StatusDot } from '#ui/StatusBadge.tsx';
import s from './PullRequests.module.css';
import { reviewStatusOf } from './reviews.ts';

/** Shows the review status; of closed pull requests, also the outcome. */
export function ReviewState({ pullRequest }: { pullRequest: PullRequest }) {
  const { tone, words } = reviewStatusOf(pullRequest);
  return (
    <span className={s.review}>
      {pullRequest.status !== 'in-progress' && (
        <StatusDot tone={pullRequest.status === 'accepted' ? 'purple' : 'red'}>
          {pullRequest.status === 'accepted' ? 'Merged' : 'Closed'}
        </StatusDot>
      )}
      <StatusDot tone={tone}>{words}</StatusDot>
    </span>
  );
}
