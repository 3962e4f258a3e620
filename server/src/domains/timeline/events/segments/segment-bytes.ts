import { Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type ObjectStore, ObjectStoreProblem } from '#providers/object-store.ts';
import { type SegmentEntry, SegmentReplaced } from './segment-list.ts';

export type SegmentServices = Pick<Services, 'database' | 'archiveStore'>;

/** Reads `length` bytes of a segment from `offset` on. Throws `SegmentReplaced` if it no longer exists. */
export const segmentReader =
  (services: SegmentServices, orgId: string, { id, isStored }: Pick<SegmentEntry, 'id' | 'isStored'>) =>
  (offset: number, length: number): Promise<Buffer> =>
    isStored
      ? readStored(services, orgId, id, { offset, length })
      : readObject(services, orgId, id, { offset, length });

interface ByteRange {
  offset: number;
  length: number;
}

async function readStored(
  { database }: SegmentServices,
  orgId: string,
  id: string,
  { offset, length }: ByteRange,
): Promise<Buffer> {
  const [row] = await database.onceWithOrg<{ part: Buffer }>(orgId, {
    name: 'segments.part',
    text: ` select s.part from tenant cross join lateral (
              select substring(data from $3::int for $4::int) as part from event_segment where org_id = tenant.org and id = $2 offset 0) s`,
    values: [id, offset + 1, length],
  });
  if (!row) throw new SegmentReplaced(id);
  return row.part;
}

async function readObject(
  { database, archiveStore }: SegmentServices,
  orgId: string,
  id: string,
  { offset, length }: ByteRange,
): Promise<Buffer> {
  const part = await storeOf(archiveStore)
    .read(objectKeyOf(orgId, id), offset, length)
    .catch((error: unknown) => {
      throw unavailable(error);
    });
  if (part) return part;
  if (!(await isListed(database, orgId, id))) throw new SegmentReplaced(id);
  throw new Refusal('unavailable', 'A part of the archive is missing.', {
    cause: `The object ${objectKeyOf(orgId, id)} does not exist. An operator can restore it from a backup.`,
  });
}

const unavailable = (error: unknown): unknown =>
  error instanceof ObjectStoreProblem
    ? new Refusal('unavailable', 'The archive does not respond at the moment.', {
        cause: 'Newer events are complete. Narrow the query by time, such as after:-30d, or try again later.',
      })
    : error;

const isListed = async (database: Services['database'], orgId: string, id: string): Promise<boolean> => {
  const rows = await database.onceWithOrg(orgId, {
    name: 'segments.listed',
    text: ' select s.id from tenant cross join lateral (select id from event_segment where org_id = tenant.org and id = $2 offset 0) s',
    values: [id],
  });
  return rows.length > 0;
};

/** The key of the object of a segment. */
const objectKeyOf = (orgId: string, id: string): string => `${orgId}/${id}.segment`;

function storeOf(store: ObjectStore | undefined): ObjectStore {
  if (store) return store;
  throw new Refusal('unavailable', 'A part of the archive is not reachable.', {
    cause: 'Its segments are outside the database, and EVENT_ARCHIVE_URL is not set.',
  });
}

/** Stores the object of a new segment, which is deleted by a later run unless a transaction lists the segment. */
export async function writeObject(services: SegmentServices, orgId: string, id: string, bytes: Buffer): Promise<void> {
  await services.database.withOrg(orgId, (tx) => noteGarbage(tx, orgId, [id], false));
  await storeOf(services.archiveStore).write(objectKeyOf(orgId, id), bytes);
}

/** Notes objects that are being written, or were replaced and are deleted next. */
export const noteGarbage = (tx: Tx, orgId: string, ids: readonly string[], replaced: boolean): Promise<unknown> =>
  tx.query({
    name: '',
    text: 'insert into event_segment_garbage (org_id, id, replaced) select $1, unnest($2::uuid[]), $3 on conflict do nothing',
    values: [orgId, ids, replaced],
  });

/** Deletes the objects that no segment refers to. Those of the last hour may still be written. */
export async function deleteGarbage(services: SegmentServices, orgId: string): Promise<void> {
  const { database, archiveStore } = services;
  if (!archiveStore) return;
  const rows = await database.withOrg(orgId, (tx) =>
    tx.query<{ id: string }>({
      name: '',
      text: `select id from event_segment_garbage where org_id = $1 and (replaced or created_at < now() - interval '1 hour')`,
      values: [orgId],
    }),
  );
  for (const { id } of rows) {
    await archiveStore.delete(objectKeyOf(orgId, id));
    await database.withOrg(orgId, (tx) =>
      tx.query({
        name: '',
        text: 'delete from event_segment_garbage where org_id = $1 and id = $2',
        values: [orgId, id],
      }),
    );
  }
}
