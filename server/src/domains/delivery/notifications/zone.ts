import { dateRangeOf } from '@sightline/contract/timeline/query-language/dates.ts';

/** What a date names where somebody lives, in milliseconds since the epoch: each end by the clock of its own day, in summer and winter. */
export function stretchIn(zone: string, text: string, now: number): { from: number; to: number } {
  const near = dateRangeOf(text, { now, offset: offsetAt(zone, now) });
  const by = (moment: number) => dateRangeOf(text, { now, offset: offsetAt(zone, moment) });
  return { from: by(near.from).from, to: by(near.to).to };
}

/** How far a time zone is ahead of UTC at a moment, in minutes. */
function offsetAt(zone: string, moment: number): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})/.exec(formatOf(zone).format(moment)) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    // PostgreSQL, which settings are checked by, knows some names more.
    return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', timeZoneName: 'longOffset' });
  }
}
