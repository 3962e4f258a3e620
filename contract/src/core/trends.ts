import { z } from 'zod';

/** The lengths of trends. 30 days are shown by day, 90 days by week. */
export const trendDays = [30, 90] as const;
export type TrendDays = (typeof trendDays)[number];

/** The length of a trend in a URL. */
export const trendDaysQuery = z.enum(['30', '90']).default('30').transform(Number).pipe(z.literal(trendDays));

export const trendInterval = z.enum(['day', 'week']);
export type TrendInterval = z.infer<typeof trendInterval>;

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** The first days (UTC) of the intervals of a trend, oldest first. Weeks begin on Monday. The last one is not over. */
export function trendIntervals(now: Date, { days, interval }: { days: TrendDays; interval: TrendInterval }): string[] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  if (interval === 'day') return Array.from({ length: days }, (_, index) => dayOf(today - (days - 1 - index) * DAY_MS));
  const monday = today - ((new Date(today).getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS) * DAY_MS;
  const weeks = Math.ceil(days / WEEK_DAYS);
  return Array.from({ length: weeks }, (_, index) => dayOf(monday - (weeks - 1 - index) * WEEK_DAYS * DAY_MS));
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
