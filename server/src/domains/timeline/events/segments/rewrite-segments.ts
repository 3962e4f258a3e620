import type { Tx } from '#database/database.ts';
import { type EventChange, rewriteSegment } from '../archive/rewrite.ts';
import type { Segment } from '../archive/segment.ts';
import { withoutIndexing } from '../indexing.ts';
import { openEntry } from './open-segments.ts';
import type { SegmentServices } from './segment-bytes.ts';
import { replaceSegments } from './segment-changes.ts';
import { readSegmentList, type SegmentEntry } from './segment-list.ts';

interface SegmentRewrite {
  /** Which segments may need changes. */
  mayChange?: (entry: SegmentEntry) => boolean;
  /** The changes by event ID; none if the segment stays as it is. */
  changesOf: (tx: Tx, segment: Segment) => Promise<ReadonlyMap<string, EventChange>>;
  /** Further writes in the transaction that replaces the segment. */
  alsoWrite?: (tx: Tx, changes: ReadonlyMap<string, EventChange>) => Promise<void>;
}

/**
 * Replaces the segments of an organization whose events change, each in its own transaction, so that an interrupted run can be
 * repeated. Returns the number of changed events.
 */
export async function rewriteSegments(
  services: SegmentServices,
  orgId: string,
  { mayChange = () => true, changesOf, alsoWrite }: SegmentRewrite,
): Promise<number> {
  const { segments } = await readSegmentList(services.database, orgId);
  let changed = 0;
  for (const entry of segments.filter(mayChange)) {
    changed += await withoutIndexing(services.database, orgId, async (tx) => {
      // A concurrent run may have replaced it before this transaction got the lock.
      if (!(await isListed(tx, orgId, entry.id))) return 0;
      const segment = await openEntry(services, orgId, entry);
      const changes = await changesOf(tx, segment);
      if (changes.size === 0) return 0;
      await replaceSegments(services, tx, orgId, { added: rewriteSegment(segment, changes), replaced: [entry] });
      await alsoWrite?.(tx, changes);
      return changes.size;
    });
  }
  return changed;
}

async function isListed(tx: Tx, orgId: string, id: string): Promise<boolean> {
  const rows = await tx.query({
    name: '',
    text: 'select id from event_segment where org_id = $1 and id = $2',
    values: [orgId, id],
  });
  return rows.length > 0;
}
