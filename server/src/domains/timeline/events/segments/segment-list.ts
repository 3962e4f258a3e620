import { Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { type Database, textTypes } from '#database/database.ts';

/** A segment of the archive of an organization. Times are microseconds since 1970. */
export interface SegmentEntry {
  id: string;
  firstAt: number;
  firstId: string;
  lastAt: number;
  lastId: string;
  events: number;
  receivedFrom: number;
  receivedTo: number;
  bytes: number;
  /** SHA-256 in hexadecimal. */
  sha256: string;
  /** Whether it is in the database, and not an object under EVENT_ARCHIVE_URL. */
  isStored: boolean;
}

/** The segments of an organization after a change, which the version numbers. */
export interface SegmentList {
  /** 0 without an archive. */
  version: number;
  /** By the key of their first events. */
  segments: readonly SegmentEntry[];
}

/** A segment that was replaced since its list was read. */
export class SegmentReplaced extends Error {
  override name = 'SegmentReplaced';
}

const known = new Map<string, SegmentList>();
const MAX_ORGANIZATIONS = 500;

/** The segments with this version; undefined if there is a newer one. */
async function segmentsAtVersion(
  database: Database,
  orgId: string,
  version: number,
): Promise<readonly SegmentEntry[] | undefined> {
  if (version === 0) return [];
  const cached = known.get(orgId);
  if (cached?.version === version) return cached.segments;
  const list = await readSegmentList(database, orgId);
  return list.version === version ? list.segments : undefined;
}

/** The current segments of an organization. */
export async function readSegmentList(database: Database, orgId: string): Promise<SegmentList> {
  const rows = await database.onceWithOrg<Record<string, string>>(orgId, {
    name: 'segments.list',
    text: ` select l.* from tenant cross join lateral (${listSql} offset 0) l`,
    values: [],
    types: textTypes,
  });
  const list = {
    version: Number(rows[0]?.version ?? 0),
    segments: rows.flatMap((row) => (row.id === null ? [] : [entryOf(row)])),
  };
  if (known.size >= MAX_ORGANIZATIONS) known.clear();
  known.set(orgId, list);
  return list;
}

const microsSql = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`;
const listSql = `select a.version, s.id, ${microsSql('s.first_at')} as first_at, s.first_id, ${microsSql('s.last_at')} as last_at, s.last_id,
    s.events, ${microsSql('s.received_from')} as received_from, ${microsSql('s.received_to')} as received_to,
    s.bytes, encode(s.sha256, 'hex') as sha256, s.data is not null as is_stored
  from event_archive a left join event_segment s on s.org_id = a.org_id
  where a.org_id = tenant.org order by s.first_at, s.first_id`;

const entryOf = (row: Record<string, string>): SegmentEntry => ({
  id: row.id ?? '',
  firstAt: Number(row.first_at),
  firstId: row.first_id ?? '',
  lastAt: Number(row.last_at),
  lastId: row.last_id ?? '',
  events: Number(row.events),
  receivedFrom: Number(row.received_from),
  receivedTo: Number(row.received_to),
  bytes: Number(row.bytes),
  sha256: row.sha256 ?? '',
  isStored: row.is_stored === 't',
});

const MAX_ATTEMPTS = 5;

/**
 * Reads rows, and the segments of the same moment that complete them. Repeats both if the segments changed meanwhile, so
 * that no event is missing or found twice.
 */
export async function readRowsAndSegments<Rows extends { archive: number }, Answer>(
  { database }: Pick<Services, 'database'>,
  orgId: string,
  readRows: () => Promise<Rows>,
  complete: (rows: Rows, segments: readonly SegmentEntry[]) => Answer | Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const rows = await readRows();
    const segments = await segmentsAtVersion(database, orgId, rows.archive);
    try {
      if (segments) return await complete(rows, segments);
    } catch (error) {
      if (!(error instanceof SegmentReplaced)) throw error;
      known.delete(orgId);
    }
    if (attempt === MAX_ATTEMPTS)
      throw new Refusal('unavailable', 'The archive changes too often at the moment.', {
        cause: 'Try again in a moment.',
      });
  }
}
