import { countByGroup, countByKind, countOf, matchingEvents } from '../archive/counts.ts';
import type { SegmentEvaluation } from '../archive/evaluate.ts';
import { addOrdinal, emptySet, type OrdinalSet } from '../archive/ordinals.ts';
import type { Segment } from '../archive/segment.ts';
import {
  countByGroups,
  type GroupCount,
  type GroupedEvents,
  type GroupedRows,
  type GroupedScope,
  type Grouping,
  sumByPlace,
  type TimeSlice,
} from '../store/groups.ts';
import { type BucketCount, type BucketRange, countByHours, type KindAndTimeFilter } from '../store/histogram.ts';
import type { EventWalk } from '../store/keys.ts';
import { countEventsFrom, type QueryPlan, readEventKeys } from '../store/pages.ts';
import { openEntry, rangeOfPlan, segmentsInRange } from './open-segments.ts';
import {
  areSeparate,
  type FoundEvent,
  type FoundOrdinals,
  findInSegments,
  findOrdinalsInSegments,
  mergeInOrder,
  orderOfRow,
  withReadTimeout,
} from './pages.ts';
import { resolveByTables } from './resolve-candidates.ts';
import type { SegmentServices } from './segment-bytes.ts';
import { readRowsAndSegments, type SegmentEntry, SegmentReplaced } from './segment-list.ts';

/** The number of events from the cursor of the walk, up to its limit. */
export const countAllEventsFrom = (services: SegmentServices, plan: QueryPlan, walk: EventWalk): Promise<number> =>
  readRowsAndSegments(
    services,
    plan.orgId,
    () => countEventsFrom(services.database, plan, walk),
    async ({ count }, segments) => {
      const others = { ...walk, limit: Math.max(0, walk.limit - count) };
      return count + numberOf(await findOrdinalsInSegments(services, plan, { walk: others, segments }));
    },
  );

const numberOf = (found: readonly FoundOrdinals[]): number =>
  found.reduce((sum, { ordinals }) => sum + ordinals.length, 0);

/** Counts events in buckets from hourly sums, and those of partial hours one by one. */
export const countAllByHours = (
  services: SegmentServices,
  plan: QueryPlan & { plain: KindAndTimeFilter },
  buckets: BucketRange,
): Promise<BucketCount[]> =>
  readRowsAndSegments(
    services,
    plan.orgId,
    () => countByHours(services.database, plan.orgId, plan.plain, buckets),
    async ({ counts, edges }, segments) => {
      if (edges.length === 0 || segments.length === 0) return counts;
      const archived = await forEachSegment(services, plan, { segments, slices: edges }, (segment, set) =>
        countByKind(segment, set, buckets),
      );
      return [...counts, ...archived.flat()];
    },
  );

interface GroupedQuestion {
  scope: GroupedScope;
  buckets: BucketRange;
}

/** Counts events by group and bucket. */
export const countAllByGroups = (
  services: SegmentServices,
  plan: QueryPlan,
  grouping: Grouping,
  { scope, buckets }: GroupedQuestion,
): Promise<GroupedEvents> =>
  readRowsAndSegments(
    services,
    plan.orgId,
    () => countByGroups(services.database, plan, grouping, { scope, buckets }),
    async (rows, listed) => {
      const segments = segmentsInRange(listed, rangeOfPlan(plan));
      if (segments.length === 0) return rows;
      if ('newest' in scope)
        return countNewest(services, plan, grouping, { rows, segments, buckets, limit: scope.newest });
      const archived = await forEachSegment(services, plan, { segments, slices: scope.slices }, (segment, set) =>
        countByGroup(segment, set, grouping, buckets),
      );
      return addedUp([rows, ...archived]);
    },
  );

/** Runs a count for each segment with events in the time ranges. */
const forEachSegment = <Count>(
  services: SegmentServices,
  plan: QueryPlan,
  { segments, slices }: { segments: readonly SegmentEntry[]; slices: readonly TimeSlice[] },
  count: (segment: Segment, set: OrdinalSet) => Promise<Count>,
): Promise<Count[]> =>
  withReadTimeout(async (signal) => {
    const evaluation: SegmentEvaluation = { resolve: resolveByTables(services.database, plan.orgId), signal };
    const counts: Count[] = [];
    for (const entry of segments) {
      const within = slices.filter(({ from, to }) => entry.firstAt < to * 1000 && entry.lastAt >= from * 1000);
      if (within.length === 0) continue;
      const segment = await openEntry(services, plan.orgId, entry);
      const set = await matchingEvents(segment, plan.condition, within, evaluation);
      if (countOf(set) > 0) counts.push(await count(segment, set));
      signal.throwIfAborted();
    }
    return counts;
  });

