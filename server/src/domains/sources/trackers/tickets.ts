import type { TrackerName } from '@sightline/contract/sources/trackers.ts';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import type { TrackerTicket } from '#providers/tracker.ts';

/** Stores a ticket as read now. Another key means that it was moved. Returns its ID here. */
export async function saveTicket(
  tx: Tx,
  orgId: string,
  tracker: TrackerName,
  { id, key, type, status, category, url, isDeleted }: TrackerTicket,
): Promise<string> {
  const [row] = await tx.query<{ id: string }>({
    name: 'trackers.save-ticket',
    text: `insert into ticket as t (org_id, id, tracker, external_id, key, type, status, category, url, state, checked_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())
           on conflict (org_id, tracker, external_id) do update set key = excluded.key, type = excluded.type,
             status = excluded.status, category = excluded.category, url = excluded.url, state = excluded.state,
             checked_at = excluded.checked_at,
             former_key = case when t.key <> excluded.key then t.key else t.former_key end
           returning id`,
    values: [orgId, newId(), tracker, id, key, type, status, category, url, isDeleted ? 'missing' : 'present'],
  });
  if (!row) throw new Error('A ticket was not stored');
  return row.id;
}

/** Records tickets that the tracker no longer finds. */
export const markMissing = (tx: Tx, orgId: string, tracker: TrackerName, ids: readonly string[]): Promise<unknown> =>
  tx.query({
    name: 'trackers.mark-missing',
    text: `update ticket set state = 'missing', checked_at = now() where org_id = $1 and tracker = $2 and external_id = any($3)`,
    values: [orgId, tracker, ids],
  });
