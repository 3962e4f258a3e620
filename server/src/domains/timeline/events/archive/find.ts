import type { StoreCondition } from '../store/condition.ts';
import type { Cursor } from '../store/keys.ts';
import { matchCondition, nextMatches, type SegmentEvaluation } from './evaluate.ts';
import { ordinalAtKey } from './lookup.ts';
import type { Segment } from './segment.ts';
import { microsOf } from './times.ts';

interface SegmentWalk {
  direction: 'older' | 'newer';
  /** The page starts after this key in the direction of the walk; at the end of the segment if undefined. */
  from: Cursor | undefined;
  limit: number;
}

/**
 * The ordinals of the next events that match a condition, in the order of the walk. Fewer than the limit if there are no
 * more. Reads and decodes only what these need.
 */
export async function findOrdinals(
  segment: Segment,
  condition: StoreCondition,
  { direction, from, limit }: SegmentWalk,
  evaluation: SegmentEvaluation,
): Promise<number[]> {
  const range = from === undefined ? { from: 0, to: segment.events } : await rangeAfter(segment, direction, from);
  if (range.from >= range.to) return [];
  const match = await matchCondition(segment, condition);
  return nextMatches(segment, match, { direction, ...range, limit }, evaluation);
}

async function rangeAfter(
  segment: Segment,
  direction: SegmentWalk['direction'],
  { asOf, id }: Cursor,
): Promise<{ from: number; to: number }> {
  const { ordinal, isEvent } = await ordinalAtKey(segment, { asOf: microsOf(asOf), id: id.toLowerCase() });
  return direction === 'older'
    ? { from: 0, to: ordinal }
    : { from: isEvent ? ordinal + 1 : ordinal, to: segment.events };
}
