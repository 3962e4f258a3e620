const day = 86_400_000;

/** spec 9: the time ranges of lists. */
export const auditRanges = [
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 14 days', days: 14 },
  { label: 'Last 30 days', days: 30 },
  { label: 'This year', days: undefined },
] as const;

/** Returns the start of a range in the time zone of the browser: midnight, so that every day is complete. */
export function rangeStartOf(range: (typeof auditRanges)[number], now: Date): string {
  const begin =
    range.days === undefined
      ? new Date(now.getFullYear(), 0, 1)
      : new Date(now.getFullYear(), now.getMonth(), now.getDate() - range.days);
  return begin.toISOString();
}

/** Converts the day of a date field ('2026-11-21') to its start or end; undefined for an empty or invalid field. */
export function timeOfDateField(field: string, edge: 'begin' | 'end'): string | undefined {
  const [year, month, date] = field.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const moment = new Date(year, month - 1, edge === 'end' ? date + 1 : date);
  return moment.getFullYear() < 1971 || moment.getFullYear() > 2099 || Number.isNaN(moment.getTime())
    ? undefined
    : moment.toISOString();
}

/** Converts a time to the day of a date field. The end of a range is the midnight after its last day. */
export function dateFieldValueOf(moment: string | undefined, edge: 'begin' | 'end'): string {
  if (moment === undefined) return '';
  const at = new Date(Date.parse(moment) - (edge === 'end' ? day / 2 : 0));
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** '21 Nov 2026'. The end of a range is shown as its last day. */
export const dateText = (moment: string, edge?: 'last day'): string =>
  date.format(Date.parse(moment) - (edge === undefined ? 0 : 1));

/** '21 Nov 2026, 18:22:05'. */
export const timeText = (moment: string): string => time.format(Date.parse(moment));

/** The time to the second in the time zone of the browser and in UTC. */
export const localAndUtcTimeText = (moment: string): string => {
  const at = Date.parse(moment);
  const [here, utc] = [zoned.format(at), `${coordinated.format(at)} UTC`];
  return Intl.DateTimeFormat().resolvedOptions().timeZone === 'UTC' ? utc : `${here} · ${utc}`;
};

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const time = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const zoned = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'long' });
const coordinated = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' });
