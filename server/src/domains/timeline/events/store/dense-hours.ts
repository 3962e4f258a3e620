import type { Database } from '#database/database.ts';
import { type HourPart, overlappingParts, WHOLE_HOUR } from './hour-parts.ts';

/** An hour with so many events that its lists are read in parts. */
export interface DenseHour {
  /** Hours since 1970. */
  hour: number;
  events: number;
}

/** Lengths of parts and the age of what is known of an organization. Tests lower them. */
export const density = {
  /** From this number of events on, an hour is dense. */
  hourlyEvents: 16_384,
  /** The first parts of a walk have about this number of events. */
  partEvents: 4096,
  /** How long the dense hours of a process may miss the last two hours, and earlier ones, in milliseconds. */
  recentMs: 10_000,
  earlierMs: 600_000,
};

interface KnownHours {
  /** The newest first. */
  hours: readonly DenseHour[];
  recentAt: number;
  earlierAt: number;
}

const knownByDatabase = new WeakMap<Database['pool'], Map<string, KnownHours>>();
const MAX_KNOWN_ORGANIZATIONS = 10_000;
const HOUR_MS = 3_600_000;
const hourOf = (time: number) => Math.floor(time / HOUR_MS);

/** The dense hours of an organization, the newest first. They may be outdated, which only costs time. */
export async function denseHoursOf(database: Database, orgId: string): Promise<readonly DenseHour[]> {
  const organizations = knownByDatabase.get(database.pool) ?? new Map<string, KnownHours>();
  knownByDatabase.set(database.pool, organizations);
  if (organizations.size >= MAX_KNOWN_ORGANIZATIONS) organizations.clear();
  const known = organizations.get(orgId) ?? { hours: [], recentAt: -Infinity, earlierAt: -Infinity };
  organizations.set(orgId, known);
  const now = performance.now();
  if (known.recentAt + density.recentMs <= now) {
    const from = known.earlierAt + density.earlierMs <= now ? 0 : hourOf(Date.now()) - 1;
    // Before the statement, so that concurrent requests do not repeat it.
    known.recentAt = now;
    if (from === 0) known.earlierAt = now;
    const read = await database.onceWithOrg<DenseHour>(orgId, {
      name: 'events.dense-hours',
      text: ` select h.hour, h.events from tenant cross join lateral (
                select hour, sum(n)::float8 as events from event_hour_kind where org_id = tenant.org and hour >= $2
                group by hour having sum(n) >= $3 order by hour desc offset 0) h`,
      values: [from, density.hourlyEvents],
    });
    known.hours = [...read, ...known.hours.filter(({ hour }) => hour < from)];
  }
  return known.hours.filter(({ events }) => events >= density.hourlyEvents);
}

/** A range of a walk through lists: whole hours, both included, or a part of an hour. */
export interface WalkRange {
  hours?: { first: number; last: number };
  part?: HourPart & { hour: number };
}

export interface DenseWalk {
  /** In the order of the walk. */
  ranges: WalkRange[];
  /** The last of these hours; the walk continues behind it. */
  edge: number;
}

/** Times in milliseconds, the end excluded; null for an open end. */
interface Window {
  from: number | null;
  to: number | null;
}

/** More dense hours would make the statement long. Those behind them are read as a whole. */
const MAX_DENSE_HOURS = 16;
const RANGES_PER_SIZE = 4;
const MAX_HOURS = 128;
/** Behind every possible event. */
const LAST_HOUR = 10_000_000;

/**
 * The ranges of a walk from its start to its last dense hour; undefined if there is none within `distance` hours. Dense
 * hours are read in parts, which begin with few seconds and double every four ranges; the hours between them like all
 * others.
 */
