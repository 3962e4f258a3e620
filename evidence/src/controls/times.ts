/** Durations in milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Milliseconds since 1970 of a time such as `2026-07-01T00:00:00.000Z`. Throws a RangeError for any other format, since
 * comparisons with NaN are false and must not decide a verdict.
 */
export function parseTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time) || new Date(time).toISOString() !== text) throw new RangeError('not a time in UTC');
  return time;
}

/** The start and end of a day such as `2026-07-01`, end exclusive. */
export function spanOfDay(text: string): TimeSpan {
  const from = parseTime(`${text}T00:00:00.000Z`);
  return [from, from + DAY_MS];
}

/** From one time to another, in milliseconds since 1970. */
export type TimeSpan = readonly [from: number, to: number];
