import type { DateSpan } from './rows.ts';
import { DAY_MS, parseTime } from './times.ts';

/** A time in which a repository was enabled. `from` is inclusive; `to` null: still enabled. */
export interface EnabledSpan {
  readonly from: string;
  readonly to: string | null;
}

/** The evaluated part of a day or week of a repository. */
export interface RecordedPart {
  /** The end of the day or week, or the time at which the repository was disabled for good. */
  readonly until: string;
  /** When the repository was disabled in between. */
  readonly disabled: readonly DateSpan[];
}

export interface RecordedDay extends RecordedPart {
  /** Such as `2026-07-01`, in UTC. */
  readonly day: string;
}

export interface RecordedWeek extends RecordedPart {
  readonly start: string;
  /** When the repository was enabled first. */
  readonly enabledAt: string;
}

/** The longest time before the end of a week whose disabled times matter: the largest maximum scan age. */
const MAX_SCAN_AGE_DAYS = 31;

/**
 * The completed days of a period on which a repository has to be recorded: all after the day on which it was enabled
 * first, until it was disabled for good. A time in between in which it was disabled excludes no day. `end`: the end of
 * the period, or of the known facts. `spans` are in order.
 */
export function recordedDays(
  spans: readonly EnabledSpan[],
  { from, end }: { readonly from: string; readonly end: string },
): readonly RecordedDay[] {
  const days: RecordedDay[] = [];
  for (let start = parseTime(from); start + DAY_MS <= parseTime(end); start += DAY_MS) {
    const at = timeText(start);
    const part = recordedPart(spans, { since: at, from: at, to: timeText(start + DAY_MS) });
    if (part && firstOf(spans) <= at) days.push({ day: at.slice(0, 10), ...part });
  }
  return days;
}

/**
 * The completed weeks of a period in which a repository has to be scanned: those that began before it was disabled for
 * good. Weeks begin on Monday in UTC, and belong to the period in which they end.
 */
export function recordedWeeks(
  spans: readonly EnabledSpan[],
  { from, end }: { readonly from: string; readonly end: string },
): readonly RecordedWeek[] {
  const weeks: RecordedWeek[] = [];
  // 1970 began on a Thursday.
  let to = Math.floor((parseTime(from) - 4 * DAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + 4 * DAY_MS;
  for (; to <= parseTime(end); to += 7 * DAY_MS) {
    if (to <= parseTime(from)) continue;
    const start = timeText(to - 7 * DAY_MS);
    const since = timeText(to - MAX_SCAN_AGE_DAYS * DAY_MS);
    const part = recordedPart(spans, { since, from: start, to: timeText(to) });
    if (part && firstOf(spans) < part.until) weeks.push({ start, enabledAt: firstOf(spans), ...part });
  }
  return weeks;
}

/** Undefined if the repository was disabled for good by `from`. */
function recordedPart(
  spans: readonly EnabledSpan[],
  { since, from, to }: { since: string; from: string; to: string },
): RecordedPart | undefined {
  const last = spans.at(-1);
  if (!last || (last.to !== null && last.to <= from)) return undefined;
  const until = last.to !== null && last.to < to ? last.to : to;
  const disabled = spans.slice(1).flatMap((span, index) => {
    const gap = { from: later(spans[index]?.to ?? span.from, since), to: earlier(span.from, until) };
    return gap.from < gap.to ? [gap] : [];
  });
  return { until, disabled };
}

const firstOf = (spans: readonly EnabledSpan[]): string => spans[0]?.from ?? '';
const timeText = (time: number): string => new Date(time).toISOString();
const later = (one: string, other: string): string => (one > other ? one : other);
const earlier = (one: string, other: string): string => (one < other ? one : other);
