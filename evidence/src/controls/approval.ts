import type { ChangeRow } from './change-rows.ts';
import { completeValue } from './facts.ts';
import { compareHostActivity } from './host-activity.ts';
import { independentApprovals } from './independence.ts';
import type { Reason } from './reasons.ts';
import { parseTime } from './times.ts';
import { decideVerdict, type Evaluation } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

/** The certain reasons against an approval, and the missing facts. The change is approved if both are empty. */
export interface ApprovalAssessment {
  readonly failures: readonly Reason[];
  readonly missing: readonly Reason[];
}

/**
 * Whether enough independent reviewers approved a change after the last push. A direct push certainly has no approval,
 * also if the code host shows its commits as a merged pull request.
 * A change certainly lacks approval if all reviews are known and too few could count in the best case, or if its merged
 * commit has content that no reviewer saw. Any other missing fact is missing evidence.
 */
export function assessApproval(row: ChangeRow, needed: number): ApprovalAssessment {
  const { certain, possible, rejected, unknown } = independentApprovals(row);
  const isDirect = completeValue(row.mergeMethod) === 'direct_push';
  const activity = isDirect ? undefined : compareHostActivity(row.hostActivity);
  const hasOwnContent = (completeValue(row.unreviewedFiles) ?? 0) > 0;
  const isShort = completeValue(row.reviews) !== undefined && possible < needed;
  return {
    failures: [
      ...(isDirect ? (['direct_push'] as const) : []),
      ...(activity?.failures ?? []),
      ...(hasOwnContent ? (['merge_has_own_content'] as const) : []),
      ...(isShort || hasOwnContent ? lackingApproval(rejected) : []),
    ],
    missing: [...missingOf(row), ...(activity?.missing ?? []), ...(certain < needed ? unknown : [])],
  };
}

/** `newMemberDays`: an approval within these days after joining is flagged if the result depends on it. */
export const evaluateApproval = (
  row: ChangeRow,
  { approvals: needed, newMemberDays }: { approvals: number; newMemberDays: number },
): Evaluation =>
  decideVerdict({
    ...assessApproval(row, needed),
    passes: ['independent_approval', ...recentApprovers(row, needed, newMemberDays)],
    waivers: waiversAt(row.waivers, row.mergedAt),
  });

const DAY_MS = 24 * 60 * 60 * 1000;

function recentApprovers(row: ChangeRow, needed: number, days: number): readonly Reason[] {
  const { reviews } = independentApprovals(row);
  const recent = reviews.filter(({ submittedAt, memberSince }) => {
    const since = completeValue(memberSince);
    return since !== undefined && parseTime(submittedAt) - parseTime(since) < days * DAY_MS;
  });
  const isEnough = reviews.length - recent.length >= needed;
  return isEnough ? [] : recent.map(({ id }) => `approver_joined_recently:${id}` as const);
}

const lackingApproval = (refused: readonly Reason[]): readonly Reason[] => ['no_independent_approval', ...refused];

/** An empty list of authors counts as unknown. */
function missingOf({
  mergeMethod,
  reviews,
  headSha,
  authors,
  lastPusher,
  earlierPushers,
  unattestedCommits,
  sessionOwners,
  unreviewedFiles,
}: ChangeRow): readonly Reason[] {
  const facts = [
    [completeValue(mergeMethod), 'merge_method_unknown'],
    [completeValue(reviews), 'reviews_missing'],
    [completeValue(headSha), 'head_unknown'],
    [completeValue(authors)?.[0], 'authors_missing'],
    [completeValue(lastPusher), 'last_pusher_missing'],
    [completeValue(earlierPushers), 'pushers_missing'],
    [completeValue(unattestedCommits) === 0 ? 0 : undefined, 'authors_unattested'],
    [completeValue(sessionOwners), 'session_owners_missing'],
    [completeValue(unreviewedFiles), 'merge_content_unknown'],
  ] as const;
  return facts.filter(([value]) => value === undefined).map(([, reason]) => reason);
}
