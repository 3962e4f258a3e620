/** Minutes from UTC of the whole hours from -12 to +12 (spec 2.6). */
const offsets: readonly number[] = Array.from({ length: 25 }, (_, index) => (index - 12) * 60);

/** The offset of the browser, which may be none of the 25, as in India. UTC if the browser reports none. */
export const browserOffset = (minutesBehind = new Date().getTimezoneOffset()): number =>
  Number.isFinite(minutesBehind) ? 0 - minutesBehind : 0;

/** 'Europe/Berlin', if the browser reports it. */
export const browserZone = (): string | undefined => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Other offsets in minutes from UTC: half and quarter hours, and beyond +12. Source: tz database. */
const rareOffsets: readonly number[] = [-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765, 780, 840];

/** The available offsets, sorted: the 25, that of the browser, and with `more` all others. */
export const offeredOffsets = (own = browserOffset(), more = false): readonly number[] =>
  [...new Set([...offsets, own, ...(more ? rareOffsets : [])])].toSorted((one, other) => one - other);

/** 'UTC+01:00', 'UTC−05:30', 'UTC'. */
export function zoneName(offset: number): string {
  if (offset === 0) return 'UTC';
  const size = Math.abs(offset);
  return `UTC${offset < 0 ? '−' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}
const twoDigits = (value: number) => String(value).padStart(2, '0');

/** '10:42:07' in the zone. */
export const clockTime = (at: string | number, offset: number): string => clock.format(shifted(at, offset));

/** 'Thursday, 19 November 2026' in the zone. */
export const dayName = (at: string | number, offset: number): string => day.format(shifted(at, offset));

/** '19 Nov 2026, 10:42:07 UTC+01:00'. */
export const fullTime = (at: string | number, offset: number): string =>
  `${date.format(shifted(at, offset))}, ${clockTime(at, offset)} ${zoneName(offset)}`;

/** '14:00' on an axis of at most 36 hours, '20 Nov' up to 300 days, then 'Nov 2026'. `length` is that of the axis in ms. */
export function tickText(at: number, length: number, offset: number): string {
  if (length <= 36 * 3_600_000) return clockTime(at, offset).slice(0, 5);
  return (length < 300 * 86_400_000 ? shortDate : month).format(shifted(at, offset));
}

// Some browsers do not support the zone '+03:00', so the time is shifted and formatted as UTC.
const shifted = (at: string | number, offset: number) =>
  (typeof at === 'number' ? at : Date.parse(at)) + offset * 60_000;

const inUtc = { timeZone: 'UTC' } as const;
const clock = new Intl.DateTimeFormat('en-GB', { ...inUtc, hour: '2-digit', minute: '2-digit', second: '2-digit' });
const shortDate = new Intl.DateTimeFormat('en-GB', { ...inUtc, day: 'numeric', month: 'short' });
const month = new Intl.DateTimeFormat('en-GB', { ...inUtc, month: 'short', year: 'numeric' });
const date = new Intl.DateTimeFormat('en-GB', { ...inUtc, day: 'numeric', month: 'short', year: 'numeric' });
const day = new Intl.DateTimeFormat('en-GB', {
  ...inUtc,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
