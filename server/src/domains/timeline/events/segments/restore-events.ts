import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { ArchivedEvent } from '../archive/archived-event.ts';
import { eventsOf } from '../archive/events.ts';
import { MICROS, monthOf, postgresTimeOf } from '../archive/times.ts';
import { indexPendingWords, withoutIndexing } from '../indexing.ts';
import { queueLateTerms } from '../late-fields.ts';
import { openEntry } from './open-segments.ts';
import { replaceSegments } from './segment-changes.ts';
import { readSegmentList, type SegmentEntry } from './segment-list.ts';

/** A range of months in UTC, such as 2026-03; both ends are included. */
export interface MonthRange {
  from: string;
  to: string;
}

/** Moves archived events of these months back to rows, one segment per transaction. Returns their number. */
export async function restoreEvents(
  services: Services,
  actor: AuditActor,
  orgId: string,
  { from, to }: MonthRange,
): Promise<number> {
  const { segments } = await readSegmentList(services.database, orgId);
  let restored = 0;
  for (const entry of segments) {
    const month = monthOf(entry.firstAt);
    if (month < from || month > to) continue;
    restored += await withoutIndexing(services.database, orgId, (tx) =>
      restoreSegment(services, tx, { actor, orgId, entry }),
    );
    await indexPendingWords(services, orgId);
  }
  return restored;
}

async function restoreSegment(
  services: Services,
  tx: Tx,
  { actor, orgId, entry }: { actor: AuditActor; orgId: string; entry: SegmentEntry },
): Promise<number> {
  const segment = await openEntry(services, orgId, entry);
  let batch: ArchivedEvent[] = [];
  for await (const event of eventsOf(segment)) {
    batch.push(event);
    if (batch.length < EVENTS_PER_STATEMENT) continue;
    await insertRows(tx, orgId, batch);
    batch = [];
  }
  await insertRows(tx, orgId, batch);
  await replaceSegments(services, tx, orgId, { added: nothing(), replaced: [entry] });
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: {
      action: 'event.restored',
      subject: { kind: 'organization', id: orgId },
      data: { events: segment.events, from: dayOf(entry.firstAt), to: dayOf(entry.lastAt) },
    },
  });
  return segment.events;
}

async function* nothing(): AsyncGenerator<Buffer, void> {}

const EVENTS_PER_STATEMENT = 2000;

const dayOf = (micros: number): string => new Date(micros / MICROS).toISOString().slice(0, 10);

/** Inserts rows, whose hourly sums still exist, and queues their terms like those that are learnt later. */
async function insertRows(tx: Tx, orgId: string, events: readonly ArchivedEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query({
    name: '',
    text: `insert into event (org_id, id, as_of, received_at, kind, actor, repo, pr, source, summary, detail, leaf_hash, proof)
           select $1, * from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::uuid[], $7::uuid[], $8::int[], $9::text[],
             $10::text[], $11::text[], $12::bytea[], $13::uuid[])`,
    values: [
      orgId,
      events.map(({ id }) => id),
      events.map(({ asOf }) => postgresTimeOf(asOf)),
      events.map(({ receivedAt }) => postgresTimeOf(receivedAt)),
      events.map(({ kind }) => kind),
      events.map(({ actor }) => actor),
      events.map(({ repo }) => repo),
      events.map(({ pr }) => pr),
      events.map(({ source }) => source),
      events.map(({ summary }) => summary),
      events.map(({ detail }) => detail),
      events.map(({ leafHash }) => Buffer.from(leafHash)),
      events.map(({ proof }) => proof),
    ],
  });
  await queueLateTerms(
    tx,
    orgId,
    events.map(({ id, asOf, terms }) => ({ id, asOf: postgresTimeOf(asOf), terms, fields: new Map() })),
  );
}
