import type { ChangeReview } from '@sightline/contract/compliance/changes.ts';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Changes.module.css';
import { ChangePersonName } from './changeColumns.tsx';

const verdicts: Record<ChangeReview['verdict'], readonly [Tone, string]> = {
  approved: ['green', 'approved'],
  changes_requested: ['red', 'requested changes'],
  commented: ['gray', 'commented'],
};

/** Lists each review and whether it counts for the merged commit. */
export function ChangeReviews({ reviews }: { reviews: readonly ChangeReview[] }) {
  if (reviews.length === 0) return <p className="dim">No reviews.</p>;
  return (
    <ul className={s.list}>
      {reviews.map((review) => (
        <li key={review.id}>
          <StatusDot tone={verdicts[review.verdict][0]}>
            <span className={s.words}>
              <ChangePersonName person={review.by} /> {verdicts[review.verdict][1]} <TimeAgo at={review.submittedAt} />
            </span>
          </StatusDot>
          {notesOf(review).map((note) => (
            <span key={note} className={s.note}>
              {note}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

function notesOf({ by, isDismissed, isForHead, wasMember }: ChangeReview): string[] {
  return [
    by.kind === 'agent' && 'an agent',
    isDismissed === 'yes' && 'dismissed before the merge',
    isDismissed === 'unknown' && 'possibly dismissed',
    isForHead === 'no' && 'for an earlier commit',
    isForHead === 'unknown' && 'commit unknown',
    wasMember === 'no' && 'not an active member at that time',
    wasMember === 'unknown' && 'membership at that time unknown',
  ].filter((note) => note !== false);
}
