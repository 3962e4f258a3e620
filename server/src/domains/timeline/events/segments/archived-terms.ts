import type { Segment } from '../archive/segment.ts';
import { withCurrentSegments } from './lookup.ts';
import { openEntry } from './open-segments.ts';
import type { SegmentServices } from './segment-bytes.ts';

const BLOCKS_PER_READ = 64;

/** Those of these terms that archived events have. Reads the terms of all segments. */
export const findArchivedTerms = (
  services: SegmentServices,
  orgId: string,
  terms: ReadonlySet<number>,
): Promise<Set<number>> =>
  withCurrentSegments(services, orgId, async (segments) => {
    const found = new Set<number>();
    for (const entry of segments) {
      if (found.size === terms.size) break;
      for await (const term of termsOf(await openEntry(services, orgId, entry))) if (terms.has(term)) found.add(term);
    }
    return found;
  });

async function* termsOf(segment: Segment): AsyncGenerator<number, void> {
  const blocks = Array.from({ length: segment.blockCountOf('terms') }, (_, number) => number);
  for (let from = 0; from < blocks.length; from += BLOCKS_PER_READ) {
    const part = await segment.blocks('terms', blocks.slice(from, from + BLOCKS_PER_READ));
    for (const { keys } of part.values()) yield* keys;
  }
}
