/** Hours from UTC, -12 to +12 (spec 2.6). */
export const offsets: readonly number[] = Array.from({ length: 25 }, (_, index) => index - 12);

/** The browser's own offset; UTC where that is not one of the 25, as in India. */
export function browserOffset(minutesBehind = new Date().getTimezoneOffset()): number {
  const hours = -minutesBehind / 60;
  return offsets.includes(hours) ? hours + 0 : 0;
}

/** 'UTC+01:00', 'UTC-05:00', 'UTC'. */
export const zoneName = (offset: number): string =>
  offset === 0 ? 'UTC' : `UTC${offset < 0 ? '−' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`;

/** '10:42:07' in the zone. */
export const clockTime = (at: string, offset: number): string => clock.format(shifted(at, offset));

/** 'Thursday 19 November 2026' in the zone. */
export const dayName = (at: string, offset: number): string => day.format(shifted(at, offset));

/** '19 Nov 2026, 10:42:07 UTC+01:00'. */
export const fullTime = (at: string, offset: number): string =>
  `${date.format(shifted(at, offset))}, ${clockTime(at, offset)} ${zoneName(offset)}`;

// Not every browser knows a zone called '+03:00': the moment is moved, and told as if it were UTC.
const shifted = (at: string, offset: number) => Date.parse(at) + offset * 3_600_000;

const inUtc = { timeZone: 'UTC' } as const;
const clock = new Intl.DateTimeFormat('en-GB', { ...inUtc, hour: '2-digit', minute: '2-digit', second: '2-digit' });
const date = new Intl.DateTimeFormat('en-GB', { ...inUtc, day: 'numeric', month: 'short', year: 'numeric' });
const day = new Intl.DateTimeFormat('en-GB', {
  ...inUtc,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
