import type { EventKind } from '@sightline/contract/timeline/events.ts';
import type { Histogram } from '@sightline/contract/timeline/explore.ts';
import { eventAppearances } from '#ui/eventAppearances.ts';

/** A visible bucket. Times are in milliseconds since the epoch; the end is exclusive. */
export interface HistogramBar {
  from: number;
  to: number;
  total: number;
  parts: { name: string; ink: string; count: number }[];
}

// From the bottom of a bar: kinds of one color are adjacent.
const order: readonly EventKind[] = [
  'commit',
  'pull_request',
  'vulnerability',
  'exception',
  'browser_clipboard',
  'ide_clipboard',
  'web_page_view',
  'tool',
  'member',
  'policy',
  'other',
];

/** Returns every bucket of the range, including empty ones, oldest first. */
export function barsOf({ from, to, bucket, buckets }: Histogram): HistogramBar[] {
  const size = bucket * 1000;
  const begin = Date.parse(from);
  const known = new Map(buckets.map(({ at, kinds }) => [Date.parse(at), kinds]));
  const count = Math.max(1, Math.ceil((Date.parse(to) - begin) / size));
  return Array.from({ length: count }, (_, index) => {
    const at = begin + index * size;
    const parts = partsOf(known.get(at) ?? {});
    return { from: at, to: at + size, parts, total: parts.reduce((sum, part) => sum + part.count, 0) };
  });
}

/** Returns the total of each kind, as far as events were counted. */
export const kindTotalsOf = ({ buckets }: Histogram): HistogramBar['parts'] =>
  partsOf(
    Object.fromEntries(
      order.map((kind) => [kind, buckets.reduce((sum, { kinds }) => sum + (kinds[kind] ?? 0), 0)]),
    ) as Partial<Record<EventKind, number>>,
  );

const partsOf = (kinds: Partial<Record<EventKind, number>>) =>
  order.flatMap((kind) => {
    const count = kinds[kind] ?? 0;
    return count === 0 ? [] : [{ name: eventAppearances[kind].name, ink: eventAppearances[kind].ink, count }];
  });
