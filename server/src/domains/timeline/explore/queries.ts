import type { EventKind } from '@sightline/contract/timeline/events.ts';
import { type Histogram, histogramBuckets } from '@sightline/contract/timeline/explore.ts';
import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import {
  bucketsOf,
  pageOf,
  questionOf,
  type ResolvedQuery,
  stretchAsked,
  type TimelineQuestion,
} from '../events/queries.ts';
import { bucketsFor } from './buckets.ts';

/** So many events are looked at where no sum answers. */
const mostCounted = 200_000;

/** How many events of a question happened when. */
export async function findHistogram(services: Services, actor: Actor, question: TimelineQuestion): Promise<Histogram> {
  return histogramOf(services, await questionOf(services, actor, question), question.offset);
}

/** The same of a question that has been read. */
export async function histogramOf(services: Services, asked: ResolvedQuery, offset: number): Promise<Histogram> {
  const stretch = await stretchOf(services, asked);
  const buckets = bucketsFor(stretch, offset, histogramBuckets);
  const { counts, stoppedAt } = await bucketsOf(services, asked, buckets, mostCounted);
  const places = Map.groupBy(
    counts.filter(({ place, n }) => n > 0 && place >= 0),
    ({ place }) => place,
  );
  return {
    from: timeOf(buckets.start),
    to: timeOf(stretch.to),
    bucket: buckets.size / 1000,
    buckets: [...places]
      .toSorted(([one], [other]) => one - other)
      .slice(-histogramBuckets)
      .map(([place, kinds]) => ({
        at: timeOf(buckets.start + place * buckets.size),
        kinds: Object.fromEntries(kinds.map(({ kind, n }) => [kind, n])) as Partial<Record<EventKind, number>>,
      })),
    total: counts.reduce((sum, { n }) => sum + n, 0),
    countedFrom: stoppedAt === null ? null : timeOf(stoppedAt),
  };
}

const timeOf = (time: number) => new Date(time).toISOString();

/** What is shown: what the question names, and where it leaves an end open, up to the outermost event. */
async function stretchOf(services: Services, asked: ResolvedQuery): Promise<{ from: number; to: number }> {
  const named = stretchAsked(asked);
  const outermost = async (direction: 'older' | 'newer') => {
    const { rows } = await pageOf(services, asked, { from: undefined, direction, limit: 1 });
    const [row] = rows;
    return row ? Date.parse(isoOf(row.as_of)) : undefined;
  };
  // A query may name an end that is years ahead.
  const isAhead = named.to !== null && named.to > Date.now() + 2 * 86_400_000;
  const newest = named.to === null || isAhead ? await outermost('older') : undefined;
  const oldest = named.from === null ? await outermost('newer') : undefined;
  // The end is excluded.
  const known = isAhead ? null : named.to;
  const to = known ?? (newest === undefined ? Math.max(named.from ?? 0, Date.now()) + 1 : newest + 1);
  const from = named.from ?? oldest ?? to - 1;
  return { from: Math.min(from, to - 1), to };
}

/** '2026-11-21 10:13:14.5+00', as PostgreSQL writes it in UTC, as RFC 3339. */
export const isoOf = (time: string): string => `${time.slice(0, 10)}T${time.slice(11, -3)}Z`;
