import type { Tx } from '#database/database.ts';
import { bodyOf, type Kept } from './body.ts';
import type { Delivery } from './delivery.ts';

const batch = 50;

/** The next deliveries nobody has worked off, the oldest first. */
export async function openDeliveries(tx: Tx, orgId: string): Promise<Delivery[]> {
  const rows = await tx.query<Omit<Delivery, 'body'> & Kept & Record<string, unknown>>({
    name: 'webhooks.open',
    text: `select delivery_id as id, event, body, packed, received_at as "receivedAt" from webhook_delivery
           where org_id = $1 and processed_at is null
           order by received_at, delivery_id limit $2`,
    values: [orgId, batch],
  });
  return rows.map(({ id, event, receivedAt, ...kept }) => ({ id, event, receivedAt, body: bodyOf(kept) }));
}

/** A delivery that was worked off; `error` says why it could not be used. */
export interface Finished {
  id: string;
  at: Date;
  error: string | null;
}

export async function finishDeliveries(tx: Tx, orgId: string, finished: readonly Finished[]): Promise<void> {
  await tx.query({
    name: 'webhooks.finish',
    text: `update webhook_delivery d set processed_at = f.at, error = f.error
           from unnest($2::text[], $3::timestamptz[], $4::text[]) as f(id, at, error)
           where d.org_id = $1 and d.provider = 'github' and d.delivery_id = f.id`,
    values: [
      orgId,
      finished.map(({ id }) => id),
      finished.map(({ at }) => at),
      finished.map(({ error }) => error?.replaceAll('\0', '').slice(0, 2000) ?? null),
    ],
  });
}
