import type { Reason } from './reasons.ts';
import { parseTime, type TimeSpan } from './times.ts';

/** A time-limited waiver: requested by one person, approved by another. */
export interface ApprovedWaiver {
  readonly id: string;
  readonly requestedBy: string;
  readonly decidedBy: string;
  readonly decidedAt: string;
  readonly from: string;
  readonly until: string;
}

/**
 * Returns the waivers that cover all given spans without interruption, or none. A waiver is in force from its approval
 * at the earliest, and never if the requester approved it.
 */
export function waiversCovering(approved: readonly ApprovedWaiver[], spans: readonly TimeSpan[]): readonly Reason[] {
  const valid = approved.filter(({ requestedBy, decidedBy }) => requestedBy !== decidedBy).map(validityOf);
  const covers = spans.map((span) => cover(valid, span));
  return spans.length > 0 && covers.every((ids) => ids.length > 0) ? covers.flat() : [];
}

/** The waivers in force at one moment. */
export const waiversAt = (approved: readonly ApprovedWaiver[], moment: string): readonly Reason[] =>
  waiversCovering(approved, [[parseTime(moment), parseTime(moment)]]);

interface Validity {
  readonly reason: Reason;
  readonly span: TimeSpan;
}

const validityOf = ({ id, from, until, decidedAt }: ApprovedWaiver): Validity => ({
  reason: `approved_waiver:${id}`,
  span: [Math.max(parseTime(from), parseTime(decidedAt)), parseTime(until)],
});

function cover(valid: readonly Validity[], [from, to]: TimeSpan): readonly Reason[] {
  const used: Reason[] = [];
  let reached = from;
  for (const { reason, span } of valid.toSorted((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1])) {
    if (reached > to || span[0] > reached || span[1] <= reached) continue;
    used.push(reason);
    reached = span[1];
  }
  return reached > to ? used : [];
}
