import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import { SegmentCache } from '../archive/cache.ts';
import type { ReadRange } from '../archive/layout.ts';
import { readRows } from '../archive/rows.ts';
import { openSegment, type Segment } from '../archive/segment.ts';
import { microsOf, postgresTimeOf } from '../archive/times.ts';
import { encodeIdHashes } from './archived-ids.ts';
import { noteGarbage, type SegmentServices, segmentReader, writeObject } from './segment-bytes.ts';
import type { SegmentEntry } from './segment-list.ts';

/**
 * Replaces segments by new ones, in a transaction without concurrent changes: stores each, reads it back, and appends a ledger
 * entry with its hash. Returns the IDs of the events of the new segments, as they were read back, in order.
 */
export async function replaceSegments(
  services: SegmentServices,
  tx: Tx,
  orgId: string,
  { added, replaced }: { added: AsyncIterable<Buffer>; replaced: readonly SegmentEntry[] },
): Promise<string[]> {
  const ids: string[] = [];
  for await (const bytes of added)
    for (const id of await addSegment(services, tx, orgId, { bytes, replaced })) ids.push(id);
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
  return ids;
}

async function addSegment(
  services: SegmentServices,
  tx: Tx,
  orgId: string,
  { bytes, replaced }: { bytes: Buffer; replaced: readonly SegmentEntry[] },
): Promise<readonly string[]> {
  const id = newId();
  const isStored = services.archiveStore === undefined;
  if (!isStored) await writeObject(services, orgId, id, bytes);
  const encoded = await openEncoded(id, bytes);
  const { first, last } = encoded.manifest;
  const { ids, receivedFrom, receivedTo } = await contentOf(encoded);
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
      encoded.events,
      receivedFrom,
      receivedTo,
      Buffer.from(encoded.digest, 'hex'),
      bytes.length,
      encodeIdHashes(ids),
      isStored ? bytes : null,
    ],
  });
  const read = isStored ? readInTransaction(tx, orgId, id) : segmentReader(services, orgId, { id, isStored });
  const stored = await openSegment({ key: id, length: bytes.length, digest: encoded.digest, read }, new SegmentCache());
  await stored.check();
  if (!isStored) {
    await tx.query({
      name: '',
      text: 'delete from event_segment_garbage where org_id = $1 and id = $2',
      values: [orgId, id],
    });
  }
  await appendEntries(tx, orgId, [segmentEntryOf(orgId, id, stored, replaced)]);
  return (await contentOf(stored)).ids;
}

const EVENTS_PER_READ = 4096;

/** The IDs of the events of a segment, and the first and last time of receipt as PostgreSQL formats them. */
async function contentOf(segment: Segment): Promise<{ ids: string[]; receivedFrom: string; receivedTo: string }> {
  const ids: string[] = [];
  let [receivedFrom, receivedTo] = [Infinity, -Infinity];
  for (let from = 0; from < segment.events; from += EVENTS_PER_READ) {
    const count = Math.min(EVENTS_PER_READ, segment.events - from);
    const ordinals = Array.from({ length: count }, (_, place) => from + place);
    for (const { id, received_at } of await readRows(segment, ordinals, ['id', 'received_at'])) {
      ids.push(id);
      const received = microsOf(received_at);
      receivedFrom = Math.min(receivedFrom, received);
      receivedTo = Math.max(receivedTo, received);
    }
  }
  return { ids, receivedFrom: postgresTimeOf(receivedFrom), receivedTo: postgresTimeOf(receivedTo) };
}

const openEncoded = (id: string, bytes: Buffer): Promise<Segment> =>
  openSegment(
    { key: id, length: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) },
    new SegmentCache(),
  );

/** Reads one part after the other, as a connection runs one statement at a time. */
function readInTransaction(tx: Tx, orgId: string, id: string): ReadRange {
  let last: Promise<unknown> = Promise.resolve();
  const read = async (offset: number, length: number) => {
    const [row] = await tx.query<{ part: Buffer }>({
      name: '',
      text: 'select substring(data from $3::int for $4::int) as part from event_segment where org_id = $1 and id = $2',
      values: [orgId, id, offset + 1, length],
    });
    return row?.part ?? Buffer.alloc(0);
  };
  return (offset, length) => {
    const part = last.then(() => read(offset, length));
    last = part.catch(() => undefined);
    return part;
  };
}

/** The entry that signs a segment: its hash covers every event of it, with the hashes that prove them. */
function segmentEntryOf(
  orgId: string,
  id: string,
  { digest, events, manifest: { first, last } }: Segment,
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
        count: events,
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
