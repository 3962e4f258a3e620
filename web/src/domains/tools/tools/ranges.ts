import type { ActiveRange } from '@sightline/contract/tools/tools.ts';

export const rangeLabels: Readonly<Record<Exclude<ActiveRange, 'custom'>, string>> = {
  7: 'Last 7 days',
  14: 'Last 14 days',
  30: 'Last 30 days',
  year: 'This year',
  any: 'Any time',
};

/** Describes a range; a custom one by its days. */
export function toolRangeText(
  range: ActiveRange,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): string {
  if (range !== 'custom') return rangeLabels[range];
  if (from !== undefined && to !== undefined) return `${dateOf(from)} – ${dateOf(to)}`;
  if (from !== undefined) return `Since ${dateOf(from)}`;
  return to === undefined ? rangeLabels.any : `Until ${dateOf(to)}`;
}

/** Returns the day of a time in UTC: '2026-11-21'. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Whether the server accepts the value as a day. */
export const isDay = (value: string): boolean =>
  /^(19[7-9]|20\d)\d-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  dayOf(new Date(Date.parse(value))) === value;

const dateOf = (day: string): string => date.format(Date.parse(day));
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
