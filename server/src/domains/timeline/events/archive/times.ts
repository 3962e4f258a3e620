import { InvalidSegment } from './bytes.ts';

/** The number of microseconds in a millisecond. */
export const MICROS = 1000;

const pattern = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|\+00(?::?00)?)$/;

/**
 * Microseconds since 1970 of a time in UTC, in the text format of PostgreSQL (`2026-11-21 10:13:14.5+00`) or in RFC 3339.
 * Times before year 1 and after year 9999 are not supported.
 */
export function microsOf(time: string): number {
  const [, day, clock, fraction = ''] = pattern.exec(time) ?? [];
  const ms = Date.parse(`${day}T${clock}Z`);
  if (Number.isNaN(ms)) throw new InvalidSegment(`The time ${time.slice(0, 40)} is not a time in UTC.`);
  return ms * MICROS + Number(fraction.padEnd(6, '0'));
}

const SECONDS_PER_DAY = 86_400;
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
/** The day that was formatted last. The events of a page are of few days, and to format a date takes longest. */
let known = { day: Number.NaN, date: '' };

/** A time in the text format of PostgreSQL, in UTC. */
export function postgresTimeOf(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  if (day !== known.day)
    known = { day, date: new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, 'YYYY-MM-DD'.length) };
  const ofDay = seconds - day * SECONDS_PER_DAY;
  const clock = `${twoDigits[Math.floor(ofDay / 3600)]}:${twoDigits[Math.floor(ofDay / 60) % 60]}:${twoDigits[ofDay % 60]}`;
  return `${known.date} ${clock}${fractionOf(micros - seconds * 1_000_000)}+00`;
}

/** The fraction of a second without zeros at its end. */
function fractionOf(micros: number): string {
  if (micros === 0) return '';
  let [value, width] = [micros, 6];
  while (value % 10 === 0) {
    value /= 10;
    width -= 1;
  }
  return `.${String(value).padStart(width, '0')}`;
}

/** The calendar month of a time in UTC, such as `2026-11`. */
export const monthOf = (micros: number): string => new Date(Math.floor(micros / MICROS)).toISOString().slice(0, 7);
