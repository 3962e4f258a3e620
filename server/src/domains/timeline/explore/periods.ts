import type { Services } from '#core/services.ts';
import { type ResolvedQuery, type TimeSlice, timeRangeOfQuery, withTimeRange } from '../events/queries.ts';
import { rangeOf } from './queries.ts';

/** The period of a query: its time range, until now if it has a start only, otherwise that of its events. */
export async function periodOf(services: Services, query: ResolvedQuery): Promise<TimeSlice> {
  const range = await rangeOf(services, query);
  const { from, to } = timeRangeOfQuery(query);
  return from !== null && to === null ? { from, to: Math.max(range.to, Date.now()) } : range;
}

/** The same query in the period of the same length before; undefined if the query has no start. */
export async function periodBefore(
  services: Services,
  query: ResolvedQuery,
  { from, to }: TimeSlice,
): Promise<{ query: ResolvedQuery; range: TimeSlice } | undefined> {
  if (timeRangeOfQuery(query).from === null) return undefined;
  const range = { from: from - (to - from), to: from };
  const before = await withTimeRange(services, query, range);
  return before && { query: before, range };
}

export const timeOf = (time: number): string => new Date(time).toISOString();
