/** The date after a number of days, as the value of a date field: '2026-11-21', in the browser's time zone. */
export function dateFieldAfterDays(days: number, now = new Date()): string {
  const at = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The last second of such a day; undefined if invalid. */
export function endOfDay(field: string): string | undefined {
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = field.split('-').map(Number);
  const end = new Date(year, month - 1, day, 23, 59, 59);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** 5 May 2027. */
export const formatDay = (at: string): string => day.format(Date.parse(at));

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
