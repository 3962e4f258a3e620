import type { ArchivedEventRow, ArchivedEvents, ArchivedEventTexts, ArchivedSegment } from '#core/archived-events.ts';
import { shortEventTexts } from '#core/event-text.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { matchingEvents } from '../archive/counts.ts';
import { ordinalsIn } from '../archive/ordinals.ts';
import type { EventChange } from '../archive/rewrite.ts';
import { type ArchivedColumn, readRows } from '../archive/rows.ts';
import type { Segment } from '../archive/segment.ts';
import { deleteEventCopies } from '../clickhouse/forget.ts';
import { lockEvents } from '../indexing.ts';
import { queueLateNames } from '../late-fields.ts';
import { indexEntriesOf } from '../rewrite-events.ts';
import { findArchivedTerms } from './archived-terms.ts';
import { openEntry } from './open-segments.ts';
import { resolveByTables } from './resolve-candidates.ts';
import { rewriteSegments } from './rewrite-segments.ts';
import type { SegmentServices } from './segment-bytes.ts';
import { readSegmentList, type SegmentEntry, SegmentReplaced } from './segment-list.ts';

const columns: readonly ArchivedColumn[] = [
  'id',
  'kind',
  'as_of',
  'received_at',
  'source',
  'summary',
  'detail',
  'actor',
  'repo',
  'pr',
  'leaf_hash',
  'proof',
];
const EVENTS_PER_PAGE = 1024;

/** What lower domains do with archived events. */
export const archivedEventsOf = (services: () => Services): ArchivedEvents => ({
  lockSegments: (tx, orgId) => lockSegments(services(), tx, orgId),
  eventsOf: (orgId, persons) => eventsOf(services(), orgId, persons),
  rewriteTexts: (orgId, rewrite, beforeWrite) => rewriteTexts(services(), orgId, rewrite, beforeWrite),
  findTerms: (orgId, terms) => findArchivedTerms(services(), orgId, terms),
});

async function lockSegments(services: SegmentServices, tx: Tx, orgId: string): Promise<ArchivedSegment[]> {
  await lockEvents(tx, orgId);
  const { segments } = await readSegmentList(services.database, orgId);
  return segments.map((entry) => ({
    id: entry.id,
    sha256: entry.sha256,
    check: async () => (await openEntry(services, orgId, entry)).check(),
    events: () => pagesOf(services, orgId, entry),
  }));
}

async function* pagesOf(
  services: SegmentServices,
  orgId: string,
  entry: SegmentEntry,
): AsyncGenerator<ArchivedEventRow[], void> {
  const segment = await openEntry(services, orgId, entry);
  yield* rowsOf(
    segment,
    Array.from({ length: segment.events }, (_, ordinal) => ordinal),
  );
}

async function* rowsOf(segment: Segment, ordinals: readonly number[]): AsyncGenerator<ArchivedEventRow[], void> {
  for (let from = 0; from < ordinals.length; from += EVENTS_PER_PAGE)
    yield await readRows(segment, ordinals.slice(from, from + EVENTS_PER_PAGE), columns);
}

/** Continues with the current segments if one was replaced meanwhile. */
async function* eventsOf(
  services: SegmentServices,
  orgId: string,
  persons: readonly string[],
): AsyncGenerator<ArchivedEventRow[], void> {
  const read = new Set<string>();
  for (let isComplete = false; !isComplete; ) {
    try {
      for (const entry of (await readSegmentList(services.database, orgId)).segments) {
        const segment = await openEntry(services, orgId, entry);
        const own = await matchingEvents(segment, { is: 'column', column: 'actor', any: persons }, undefined, {
          resolve: resolveByTables(services.database, orgId),
        });
        for await (const rows of rowsOf(segment, [...ordinalsIn(own)])) {
          const unread = rows.filter(({ id }) => !read.has(id));
          for (const { id } of unread) read.add(id);
          if (unread.length > 0) yield unread;
        }
      }
      isComplete = true;
    } catch (error) {
      if (!(error instanceof SegmentReplaced)) throw error;
    }
  }
}

const rewriteTexts = (
  services: Services,
  orgId: string,
  rewrite: (row: ArchivedEventRow) => ArchivedEventTexts | undefined,
  beforeWrite: (ids: readonly string[]) => Promise<void>,
): Promise<number> =>
  rewriteSegments(services, orgId, {
    changesOf: async (tx, segment) => {
      const rewritten: ArchivedEventTexts[] = [];
      const all = Array.from({ length: segment.events }, (_, ordinal) => ordinal);
      for await (const rows of rowsOf(segment, all)) rewritten.push(...rows.flatMap((row) => rewrite(row) ?? []));
      if (rewritten.length === 0) return new Map<string, EventChange>();
      const ids = rewritten.map(({ id }) => id);
      // Deletes the copies first: after a crash, the same events are found again.
      await deleteEventCopies(services, orgId, ids);
      await beforeWrite(ids);
      const entries = await indexEntriesOf(tx, orgId, rewritten);
      await queueLateNames(tx, orgId, entries);
      const terms = new Map(entries.map((entry) => [entry.id, entry.terms]));
      return new Map(
        rewritten.map(({ id, summary, detail }) => {
          const texts = shortEventTexts({ summary: JSON.stringify(summary), detail: JSON.stringify(detail) });
          return [id, { texts, terms: terms.get(id) ?? [] }];
        }),
      );
    },
  });
