export type ChartKind = 'bars' | 'lines';

/** A line, or the bars of one color. */
export interface ChartSeries {
  key: string;
  /** 'Opened'. */
  label: string;
  /** A color token: 'var(--ui-orange-bar)'. */
  color: string;
  /** The sum or the latest value, in the legend. */
  total?: string;
  /** The list that the series counts. */
  href?: string;
}

export interface ChartPoint {
  /** The first day (UTC) of the interval: '2026-11-28'. */
  day: string;
  /** By key of a series or detail. Null: no value, so that the line breaks. */
  values: Readonly<Record<string, number | null>>;
}

export interface ChartData {
  series: readonly ChartSeries[];
  /** Counts that only the table shows: what a share is computed from. */
  details?: readonly Pick<ChartSeries, 'key' | 'label'>[];
  /** Oldest first. */
  points: readonly ChartPoint[];
  /** `share`: from 0 to 1. */
  unit: 'count' | 'share';
  interval: 'day' | 'week';
}

/** Whether no point has a value, or all counts are zero. */
export const isEmptyChart = ({ series, points, unit }: ChartData): boolean =>
  points.every(({ values }) =>
    series.every(({ key }) => {
      const value = values[key] ?? null;
      return value === null || (unit === 'count' && value === 0);
    }),
  );

/** '1,204' or '83%'. A share below 1 is never rounded to 100%. */
export const valueText = (value: number | null | undefined, unit: ChartData['unit']): string => {
  if (value === null || value === undefined) return '–';
  return unit === 'share' ? `${Math.floor(value * 100)}%` : number.format(value);
};

/** '28 Nov'. */
export const dayText = (day: string): string => shortDay.format(Date.parse(day));

/** '28 Nov 2026', or 'Week of 23 Nov 2026'. */
export const intervalText = (day: string, interval: ChartData['interval']): string =>
  `${interval === 'week' ? 'Week of ' : ''}${longDay.format(Date.parse(day))}`;

/** The chart as text, for screen readers. */
export function chartSummary(title: string, { series, points, interval }: ChartData): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return title;
  const totals = series.map(({ label, total }) => (total === undefined ? label : `${label} ${total}`)).join(', ');
  return `${title} by ${interval}, ${dayText(first.day)} to ${dayText(last.day)}. ${totals}.`;
}

const number = new Intl.NumberFormat('en-GB');
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const longDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
