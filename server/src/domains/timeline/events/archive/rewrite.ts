import type { ArchivedEvent } from './archived-event.ts';
import { eventsOf } from './events.ts';
import type { Segment } from './segment.ts';
import { encodeSegments } from './segment-writer.ts';

/** What becomes of an event: nothing, if it is deleted; other texts and terms, if names in it are erased; or more terms. */
export interface EventChange {
  isDeleted?: boolean;
  /** In their stored form. */
  texts?: { summary: string; detail: string };
  /** The new terms, instead of those that it has. */
  terms?: readonly number[];
  /** Terms in addition to those. */
  moreTerms?: readonly number[];
}

/**
 * Encodes the events of a segment again, with changes by event ID: usually as one segment; none if all events are
 * deleted, and several if they have too many terms for one. A segment from a file must be encoded again before it is
 * searched: only then it is certain that its lists agree with its events, and that its texts have a limited size.
 */
export function rewriteSegment(
  segment: Segment,
  changes: ReadonlyMap<string, EventChange> = new Map(),
): AsyncGenerator<Buffer, void> {
  return encodeSegments(segment.manifest.organization, changedEvents(segment, changes));
}

async function* changedEvents(
  segment: Segment,
  changes: ReadonlyMap<string, EventChange>,
): AsyncGenerator<ArchivedEvent, void> {
  for await (const event of eventsOf(segment)) {
    const change = changes.get(event.id);
    if (change?.isDeleted) continue;
    const { terms = event.terms, moreTerms = [] } = change ?? {};
    yield change ? { ...event, ...change.texts, terms: [...terms, ...moreTerms] } : event;
  }
}
