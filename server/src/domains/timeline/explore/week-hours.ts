import type { countWeekHours, WeekHours } from '@sightline/contract/timeline/event-groups.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { withQueryTime } from '#core/query-time.ts';
import type { Services } from '#core/services.ts';
import { countGroups, type ResolvedQuery, resolveQuestion, type TimeSlice } from '../events/queries.ts';
import { periodBefore, periodOf, timeOf } from './periods.ts';

const HOUR_MS = 3_600_000;
const HOURS_PER_WEEK = 168;

/** The events of a query by weekday and hour of the day. */
export async function findWeekHours(
  given: Services,
  actor: Actor,
  { compare, ...question }: z.output<typeof countWeekHours.body>,
): Promise<WeekHours> {
  const services = withQueryTime(given, actor);
  const query = await resolveQuestion(services, actor, question);
  const range = await periodOf(services, query);
  const before = compare ? await periodBefore(services, query, range) : undefined;
  const current = await weekHoursOf(services, query, range, question.offset);
  const previous = before && (await weekHoursOf(services, before.query, before.range, question.offset));
  return {
    ...current.period,
    previous: previous?.period ?? null,
    sample: current.sample ?? previous?.sample ?? null,
  };
}

async function weekHoursOf(services: Services, query: ResolvedQuery, range: TimeSlice, offset: number) {
  // The last Monday before 1970, so that no event is before it.
  const start = -3 * 24 * HOUR_MS - offset * 60_000;
  const buckets = { start, size: HOUR_MS, cycle: HOURS_PER_WEEK };
  const { totals, sample } = await countGroups(services, query, { by: 'nothing' }, { range, buckets });
  const hours = Array.from({ length: HOURS_PER_WEEK }, () => 0);
  for (const { place, n } of totals) hours[place] = (hours[place] ?? 0) + n;
  const total = Math.round(hours.reduce((sum, n) => sum + n, 0));
  return {
    period: { from: timeOf(range.from), to: timeOf(range.to), total, hours: hours.map(Math.round) },
    sample,
  };
}
