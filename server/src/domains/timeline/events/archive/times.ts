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

/** A time in the text format of PostgreSQL, in UTC. */
export function postgresTimeOf(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const iso = new Date(seconds * 1000).toISOString();
  const fraction = micros - seconds * 1_000_000;
  const digits = fraction === 0 ? '' : `.${String(fraction).padStart(6, '0').replace(/0+$/, '')}`;
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${digits}+00`;
}

/** The calendar month of a time in UTC, such as `2026-11`. */
export const monthOf = (micros: number): string => new Date(Math.floor(micros / MICROS)).toISOString().slice(0, 7);
