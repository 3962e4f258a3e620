import type { FrameworkDetails, FrameworkStatus } from '@sightline/contract/compliance/frameworks.ts';
import type { Period } from '@sightline/contract/core/periods.ts';
import type { DailyStatus } from '../controls/queries.ts';

const DAY_MS = 86_400_000;
/** Longer periods are shown by month. */
const MAX_WEEKS = 14;

type Intervals = FrameworkDetails['intervals'];

/** Returns the weeks from Monday, or months, of a period that have begun. The first one begins with the period. */
export function intervalsOf({ from, to }: Period, now: Date): Intervals {
  const end = Math.min(Date.parse(to), now.getTime());
  const unit = Date.parse(to) - Date.parse(from) > MAX_WEEKS * 7 * DAY_MS ? 'month' : 'week';
  const starts: string[] = [];
  for (let at = Date.parse(from); at < end; at = unit === 'week' ? nextMonday(at) : nextMonth(at)) {
    starts.push(new Date(at).toISOString().slice(0, 10));
  }
  return { unit, starts };
}

const nextMonday = (at: number): number => at + (7 - ((new Date(at).getUTCDay() + 6) % 7)) * DAY_MS;
const nextMonth = (at: number): number => Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth() + 1, 1);

/** Returns the last status in each interval. An interval without an evaluation has none, whatever came before it. */
export function historyOf(points: readonly DailyStatus[], { starts }: Intervals): FrameworkStatus[] {
  return starts.map((start, index) => {
    const next = starts[index + 1];
    return points.findLast(({ day }) => day >= start && (next === undefined || day < next))?.status ?? 'not_evaluated';
  });
}
