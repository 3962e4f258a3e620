/** The date formats of a query: a month, a day, an RFC 3339 time, a relative time, today, yesterday, now. */
const forms = /^(?:(\d{4})-(\d{2})(?:-(\d{2}))?|-(\d{1,5})([mhdw])|today|yesterday|now)$/i;
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i;

const minute = 60_000;
const units: Readonly<Record<string, number>> = {
  m: minute,
  h: 60 * minute,
  d: 24 * 60 * minute,
  w: 7 * 24 * 60 * minute,
};

export interface Clock {
  /** Milliseconds since the epoch. */
  now: number;
  /** Minutes east of UTC of the user's time zone, which determines days. */
  offset: number;
}

export const isDate = (text: string): boolean =>
  maybeRange(text, { now: Date.UTC(2100, 0, 1), offset: 0 }) !== undefined;

/**
 * Returns the range of a date in milliseconds since the epoch, end exclusive: a day, a month, or a moment with equal
 * ends. Throws if `isDate` rejects the text.
 */
export function dateRangeOf(text: string, clock: Clock): { from: number; to: number } {
  const range = maybeRange(text, clock);
  if (!range) throw new Error(`No date: ${text}`);
  return range;
}

function maybeRange(text: string, { now, offset }: Clock): { from: number; to: number } | undefined {
  if (rfc3339.test(text)) return moment(Date.parse(text.toUpperCase()));
  const [, year, month, day, count, unit] = forms.exec(text) ?? [];
  const shift = offset * minute;
  if (year !== undefined) {
    const from = Date.UTC(Number(year), Number(month) - 1, day === undefined ? 1 : Number(day));
    // Date normalizes February 31 to another day, so such a day is invalid.
    const same = new Date(from).toISOString().startsWith(`${year}-${month}${day === undefined ? '' : `-${day}`}`);
    if (!same) return undefined;
    const to = day === undefined ? Date.UTC(Number(year), Number(month), 1) : from + dayMs;
    return bounded({ from: from - shift, to: to - shift });
  }
  if (count !== undefined) return moment(now - Number(count) * (units[unit?.toLowerCase() ?? ''] ?? 0));
  const today = Math.floor((now + shift) / dayMs) * dayMs - shift;
  switch (text.toLowerCase()) {
    case 'now':
      return moment(now);
    case 'today':
      return { from: today, to: today + dayMs };
    case 'yesterday':
      return { from: today - dayMs, to: today };
    default:
      return undefined;
  }
}

const dayMs = 24 * 60 * minute;

// The bounds of event times (`text.ts`, instant). Other times cannot match an event.
const bounded = (range: { from: number; to: number }) =>
  range.from >= -dayMs && range.to <= Date.UTC(2101, 0, 2) ? range : undefined;

const moment = (at: number) => (Number.isNaN(at) ? undefined : bounded({ from: at, to: at }));
