import type { Review } from '@sightline/evidence/controls/change-rows.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import type { Actor } from '@sightline/evidence/controls/persons.ts';
import type { Tx } from '#database/database.ts';
import type { HostTimeline } from '#providers/host-evidence.ts';
import type { HostReview } from '../../../providers/host-facts.ts';
import { complete, type HostAnswer, missing, partial } from './host-answer.ts';

/** A review as first recorded, with the time of its recorded dismissal. */
export interface StoredReview {
  review_id: string;
  state: string;
  dismissed_at: Date | null;
  dismissal_time_source: 'host' | 'received' | 'unknown' | null;
}

export const storedReviewsOf = (tx: Tx, orgId: string, repositoryId: string, number: number): Promise<StoredReview[]> =>
  tx.query<StoredReview & { [column: string]: unknown }>({
    name: 'changes.stored-reviews',
    text: `select review_id, state, dismissed_at, dismissal_time_source from review
           where org_id = $1 and repository_id = $2 and number = $3 order by review_id`,
    values: [orgId, repositoryId, number],
  });

interface ReviewSources {
  reviews: readonly HostReview[];
  by: readonly Actor[];
  members: readonly MembershipFacts[];
  timeline: HostAnswer<HostTimeline>;
  storedReviews: readonly StoredReview[];
  mergedAt: string;
  areFor: 'commit' | 'time';
}

/**
 * Restores reviews as submitted. The verdict of a dismissed review comes from the timeline or the stored review.
 * Otherwise it counts as an approval with unknown end.
 */
export function restoreReviews({
  reviews,
  by,
  members,
  timeline,
  storedReviews,
  mergedAt,
  areFor,
}: ReviewSources): Review[] {
  const dismissals = new Map('value' in timeline ? timeline.value.dismissals.map((one) => [one.reviewId, one]) : []);
  const first = new Map(storedReviews.map((one) => [one.review_id, one]));
  return reviews.flatMap((review, index): Review[] => {
    const actor = by[index];
    if (!actor || review.state === 'pending') return [];
    const dismissal = dismissals.get(review.id);
    const stored = first.get(review.id);
    const verdict =
      review.state === 'dismissed' ? (dismissal?.state ?? verdictOf(stored?.state) ?? 'approved') : review.state;
    return [
      {
        id: review.id,
        by: actor,
        verdict,
        submittedAt: new Date(review.submittedAt).toISOString(),
        dismissedAt: dismissedAt(review, dismissal, stored, mergedAt),
        commit: areFor === 'time' ? { state: 'by_time' } : review.sha === null ? missing : complete(review.sha),
        byActiveMember: missing,
        memberSince: missing,
        ...members[index],
      },
    ];
  });
}

const verdictOf = (state: string | undefined) =>
  state === 'approved' || state === 'changes_requested' || state === 'commented' ? state : undefined;

/** A time of receipt is later than the dismissal, so it only proves a dismissal before the merge. */
function dismissedAt(
  review: HostReview,
  dismissal: HostTimeline['dismissals'][number] | undefined,
  stored: StoredReview | undefined,
  mergedAt: string,
): Fact<string | null> {
  if (dismissal?.at) return complete(new Date(dismissal.at).toISOString());
  const ours = stored?.dismissed_at?.toISOString();
  if (ours !== undefined && (stored?.dismissal_time_source === 'host' || ours <= mergedAt)) return complete(ours);
  return review.state === 'dismissed' || dismissal || ours !== undefined ? missing : complete(null);
}

/** The membership of a reviewer at one time. */
type MembershipFacts = Pick<Review, 'byActiveMember' | 'memberSince'>;

/**
 * Returns whether and since when each person was an active member at the given time; missing if membership was not
 * recorded or the person is unknown. A membership that was recorded from the start may be older.
 */
export async function membershipsAt(
  tx: Tx,
  orgId: string,
  queries: readonly { person: string | null; at: string }[],
): Promise<MembershipFacts[]> {
  if (queries.length === 0) return [];
  const rows = await tx.query<{ since: Date | null; is_known: boolean; is_upper_bound: boolean }>({
    name: 'changes.members',
    text: `with start as (
             select coalesce((select h.at from history_start h where h.org_id = $1), (select o.created_at from organization o where o.id = $1)) as at,
               exists (select from history_start h where h.org_id = $1) as is_upgrade)
           select was.since, q.person is not null and q.at >= start.at as is_known, start.is_upgrade and was.since <= start.at as is_upper_bound
           from start, unnest($2::uuid[], $3::timestamptz[]) with ordinality as q(person, at, ord)
           left join lateral (
             select min(m.at) as since from identity i
             join member_change m on m.org_id = i.org_id and m.account_id = i.value::uuid
             where i.org_id = $1 and i.person_id = q.person and i.kind = 'account' and m.at <= q.at and m.status in ('accepted', 'active')
               and not exists (select from member_change gone where gone.org_id = i.org_id and gone.account_id = m.account_id
                 and gone.at > m.at and gone.at <= q.at and gone.status not in ('accepted', 'active'))) was on true
           order by q.ord`,
    values: [orgId, queries.map(({ person }) => person), queries.map(({ at }) => at)],
  });
  return rows.map(({ since, is_known: isKnown, is_upper_bound: isUpperBound }): MembershipFacts => {
    if (!since) return { byActiveMember: isKnown ? complete(false) : missing, memberSince: missing };
    const at = since.toISOString();
    return { byActiveMember: complete(true), memberSince: isUpperBound ? partial(at) : complete(at) };
  });
}
