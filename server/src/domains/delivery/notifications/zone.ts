import { dateRangeOf } from '@sightline/contract/timeline/query-language/dates.ts';

/** The range of a date in a time zone, in epoch milliseconds. Each end uses the offset of its own day, because of daylight saving time. */
export function dateRangeIn(zone: string, text: string, now: number): { from: number; to: number } {
  const near = dateRangeOf(text, { now, offset: offsetAt(zone, now) });
  const by = (moment: number) => dateRangeOf(text, { now, offset: offsetAt(zone, moment) });
  return { from: by(near.from).from, to: by(near.to).to };
}

/** The offset of a time zone from UTC at a time, in minutes. */
function offsetAt(zone: string, moment: number): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})/.exec(formatOf(zone).format(moment)) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    // PostgreSQL, which validates settings, knows a few more names.
    return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', timeZoneName: 'longOffset' });
  }
}
