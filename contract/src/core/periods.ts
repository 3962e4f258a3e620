import { z } from 'zod';
import { boundedText } from './text.ts';

/** From the first moment, inclusive, to the end, exclusive, as RFC 3339 in UTC with milliseconds. */
export interface Period {
  from: string;
  to: string;
}

/** Maximum number of days in one period: slightly more than a year. */
export const MAX_PERIOD_DAYS = 400;

/**
 * Parses a period in UTC: a year `2026`, a quarter `2026-Q4`, a month `2026-10`, or days `2026-10-05..2026-10-18`, last
 * day inclusive. Returns undefined for other text and for too many days.
 */
export function parsePeriod(value: string): Period | undefined {
  const quarter = /^(\d{4})-Q([1-4])$/.exec(value);
  if (quarter) return months(Number(quarter[1]), (Number(quarter[2]) - 1) * 3, 3);
  const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(value);
  if (month) return months(Number(month[1]), Number(month[2]) - 1, 1);
  if (/^\d{4}$/.test(value)) return months(Number(value), 0, 12);
  const days = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(value);
  return days ? span(dayOf(days[1]), dayOf(days[2])) : undefined;
}

/** Formats a period as a year, quarter or month if its ends match, otherwise as days. */
export function formatPeriod({ from, to }: Period): string {
  const [day, last] = [from.slice(0, 10), new Date(Date.parse(to) - dayLength).toISOString().slice(0, 10)];
  const year = day.slice(0, 4);
  const named = [year, `${year}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`, day.slice(0, 7)];
  return named.find((name) => isSame(parsePeriod(name), from, to)) ?? `${day}..${last}`;
}

/** The quarter of a time, such as `2026-Q4`. */
export const quarterOf = (at: Date): string => `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`;

/** A period in a URL. */
export const period = boundedText(30).refine((value) => parsePeriod(value) !== undefined, {
  error: `must be a year, quarter, month or days such as 2026, 2026-Q4, 2026-10 or 2026-10-05..2026-10-18, of at most ${MAX_PERIOD_DAYS} days`,
});

export const periodEnds = z.object({ from: z.string(), to: z.string() });

const dayLength = 24 * 60 * 60_000;
const [earliest, latest] = [Date.UTC(2000, 0, 1), Date.UTC(2101, 0, 1)];

const months = (year: number, month: number, count: number) =>
  span(Date.UTC(year, month, 1), Date.UTC(year, month + count, 0));

function span(first: number | undefined, last: number | undefined): Period | undefined {
  if (first === undefined || last === undefined || first < earliest || last >= latest || last < first) return undefined;
  const to = last + dayLength;
  if (to - first > MAX_PERIOD_DAYS * dayLength) return undefined;
  return { from: new Date(first).toISOString(), to: new Date(to).toISOString() };
}

/** Returns undefined for a day that does not exist, such as February 30. */
function dayOf(value: string | undefined): number | undefined {
  const time = Date.parse(`${value}T00:00:00.000Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === value ? time : undefined;
}

const isSame = (one: Period | undefined, from: string, to: string) => one?.from === from && one.to === to;
