/** A group of a chart of totals or lines. */
export interface ChartGroup {
  key: string;
  label: string;
  count: number;
  /** One number per interval. */
  counts: readonly number[];
  /** The same in the previous period; null without comparison. */
  previous: { count: number; counts: readonly number[] } | null;
  /** Filters by the group, or excludes it; undefined if no query can. */
  onSelect: ((options: { exclude: boolean }) => void) | undefined;
}
