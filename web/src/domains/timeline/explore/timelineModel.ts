import type { Event } from '@sightline/contract/timeline/events.ts';
import { type EventGroup, groupsOf, type TimeWindow, windowOf } from './grouping.ts';
import { newestFirst } from './order.ts';
import type { TimelinePage } from './timelinePages.ts';

/** The loaded events, newest first. */
export interface TimelineModel {
  windows: readonly TimeWindow[];
  /** The number of unique events. */
  events: number;
  /** The number of repeated events. */
  duplicates: number;
}

interface Block {
  number: number;
  events: readonly Event[];
}

/**
 * Merges the pages: each event once, and one window for events that two pages share. The result of each page is cached,
 * so the cost of another page does not depend on their number.
 */
export function modelOf(pages: readonly TimelinePage[]): TimelineModel {
  const windows: TimeWindow[] = [];
  let total = 0;
  let shared: Block[] = [];
  const finish = () => {
    if (shared.length === 0) return;
    windows.push(windowOfBlocks(shared));
    shared = [];
  };
  for (const page of pages) total += page.events.length;
  for (const page of withoutOverlap(pages)) {
    for (const block of blocksOf(page)) {
      if (shared[0]?.number !== block.number) finish();
      shared.push(block);
    }
  }
  finish();
  const events = windows.reduce((sum, { groups }) => sum + sizeOf(groups), 0);
  return { windows, events, duplicates: total - events };
}

/** Merges overlapping pages into one, because blocks alone cannot detect repeated events then. */
function withoutOverlap(pages: readonly TimelinePage[]): readonly TimelinePage[] {
  const filled = pages.filter(({ events }) => events.length > 0);
  const overlaps = filled.some(({ events: [newest] }, place) => {
    const oldest = filled[place - 1]?.events.at(-1);
    return newest !== undefined && oldest !== undefined && windowOf(newest) > windowOf(oldest);
  });
  const [first] = filled;
  if (!overlaps || first === undefined) return pages;
  const each = new Map(filled.flatMap(({ events }) => events.map((event) => [event.uuid, event] as const)));
  return [{ ...first, events: newestFirst([...each.values()]) }];
}

const sizeOf = (groups: readonly EventGroup[]) => {
  let size = 0;
  for (const { events } of groups) size += events.length;
  return size;
};

const blockCache = new WeakMap<TimelinePage, readonly Block[]>();
function blocksOf(page: TimelinePage): readonly Block[] {
  const known = blockCache.get(page);
  if (known) return known;
  const found: { number: number; events: Event[] }[] = [];
  for (const event of page.events) {
    const number = windowOf(event);
    const last = found.at(-1);
    if (last?.number === number) last.events.push(event);
    else found.push({ number, events: [event] });
  }
  blockCache.set(page, found);
  return found;
}

const windowCache = new WeakMap<Block, { of: readonly Block[]; window: TimeWindow }>();
function windowOfBlocks(of: readonly Block[]): TimeWindow {
  const [first] = of;
  if (!first) throw new Error('A window without events');
  const known = windowCache.get(first);
  if (known?.of.length === of.length && known.of.every((block, index) => block === of[index])) return known.window;
  const events = new Map(of.flatMap((block) => block.events.map((event) => [event.uuid, event] as const)));
  const window = groupsOf(first.number, [...events.values()]);
  windowCache.set(first, { of, window });
  return window;
}
