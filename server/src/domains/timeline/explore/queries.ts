import type { EventKind } from '@sightline/contract/timeline/events.ts';
import { type Histogram, histogramBuckets } from '@sightline/contract/timeline/explore.ts';
import type { Actor } from '#core/actor.ts';
import { withQueryTime } from '#core/query-time.ts';
import type { Services } from '#core/services.ts';
import {
  countByBuckets,
  type ResolvedQuery,
  readEventsPage,
  resolveQuestion,
  type TimelineQuestion,
  timeRangeOfQuery,
} from '../events/queries.ts';
import { chooseBuckets } from './buckets.ts';

/** The histogram of the events of a query. */
export async function findHistogram(given: Services, actor: Actor, question: TimelineQuestion): Promise<Histogram> {
  const services = withQueryTime(given, actor);
  return histogramOfQuery(services, await resolveQuestion(services, actor, question), question.offset);
}

/** The histogram of a resolved query. */
export async function histogramOfQuery(
  services: Services,
  resolved: ResolvedQuery,
  offset: number,
): Promise<Histogram> {
  const range = await rangeOf(services, resolved);
  const buckets = chooseBuckets(range, offset, histogramBuckets);
  const { counts, stoppedAt, sample } = await countByBuckets(services, resolved, { range, buckets });
  const places = Map.groupBy(
    counts.filter(({ place, n }) => n > 0 && place >= 0),
    ({ place }) => place,
  );
  return {
    from: timeOf(buckets.start),
    to: timeOf(range.to),
    bucket: buckets.size / 1000,
    buckets: [...places]
      .toSorted(([one], [other]) => one - other)
      .slice(-histogramBuckets)
      .map(([place, kinds]) => ({
        at: timeOf(buckets.start + place * buckets.size),
        kinds: Object.fromEntries(kinds.map(({ kind, n }) => [kind, Math.round(n)])) as Partial<
          Record<EventKind, number>
        >,
      })),
    // Estimates are rounded once they are added up.
    total: Math.round(counts.reduce((sum, { n }) => sum + n, 0)),
    countedFrom: stoppedAt === null ? null : timeOf(stoppedAt),
    sample,
  };
}

const timeOf = (time: number) => new Date(time).toISOString();

/** The time range to show: that of the query, with open ends at the oldest and newest event. */
export async function rangeOf(services: Services, resolved: ResolvedQuery): Promise<{ from: number; to: number }> {
  const queryRange = timeRangeOfQuery(resolved);
  const outermost = async (direction: 'older' | 'newer') => {
    const { rows } = await readEventsPage(services, resolved, { from: undefined, direction, limit: 1 });
    const [row] = rows;
    return row ? Date.parse(toRfc3339(row.as_of)) : undefined;
  };
  // The end of a query may be years in the future.
  const isAhead = queryRange.to !== null && queryRange.to > Date.now() + 2 * 86_400_000;
  const newest = queryRange.to === null || isAhead ? await outermost('older') : undefined;
  const oldest = queryRange.from === null ? await outermost('newer') : undefined;
  // The end is excluded.
  const known = isAhead ? null : queryRange.to;
  const to = known ?? (newest === undefined ? Math.max(queryRange.from ?? 0, Date.now()) + 1 : newest + 1);
  const from = queryRange.from ?? oldest ?? to - 1;
  return { from: Math.min(from, to - 1), to };
}

/** Converts '2026-11-21 10:13:14.5+00', the format of PostgreSQL in UTC, to RFC 3339. */
export const toRfc3339 = (time: string): string => `${time.slice(0, 10)}T${time.slice(11, -3)}Z`;
