/** Times a query can name: a month, a day, an RFC 3339 time, so long ago, today, yesterday, now. */
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
  /** Of the asking person's time zone, in minutes east of UTC: days begin by it. */
  offset: number;
}

export const isDate = (text: string): boolean =>
  maybeStretch(text, { now: Date.UTC(2100, 0, 1), offset: 0 }) !== undefined;

/**
 * What a date names, from its first moment to the first behind it, both in milliseconds since the epoch: a whole day or
 * month, or a moment, where both are the same. Throws for what `isDate` refuses.
 */
export function stretchOf(text: string, clock: Clock): { from: number; to: number } {
  const stretch = maybeStretch(text, clock);
  if (!stretch) throw new Error(`No date: ${text}`);
  return stretch;
}

function maybeStretch(text: string, { now, offset }: Clock): { from: number; to: number } | undefined {
  if (rfc3339.test(text)) return moment(Date.parse(text.toUpperCase()));
  const [, year, month, day, count, unit] = forms.exec(text) ?? [];
  const shift = offset * minute;
  if (year !== undefined) {
    const from = Date.UTC(Number(year), Number(month) - 1, day === undefined ? 1 : Number(day));
    // Date rolls the 31st of February over; such a day is none.
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

// What events can have (`text.ts`, instant); anything else could not be compared with them.
const bounded = (stretch: { from: number; to: number }) =>
  stretch.from >= -dayMs && stretch.to <= Date.UTC(2101, 0, 2) ? stretch : undefined;

const moment = (at: number) => (Number.isNaN(at) ? undefined : bounded({ from: at, to: at }));
