import type { Services } from '#core/services.ts';
import { monthOf } from '../archive/times.ts';
import { readSegmentList, type SegmentEntry } from './segment-list.ts';

/** The archive of an organization by month. */
export interface ArchiveStatus {
  rows: number;
  events: number;
  bytes: number;
  months: { month: string; segments: number; events: number; bytes: number; isExternal: boolean }[];
}

/** What an organization has in rows and in its archive. */
export async function findArchiveStatus({ database }: Services, orgId: string): Promise<ArchiveStatus> {
  const { segments } = await readSegmentList(database, orgId);
  const [sums] = await database.withOrg(orgId, (tx) =>
    tx.query<{ n: number }>({
      name: '',
      text: 'select coalesce(sum(n), 0)::float8 as n from event_hour_kind where org_id = $1',
      values: [orgId],
    }),
  );
  const sumOf = (of: readonly SegmentEntry[], column: 'events' | 'bytes') =>
    of.reduce((sum, entry) => sum + entry[column], 0);
  const events = sumOf(segments, 'events');
  return {
    // Hourly sums include archived events, but not those that are not indexed yet.
    rows: Math.max(0, (sums?.n ?? 0) - events),
    events,
    bytes: sumOf(segments, 'bytes'),
    months: Array.from(
      Map.groupBy(segments, ({ firstAt }) => monthOf(firstAt)),
      ([month, ofMonth]) => ({
        month,
        segments: ofMonth.length,
        events: sumOf(ofMonth, 'events'),
        bytes: sumOf(ofMonth, 'bytes'),
        isExternal: ofMonth.some(({ isStored }) => !isStored),
      }),
    ),
  };
}
