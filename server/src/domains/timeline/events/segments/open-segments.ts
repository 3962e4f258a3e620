import { SegmentCache } from '../archive/cache.ts';
import { openSegment, type Segment } from '../archive/segment.ts';
import type { QueryPlan } from '../store/pages.ts';
import { type SegmentServices, segmentReader } from './segment-bytes.ts';
import type { SegmentEntry } from './segment-list.ts';

/** What the process keeps of segments of all organizations. */
const cache = new SegmentCache();

/** Opens a listed segment. Throws `SegmentReplaced` if it no longer exists. */
export const openEntry = (services: SegmentServices, orgId: string, entry: SegmentEntry): Promise<Segment> =>
  openSegment(
    { key: entry.id, length: entry.bytes, digest: entry.sha256, read: segmentReader(services, orgId, entry) },
    cache,
  );

/** A range of time in microseconds, the end excluded; infinite without an end. */
export interface MicrosRange {
  from: number;
  to: number;
}

const MICROS_PER_MS = 1000;

/** The time range of the events that a plan can find. */
export function rangeOfPlan({ branches }: Pick<QueryPlan, 'branches'>): MicrosRange {
  const from = branches.map((branch) => (branch.from === null ? -Infinity : branch.from * MICROS_PER_MS));
  const to = branches.map((branch) => (branch.to === null ? Infinity : branch.to * MICROS_PER_MS));
  return { from: Math.min(...from), to: Math.max(...to) };
}

/** The segments that may have events of a time range. */
export const segmentsInRange = (segments: readonly SegmentEntry[], { from, to }: MicrosRange): SegmentEntry[] =>
  segments.filter(({ firstAt, lastAt }) => firstAt < to && lastAt >= from);
