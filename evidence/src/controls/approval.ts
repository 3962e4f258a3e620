import type { ChangeRow } from './change-rows.ts';
import { excusesAt } from './excuses.ts';
import { independentApprovals } from './independence.ts';
import { whole } from './known.ts';
import type { Reason } from './reasons.ts';
import { type Judgement, settle } from './verdicts.ts';

/** Why a change is certainly not approved, and what is missing to say so; it is approved where both are empty. */
export interface ApprovalPoints {
  readonly exceptions: readonly Reason[];
  readonly gaps: readonly Reason[];
}

/**
 * Whether enough people who had no part in a change approved it after the last push. A direct push certainly was approved by
 * nobody. So was a change all of whose reviews are known, and of which too few could count even if everything unknown spoke for
 * them. Every other missing fact leaves a gap.
 */
export function approvalPoints(row: ChangeRow, needed: number): ApprovalPoints {
  const { sure, possible, refused, unknown } = independentApprovals(row);
  const isDirect = whole(row.via) === 'direct_push';
  const isShort = whole(row.reviews) !== undefined && possible < needed;
  return {
    exceptions: [...(isDirect ? (['direct_push'] as const) : []), ...(isShort ? lacking(refused) : [])],
    gaps: [...missingOf(row), ...(sure < needed ? unknown : [])],
  };
}

export const judgeApproval = (row: ChangeRow, needed: number): Judgement =>
  settle({
    ...approvalPoints(row, needed),
    passes: ['independent_approval'],
    excuses: excusesAt(row.approved, row.mergedAt),
  });

const lacking = (refused: readonly Reason[]): readonly Reason[] => ['no_independent_approval', ...refused];

/** A change without an author is one of which nobody told who wrote it. */
function missingOf({ via, reviews, headSha, authors, lastPusher, sessionOwners }: ChangeRow): readonly Reason[] {
  const facts = [
    [whole(via), 'way_unknown'],
    [whole(reviews), 'reviews_missing'],
    [whole(headSha), 'head_unknown'],
    [whole(authors)?.[0], 'authors_missing'],
    [whole(lastPusher), 'last_pusher_missing'],
    [whole(sessionOwners), 'session_owners_missing'],
  ] as const;
  return facts.filter(([value]) => value === undefined).map(([, reason]) => reason);
}