export function rangesThroughDenseHours(
  hours: readonly DenseHour[],
  window: Window,
  { direction, distance }: { direction: 'older' | 'newer'; distance: number },
): DenseWalk | undefined {
  const { from, to } = window;
  if (direction === 'newer' && from === null) return undefined;
  const [oldest, newest] = [from === null ? 0 : hourOf(from), to === null ? LAST_HOUR : hourOf(to - 1)];
  const start = direction === 'older' ? Math.min(newest, hourOf(Date.now())) : oldest;
  const inWindow = hours.filter(({ hour }) => hour >= oldest && hour <= newest && Math.abs(hour - start) <= distance);
  const dense = (direction === 'older' ? inWindow : inWindow.toReversed()).slice(0, MAX_DENSE_HOURS);
  const [first, last] = [dense[0], dense.at(-1)];
  if (!first || !last) return undefined;
  const ranges: WalkRange[] = [];
  const sizes = { hours: growing(1, MAX_HOURS), seconds: growing(firstPartOf(first, window), WHOLE_HOUR) };
  const next = direction === 'older' ? -1 : 1;
  let at = direction === 'older' ? newest : oldest;
  const future = Math.max(start, first.hour) + 1;
  if (direction === 'older' && newest > future) {
    ranges.push({ hours: { first: future, last: newest } });
    at = future - 1;
  }
  for (const { hour } of dense) {
    while (at !== hour) {
      const end = at + next * (Math.min(sizes.hours(), Math.abs(hour - at)) - 1);
      ranges.push({ hours: { first: Math.min(at, end), last: Math.max(at, end) } });
      at = end + next;
    }
    ranges.push(...partsOfHour(hour, window, direction, sizes.seconds));
    at = hour + next;
  }
  return { ranges, edge: last.hour };
}

/** Returns a function that returns a size four times, then twice that size four times, and so on up to `most`. */
function growing(first: number, most: number): () => number {
  let place = 0;
  return () => {
    const size = Math.min(first * 2 ** Math.floor(place / RANGES_PER_SIZE), most);
    place += 1;
    return size;
  };
}

/** The seconds of the first part: a power of two with few events, and not longer than the window needs. */
function firstPartOf({ hour, events }: DenseHour, { from, to }: Window): number {
  // All events of the current hour are in the past part of it.
  const seconds = Math.min(Math.max(Date.now() / 1000 - hour * 3600, 60), 3600);
  const byDensity = (density.partEvents * seconds) / events;
  const byWindow = from === null || to === null ? WHOLE_HOUR : (to - from) / 1000;
  return 2 ** Math.floor(Math.log2(Math.max(1, Math.min(byDensity, byWindow, WHOLE_HOUR))));
}

/** The parts of an hour within the window, in the order of the walk. */
function partsOfHour(
  hour: number,
  { from, to }: Window,
  direction: 'older' | 'newer',
  sizeOf: () => number,
): WalkRange[] {
  const secondOf = (time: number) => Math.min(Math.max(Math.floor(time / 1000) - hour * 3600, 0), 3599);
  const [begin, end] = [from === null ? 0 : secondOf(from), to === null ? 3599 : secondOf(to - 1)];
  const parts: WalkRange[] = [];
  let at = direction === 'older' ? end : begin;
  while (at >= begin && at <= end) {
    let size = sizeOf();
    // Parts begin at multiples of their size. Only the first may contain seconds behind the start, which are outside of the window.
    const outer = direction === 'older' ? at + 1 : at;
    while (parts.length > 0 && outer % size !== 0) size /= 2;
    const start = Math.floor(at / size) * size;
    parts.push({ part: { hour, start, size } });
    at = direction === 'older' ? start - 1 : start + size;
  }
  return parts;
}

/** Ranges as columns, for `unnest`. */
export function columnsOfRanges(ranges: readonly WalkRange[]) {
  const parts = ranges.map(({ part }) => part && { hour: part.hour, ...overlappingParts(part) });
  return {
    first: ranges.map(({ hours }) => hours?.first ?? null),
    last: ranges.map(({ hours }) => hours?.last ?? null),
    hour: parts.map((part) => part?.hour ?? null),
    low: parts.map((part) => part?.low ?? null),
    high: parts.map((part) => part?.high ?? null),
    around: parts.map((part) => `{${part?.around.join() ?? ''}}`),
  };
}
