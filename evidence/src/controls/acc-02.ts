import { control } from './control.ts';
import { completeValue } from './facts.ts';
import { isSame } from './persons.ts';
import type { Reason } from './reasons.ts';
import type { ReviewLineRow } from './rows.ts';
import { HOUR_MS, parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

/** Hours before the end of a quarter within which the access of a person who left the directory may still end. */
const LEAVER_HOURS = 24;

/** No failure is certain during the quarter. Afterwards, an item without a signed review is a certain failure. */
export const acc02 = control<ReviewLineRow>()({
  id: 'ACC-02',
  title: 'Quarterly access review',
  rule: 'Each quarter another person reviews the role of every member and all access on the code hosts, and confirms or changes it.',
  population:
    'Every active member with each of their roles at the end of each quarter of the period, and every member who was added and removed during the quarter, with each role that they had. Every account, deploy key and app with each permission on enabled repositories that it had on their code hosts at the end of the quarter, or obtained and lost during the quarter.',
  verdicts: {
    pass: 'Another person confirmed or changed the access in a review signed in the quarter.',
    fail: 'The quarter has ended without such a review, or access that the reviewer wanted changed is still there. Or the person had left the directory a day before the end of the quarter, and the access is still there.',
    missing_evidence:
      'The quarter has not ended, the access reviews are unknown, the reviewer is not resolved with certainty, or it is unknown at some time of the quarter what had access to a repository.',
  },
  parameters: {},
  sources: ['access_reviews', 'members', 'identities', 'host_access', 'repositories'],
  policies: ['access-review'],
  events: ['member'],
  happenedAt: ({ quarterStart }) => quarterStart,
  evaluate: (row) => {
    const isOver = parseTime(row.evaluatedAt) >= parseTime(row.quarterEnd);
    const line = completeValue(row.line);
    const isOwn = line ? isSame(line.reviewer, row.person) : 'unknown';
    const failures = [...leaverFaults(row), ...(line === undefined ? [] : faultsOf(row, line, isOwn === 'yes'))];
    return decideVerdict({
      failures: isOver ? failures : [],
      missing: [
        ...(isOver ? [] : (['quarter_running'] as const)),
        ...(line === undefined ? (['access_review_missing'] as const) : []),
        ...(line && isOwn === 'unknown' ? (['reviewer_unresolved'] as const) : []),
      ],
      passes: ['access_reviewed'],
      waivers: waiversAt(row.waivers, row.quarterEnd),
    });
  },
});

/** A reviewer cannot keep the access of a person who left. */
const leaverFaults = ({ leftDirectoryAt, isInForce, quarterEnd }: ReviewLineRow): readonly Reason[] =>
  leftDirectoryAt !== null && isInForce && parseTime(leftDirectoryAt) + LEAVER_HOURS * HOUR_MS <= parseTime(quarterEnd)
    ? ['access_of_leaver']
    : [];

type ReviewLine = { readonly decision: string; readonly signedAt: string | null } | null;

function faultsOf(row: ReviewLineRow, line: ReviewLine, isOwn: boolean): readonly Reason[] {
  if (line === null || line.decision === 'none') return ['access_not_reviewed'];
  if (line.signedAt === null) return ['access_review_unsigned'];
  const signed = parseTime(line.signedAt);
  const isInQuarter = signed >= parseTime(row.quarterStart) && signed < parseTime(row.quarterEnd);
  return [
    ...(isInQuarter ? [] : (['access_reviewed_outside_quarter'] as const)),
    ...(isOwn ? (['access_reviewed_by_member'] as const) : []),
    ...(line.decision === 'changed' && row.isInForce ? (['access_not_changed'] as const) : []),
  ];
}