interface NewestQuestion {
  /** The counts of the newest rows, up to the limit. */
  rows: GroupedRows;
  segments: readonly SegmentEntry[];
  buckets: BucketRange;
  limit: number;
}

/** Counts the newest events of rows and segments together, up to a limit. */
async function countNewest(
  services: SegmentServices,
  plan: QueryPlan,
  grouping: Grouping,
  { rows, segments, buckets, limit }: NewestQuestion,
): Promise<GroupedEvents> {
  const rowCount = rows.totals.reduce((sum, { n }) => sum + n, 0);
  const areOlder = segments.every(({ lastAt }) => rows.oldest === undefined || lastAt < rows.oldest * 1000);
  if (rowCount >= limit && areOlder) return rows;
  const walk: EventWalk = { direction: 'older', from: undefined, limit };
  const missing = areOlder ? limit - rowCount : limit;
  const ordinals = await findOrdinalsInSegments(services, plan, { walk: { ...walk, limit: missing }, segments });
  const isAll = numberOf(ordinals) < missing && rowCount + numberOf(ordinals) <= limit;
  if (isAll || (areOlder && areSeparate(segments)))
    return addedUp([rows, ...(await countFound(ordinals, grouping, buckets))]);
  return countMerged(services, plan, grouping, { rows, segments, buckets, limit });
}

/** The same by the keys of all events, for rows and segments whose times overlap. */
async function countMerged(
  services: SegmentServices,
  plan: QueryPlan,
  grouping: Grouping,
  { rows, segments, buckets, limit }: NewestQuestion,
): Promise<GroupedEvents> {
  const walk: EventWalk = { direction: 'older', from: undefined, limit };
  const found = await findInSegments(services, plan, { walk, segments });
  const keys = await readEventKeys(services.database, plan, walk);
  requireVersion(keys, rows);
  const inOrder = keys.rows.map(orderOfRow);
  const newest = mergeInOrder<ReturnType<typeof orderOfRow> | FoundEvent>(inOrder, found, {
    keyOf: (one) => one,
    walk,
  });
  const archived = newest.filter((one): one is FoundEvent => 'segment' in one);
  const bySegment = Map.groupBy(archived, ({ segment }) => segment);
  const ordinals = Array.from(bySegment, ([segment, of]) => ({ segment, ordinals: of.map(({ ordinal }) => ordinal) }));
  const counted = await countFound(ordinals, grouping, buckets);
  if (archived.length === newest.length) return addedUp(counted);
  const scope = { newest: newest.length - archived.length };
  const newestRows = await countByGroups(services.database, plan, grouping, { scope, buckets });
  requireVersion(newestRows, rows);
  return addedUp([newestRows, ...counted]);
}

/** Repeats the read if the segments changed between two statements. */
function requireVersion(one: { archive: number }, other: { archive: number }): void {
  if (one.archive !== other.archive) throw new SegmentReplaced('between two statements');
}

const countFound = (
  found: readonly FoundOrdinals[],
  grouping: Grouping,
  buckets: BucketRange,
): Promise<GroupedEvents[]> =>
  Promise.all(
    found.map(({ segment, ordinals }) => {
      const set = emptySet(segment.events);
      for (const ordinal of ordinals) addOrdinal(set, ordinal);
      return countByGroup(segment, set, grouping, buckets);
    }),
  );

/** The sum of several counts of different events. */
function addedUp(parts: readonly GroupedEvents[]): GroupedEvents {
  const sums = new Map<string, GroupCount>();
  for (const { value, place, n, example } of parts.flatMap(({ counts }) => counts)) {
    const key = `${place} ${value}`;
    const known = sums.get(key);
    if (known) sums.set(key, { ...known, n: known.n + n, example: known.example ?? example });
    else sums.set(key, { value, place, n, example });
  }
  const oldest = parts.flatMap((part) => part.oldest ?? []);
  return {
    counts: [...sums.values()],
    totals: sumByPlace(parts.flatMap(({ totals }) => totals)),
    oldest: oldest.length === 0 ? undefined : Math.min(...oldest),
  };
}
