import type { ArchivedEvent } from '../archive/archived-event.ts';
import { eventsOf } from '../archive/events.ts';
import { MAX_EVENTS } from '../archive/layout.ts';
import { encodeSegments } from '../archive/segment-writer.ts';
import { MICROS, monthOf } from '../archive/times.ts';
import { withoutIndexing } from '../indexing.ts';
import { openEntry } from './open-segments.ts';
import type { SegmentServices } from './segment-bytes.ts';
import { replaceSegments } from './segment-changes.ts';
import { readSegmentList, type SegmentEntry } from './segment-list.ts';

/** Segments of a month that is not complete are merged once there are this many. */
const MIN_MERGED = 8;

/** Merges the small segments of each month, whose events arrived at different times. */
export async function mergeSegments(services: SegmentServices, orgId: string, archivedUntil: Date): Promise<void> {
  for (;;) {
    const merged = await withoutIndexing(services.database, orgId, async (tx) => {
      const { segments } = await readSegmentList(services.database, orgId);
      const replaced = mergeableSegments(segments, archivedUntil);
      if (!replaced) return false;
      const sources = await Promise.all(replaced.map((entry) => openEntry(services, orgId, entry)));
      const added = encodeSegments(orgId, inOrder(sources.map((segment) => eventsOf(segment))));
      await replaceSegments(services, tx, orgId, { added, replaced });
      return true;
    });
    if (!merged) return;
  }
}

function mergeableSegments(segments: readonly SegmentEntry[], archivedUntil: Date): SegmentEntry[] | undefined {
  const small = segments.filter(({ events }) => events <= MAX_EVENTS / 2);
  for (const [month, ofMonth] of Map.groupBy(small, ({ firstAt }) => monthOf(firstAt))) {
    let events = 0;
    const merged: SegmentEntry[] = [];
    for (const entry of ofMonth) {
      if (events + entry.events > MAX_EVENTS) continue;
      events += entry.events;
      merged.push(entry);
    }
    const isComplete = month < monthOf(archivedUntil.getTime() * MICROS);
    if (merged.length >= (isComplete ? 2 : MIN_MERGED)) return merged;
  }
  return undefined;
}

/** Merges events that are each in order. */
async function* inOrder(sources: readonly AsyncGenerator<ArchivedEvent, void>[]): AsyncGenerator<ArchivedEvent, void> {
  const heads = await Promise.all(sources.map(async (source) => ({ source, next: await source.next() })));
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads)
      if (!head.next.done && (!first?.next.value || precedes(head.next.value, first.next.value))) first = head;
    if (!first?.next.value) return;
    yield first.next.value;
    first.next = await first.source.next();
  }
}

const precedes = (one: ArchivedEvent, other: ArchivedEvent): boolean =>
  one.asOf === other.asOf ? one.id < other.id : one.asOf < other.asOf;
