import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import type { ArchivedEvent } from '../archive/archived-event.ts';
import { SegmentCache } from '../archive/cache.ts';
import { openSegment, type Segment } from '../archive/segment.ts';
import { encodeSegment } from '../archive/segment-writer.ts';
import { postgresTimeOf } from '../archive/times.ts';
import { encodeIdHashes } from './archived-ids.ts';
import { noteGarbage, type SegmentServices, segmentReader, writeObject } from './segment-bytes.ts';
import type { SegmentEntry } from './segment-list.ts';

/** An encoded segment that no transaction lists yet. */
export interface NewSegment {
  id: string;
  bytes: Buffer;
  ids: string[];
  receivedFrom: number;
  receivedTo: number;
}

/** Encodes events of one month, in ascending order; undefined without events. */
export async function encodeNewSegment(
  orgId: string,
  events: AsyncIterable<ArchivedEvent> | Iterable<ArchivedEvent>,
): Promise<NewSegment | undefined> {
  const ids: string[] = [];
  let [receivedFrom, receivedTo] = [Infinity, -Infinity];
  async function* observed() {
    for await (const event of events) {
      ids.push(event.id);
      receivedFrom = Math.min(receivedFrom, event.receivedAt);
      receivedTo = Math.max(receivedTo, event.receivedAt);
      yield event;
    }
  }
  const source = observed();
  const first = await source.next();
  if (first.done) return undefined;
  async function* all() {
    yield first.value as ArchivedEvent;
    yield* source;
  }
  const bytes = await encodeSegment(orgId, all());
  return { id: newId(), bytes, ids, receivedFrom, receivedTo };
}

/**
 * Replaces segments by new ones, in a transaction without concurrent changes: stores each, reads it back, and appends a ledger
 * entry with its hash. `check` throws unless a segment, as it is stored, has the right events.
 */
export async function replaceSegments(
  services: SegmentServices,
  tx: Tx,
  orgId: string,
  {
    added,
    replaced,
    check,
  }: { added: readonly NewSegment[]; replaced: readonly SegmentEntry[]; check?: (segment: Segment) => Promise<void> },
): Promise<void> {
  for (const segment of added) await addSegment(services, tx, orgId, { segment, replaced, check });
  await tx.query({
    name: '',
    text: 'delete from event_segment where org_id = $1 and id = any($2::uuid[])',
    values: [orgId, replaced.map(({ id }) => id)],
  });
  const objects = replaced.flatMap(({ id, isStored }) => (isStored ? [] : id));
  if (objects.length > 0) await noteGarbage(tx, orgId, objects, true);
  await tx.query({
    name: '',
    text: `insert into event_archive as a (org_id, version) values ($1, 1)
           on conflict (org_id) do update set version = a.version + 1`,
    values: [orgId],
  });
}

async function addSegment(
  services: SegmentServices,
  tx: Tx,
  orgId: string,
  {
    segment,
    replaced,
    check,
  }: { segment: NewSegment; replaced: readonly SegmentEntry[]; check: ((segment: Segment) => Promise<void>) | undefined },
): Promise<void> {
  const { id, bytes, ids, receivedFrom, receivedTo } = segment;
  const isStored = services.archiveStore === undefined;
  if (!isStored) await writeObject(services, orgId, id, bytes);
  const encoded = await openEncoded(id, bytes);
  const { first, last } = encoded.manifest;
  await tx.query({
    name: '',
    text: `insert into event_segment (org_id, id, first_at, first_id, last_at, last_id, events, received_from, received_to, sha256, bytes, id_hashes, data)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    values: [
      orgId,
      id,
      postgresTimeOf(first.asOf),
      first.id,
      postgresTimeOf(last.asOf),
      last.id,
      ids.length,
      postgresTimeOf(receivedFrom),
      postgresTimeOf(receivedTo),
      Buffer.from(encoded.digest, 'hex'),
      bytes.length,
      encodeIdHashes(ids),
      isStored ? bytes : null,
    ],
  });
  const stored = await openSegment(
    {
      key: id,
      length: bytes.length,
      digest: encoded.digest,
      read: isStored ? readInTransaction(tx, orgId, id) : segmentReader(services, orgId, { id, isStored }),
    },
    new SegmentCache(),
  );
  await stored.check();
  await check?.(stored);
  if (!isStored) {
    await tx.query({
      name: '',
      text: 'delete from event_segment_garbage where org_id = $1 and id = $2',
      values: [orgId, id],
    });
  }
  await appendEntries(tx, orgId, [segmentEntryOf(orgId, segment, encoded, replaced)]);
}

const openEncoded = (id: string, bytes: Buffer): Promise<Segment> =>
  openSegment(
    { key: id, length: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) },
    new SegmentCache(),
  );

const readInTransaction = (tx: Tx, orgId: string, id: string) => async (offset: number, length: number) => {
  const [row] = await tx.query<{ part: Buffer }>({
    name: '',
    text: 'select substring(data from $3::int for $4::int) as part from event_segment where org_id = $1 and id = $2',
    values: [orgId, id, offset + 1, length],
  });
  return row?.part ?? Buffer.alloc(0);
};

/** The entry that signs a segment: its hash covers every event of it, with the hashes that prove them. */
function segmentEntryOf(
  orgId: string,
  { id, ids }: NewSegment,
  { digest, manifest: { first, last } }: Segment,
  replaced: readonly SegmentEntry[],
) {
  const now = new Date().toISOString();
  return createLedgerEntry(
    {
      id,
      org: orgId,
      kind: 'event.segment',
      asOf: now,
      receivedAt: now,
      person: null,
      source: 'sightline',
      subject: {
        count: ids.length,
        from: isoOf(first.asOf),
        to: isoOf(last.asOf),
        sha256: digest,
        replaces: replaced.map((one) => one.id).sort(),
      },
      personal: {},
    },
    undefined,
  );
}

const isoOf = (micros: number): string => new Date(Math.floor(micros / 1000)).toISOString();
