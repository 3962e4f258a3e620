import { quarterOf } from '@sightline/contract/core/periods.ts';

export interface PeriodChoice {
  value: string;
  label: string;
}

/** Returns common periods, newest first, and the chosen one if it is another. */
export function controlPeriodChoices(now: Date, chosen: string): PeriodChoice[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const quarters = [0, 1, 2, 3, 4].map((back) => quarterOf(new Date(Date.UTC(year, month - 3 * back, 1))));
  const months = [0, 1, 2].map((back) => new Date(Date.UTC(year, month - back, 1)).toISOString().slice(0, 7));
  const values = [...quarters, ...months, String(year), String(year - 1)];
  return (values.includes(chosen) ? values : [chosen, ...values]).map((value) => ({
    value,
    label: periodLabel(value),
  }));
}

/** 'Q4 2026', 'November 2026', '2026', '5 Oct 2026 to 18 Oct 2026'. */
export function periodLabel(value: string): string {
  const quarter = /^(\d{4})-Q(\d)$/.exec(value);
  if (quarter) return `Q${quarter[2]} ${quarter[1]}`;
  if (/^\d{4}-\d{2}$/.test(value)) return month.format(Date.parse(`${value}-01T00:00:00Z`));
  const [first, last] = value.split('..');
  return last === undefined ? value : `${dayLabel(first ?? '')} to ${dayLabel(last)}`;
}

const dayLabel = (value: string) => day.format(Date.parse(`${value}T00:00:00Z`));
// Periods begin and end at UTC midnight.
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
