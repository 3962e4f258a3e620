import type { ChangeRow, Review } from './change-rows.ts';
import { completeValue, type Fact, knownItems, type Truth } from './facts.ts';
import { type Actor, isAmong, isSame } from './persons.ts';
import type { Reason } from './reasons.ts';
import { parseTime } from './times.ts';

/** The number of independent approvals after the last push. */
export interface Approvals {
  /** Approvals that are certainly independent. */
  readonly certain: number;
  /** Certain approvals by different persons. */
  readonly reviews: readonly Review[];
  /** Approvals that may be independent, including certain ones. Unknown reviews are not counted. */
  readonly possible: number;
  /** Why other approvals do not count. */
  readonly rejected: readonly Reason[];
  /** Unknown facts that would decide. */
  readonly unknown: readonly Reason[];
}

/**
 * Counts independent approvals. Each must be given before the merge for the merged commit, and not be dismissed or
 * withdrawn. The reviewer must be a human and active member, but neither an author, a pusher nor an agent session
 * owner.
 */
export function independentApprovals(row: ChangeRow): Approvals {
  const approvals = knownItems(row.reviews).filter(({ verdict }) => verdict === 'approved');
  const evaluated = approvals.map((review) => ({ review, ...assessReview(row, review) }));
  const sure = evaluated.filter(({ no, unknown }) => no.length === 0 && unknown.length === 0);
  const possible = evaluated.filter(({ no }) => no.length === 0);
  return {
    certain: onePerReviewer(sure).length,
    reviews: onePerReviewer(sure),
    possible: onePerReviewer(possible).length,
    rejected: evaluated.flatMap(({ review, no }) => no.map((code) => `${code}:${review.id}` as const)),
    unknown: possible.flatMap(({ unknown }) => unknown),
  };
}

/**
 * Counts each resolved person once, even with several approvals or names. Every other reviewer may be a different
 * person.
 */
function onePerReviewer(evaluated: readonly { review: Review }[]): readonly Review[] {
  const counted: Review[] = [];
  for (const { review } of evaluated) {
    const reviewers = counted.map(({ by }) => by);
    if (isAmong(review.by, reviewers) !== 'yes') counted.push(review);
  }
  return counted;
}

type RejectionReason =
  | 'approved_after_merge'
  | 'approval_dismissed'
  | 'approval_withdrawn'
  | 'approved_before_last_push'
  | 'approved_by_agent'
  | 'approved_by_non_member'
  | 'approved_by_author'
  | 'approved_by_last_pusher'
  | 'approved_by_earlier_pusher'
  | 'approved_by_session_owner';

/** One condition of an independent approval: whether it is met, and the reasons if not met and if unknown. */
type IndependenceCondition = readonly [holds: Truth, no: RejectionReason, unknown: Reason];

function assessReview(row: ChangeRow, review: Review): { no: readonly RejectionReason[]; unknown: readonly Reason[] } {
  const conditions: readonly IndependenceCondition[] = [
    [until(review.submittedAt, row.mergedAt), 'approved_after_merge', 'reviews_missing'],
    [isStandingAt(review, row.mergedAt), 'approval_dismissed', 'dismissal_time_unknown'],
    [isLastWord(row, review), 'approval_withdrawn', 'reviewer_unresolved'],
    onHead(row, review),
    [isHuman(review.by), 'approved_by_agent', 'reviewer_kind_unknown'],
    [truthOf(completeValue(review.byActiveMember)), 'approved_by_non_member', 'membership_unknown'],
    apartFrom(review.by, row.authors, 'approved_by_author', 'author_unresolved'),
    apartFrom(review.by, asList(row.lastPusher), 'approved_by_last_pusher', 'last_pusher_unresolved'),
    apartFrom(review.by, row.earlierPushers, 'approved_by_earlier_pusher', 'pusher_unresolved'),
    apartFrom(review.by, row.sessionOwners, 'approved_by_session_owner', 'session_owner_unresolved'),
  ];
  return {
    no: conditions.filter(([holds]) => holds === 'no').map(([, no]) => no),
    unknown: conditions.filter(([holds]) => holds === 'unknown').map(([, , unknown]) => unknown),
  };
}

const truthOf = (value: boolean | undefined): Truth => (value === undefined ? 'unknown' : value ? 'yes' : 'no');

const until = (at: string, end: string): Truth => truthOf(parseTime(at) <= parseTime(end));

function isStandingAt({ dismissedAt }: Review, mergedAt: string): Truth {
  const at = completeValue(dismissedAt);
  return at === null ? 'yes' : truthOf(at === undefined ? undefined : parseTime(at) > parseTime(mergedAt));
}

/** A later change request by the same reviewer withdraws the approval, as on every code host. */
function isLastWord(row: ChangeRow, review: Review): Truth {
  const from = parseTime(review.submittedAt);
  const later = knownItems(row.reviews).filter(
    ({ verdict, submittedAt }) =>
      verdict === 'changes_requested' &&
      parseTime(submittedAt) > from &&
      parseTime(submittedAt) <= parseTime(row.mergedAt),
  );
  const truth = isAmong(
    review.by,
    later.map(({ by }) => by),
  );
  return truth === 'yes' ? 'no' : truth === 'no' ? 'yes' : 'unknown';
}

/**
 * Whether the approval is for the merged commit: by commit, or by time if the host records no commit. A lost commit is
 * not replaced by time, since a reviewer may have looked at an older commit. A lower bound of the last push determines
 * only which approvals are too old.
 */
function onHead(row: ChangeRow, { commit, submittedAt }: Review): IndependenceCondition {
  const head = completeValue(row.headSha);
  const no = 'approved_before_last_push';
  if (head === undefined) return ['unknown', no, 'head_unknown'];
  if (commit.state !== 'by_time') {
    const reviewed = completeValue(commit);
    return [truthOf(reviewed === undefined ? undefined : reviewed === head), no, 'reviewed_commit_unknown'];
  }
  if (row.lastPushAt.state === 'missing') return ['unknown', no, 'push_order_unknown'];
  const [submitted, pushed] = [parseTime(submittedAt), parseTime(row.lastPushAt.value)];
  if (submitted < pushed) return ['no', no, 'push_order_unknown'];
  return [row.lastPushAt.state === 'complete' && submitted > pushed ? 'yes' : 'unknown', no, 'push_order_unknown'];
}

const isHuman = ({ kind }: Actor): Truth => (kind === 'unknown' ? 'unknown' : truthOf(kind === 'human'));

const asList = (fact: Fact<Actor>): Fact<readonly Actor[]> =>
  fact.state === 'missing' ? fact : { state: fact.state, value: [fact.value] };

function apartFrom(
  reviewer: Actor,
  fact: Fact<readonly Actor[]>,
  no: RejectionReason,
  unresolved: Reason,
): IndependenceCondition {
  const others = knownItems(fact);
  if (others.some((other) => isSame(reviewer, other) === 'yes')) return ['no', no, unresolved];
  if (reviewer.identity !== 'resolved') return ['unknown', no, 'reviewer_unresolved'];
  const isKnown = fact.state === 'complete' && isAmong(reviewer, others) === 'no';
  return [isKnown ? 'yes' : 'unknown', no, unresolved];
}
