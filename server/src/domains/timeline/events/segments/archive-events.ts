import { recordAuditEntry } from '#core/audit.ts';
import { releaseUnusedMemory } from '#core/heap.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { MAX_EVENTS } from '../archive/layout.ts';
import { encodeSegments } from '../archive/segment-writer.ts';
import { indexPendingWords, withoutIndexing } from '../indexing.ts';
import { addLateTerms } from './late-terms.ts';
import { mergeSegments } from './merge-segments.ts';
import { countMovableRows, deleteMovedRows, type EventKey, type MovedRange, readMovedEvents } from './moved-rows.ts';
import { deleteGarbage } from './segment-bytes.ts';
import { replaceSegments } from './segment-changes.ts';

/** A part of a month is archived from this number of events on; fewer wait until the month is complete. */
const MIN_EVENTS_OF_A_PART = 8_192;
/** Events that arrived recently are not archived: fields of imported commits arrive later than the commits. */
const SETTLE_MS = 2 * 24 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Archives the events of all organizations that are older than `EVENT_ARCHIVE_AFTER_DAYS`. */
export async function archiveEventsOfAllOrganizations(services: Services): Promise<void> {
  const cutoff = archiveCutoff(services.config.EVENT_ARCHIVE_AFTER_DAYS);
  if (cutoff === undefined) return;
  await forEachOrganization(
    services,
    { job: 'events.archive', organizations: 'select every_organization() as id' },
    (orgId) => archiveEventsOf(services, orgId, cutoff),
  );
}

/** The times before which events occurred, and were received, that are archived. */
export interface ArchiveCutoff {
  occurred: Date;
  received: Date;
}

/** The start of a day in UTC; undefined if events are not archived. */
export function archiveCutoff(days: number, now = Date.now()): ArchiveCutoff | undefined {
  if (days === 0) return undefined;
  const occurred = Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS;
  return { occurred: new Date(occurred), received: new Date(now - SETTLE_MS) };
}

/**
 * Moves older events of an organization to segments, one segment per transaction, so that an interrupted run is resumed by
 * the next. Returns the number of moved events.
 */
export async function archiveEventsOf(
  services: Services,
  orgId: string,
  cutoff: ArchiveCutoff,
  minEvents = MIN_EVENTS_OF_A_PART,
): Promise<number> {
  await deleteGarbage(services, orgId);
  await addLateTerms(services, orgId);
  if (!(await isArchivable(services, orgId, cutoff))) return 0;
  await indexPendingWords(services, orgId);
  let moved = 0;
  for (;;) {
    const count = await withoutIndexing(services.database, orgId, async (tx) => {
      const range = await nextRange(tx, orgId, cutoff, minEvents);
      return range ? archiveRange(services, tx, orgId, range) : 0;
    });
    moved += count;
    if (count > 0) continue;
    await mergeSegments(services, orgId, cutoff.occurred);
    // Encoding a full segment needs 200 MB.
    if (moved > 0) releaseUnusedMemory();
    return moved;
  }
}

/** Whether an organization may have events to archive. Copies in ClickHouse and missing fields need their rows. */
async function isArchivable(
  { database, clickhouse }: Services,
  orgId: string,
  cutoff: ArchiveCutoff,
): Promise<boolean> {
  if (clickhouse) return false;
  return database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ found: boolean }>({
      name: '',
      text: `select exists (select from event where org_id = $1 and as_of < $2)
               and not exists (select from event_reindex where org_id = $1) as found`,
      values: [orgId, cutoff.occurred],
    });
    return row?.found ?? false;
  });
}

/** The oldest month with enough rows to move. */
async function nextRange(
  tx: Tx,
  orgId: string,
  cutoff: ArchiveCutoff,
  minEvents: number,
): Promise<MovedRange | undefined> {
  let from = new Date(0);
  for (;;) {
    const month = await firstMonth(tx, orgId, from, cutoff);
    if (!month) return undefined;
    const end = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));
    const isComplete = end <= cutoff.occurred;
    const range = { from: month, to: isComplete ? end : cutoff.occurred, receivedBefore: cutoff.received };
    const least = isComplete ? 1 : minEvents;
    if ((await countMovableRows(tx, orgId, range, least)) >= least) return range;
    from = end;
  }
}

/** The start of the month of the oldest row that can be archived, from a time on. */
async function firstMonth(tx: Tx, orgId: string, from: Date, cutoff: ArchiveCutoff): Promise<Date | undefined> {
  const [row] = await tx.query<{ month: Date | null }>({
    name: '',
    text: `select date_trunc('month', min(as_of), 'UTC') as month from event
           where org_id = $1 and as_of >= $2 and as_of < $3 and received_at < $4`,
    values: [orgId, from, cutoff.occurred, cutoff.received],
  });
  return row?.month ?? undefined;
}

async function archiveRange(services: Services, tx: Tx, orgId: string, range: MovedRange): Promise<number> {
  const keys: EventKey[] = [];
  const events = readMovedEvents(tx, orgId, { range, limit: MAX_EVENTS, keys });
  const ids = await replaceSegments(services, tx, orgId, { added: encodeSegments(orgId, events), replaced: [] });
  if (ids.length !== keys.length || ids.some((id, place) => id !== keys[place]?.id))
    throw new Error('The segments have other events than were read');
  await deleteMovedRows(tx, orgId, keys);
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: { clock: true },
    entry: {
      action: 'event.archived',
      subject: { kind: 'organization', id: orgId },
      data: { events: keys.length, from: dayOf(keys[0]), to: dayOf(keys.at(-1)) },
    },
  });
  return keys.length;
}

const dayOf = (key: EventKey | undefined): string => (key?.as_of ?? '').slice(0, 10);
