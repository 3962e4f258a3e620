import type { Tx } from '#database/database.ts';
import type { Delivery } from './delivery.ts';

const batch = 50;

/** The next deliveries nobody has worked off, the oldest first. */
export const openDeliveries = (tx: Tx, orgId: string): Promise<Delivery[]> =>
  tx.query<Delivery & Record<string, unknown>>({
    name: 'webhooks.open',
    text: `select delivery_id as id, event, body, received_at as "receivedAt" from webhook_delivery
           where org_id = $1 and processed_at is null
           order by received_at, delivery_id limit $2`,
    values: [orgId, batch],
  });

/** Marks a delivery as worked off; `error` says why it could not be used. */
export async function finishDelivery(tx: Tx, orgId: string, id: string, error: string | null): Promise<void> {
  await tx.query({
    name: 'webhooks.finish',
    text: `update webhook_delivery set processed_at = clock_timestamp(), error = $3
           where org_id = $1 and provider = 'github' and delivery_id = $2`,
    values: [orgId, id, error?.replaceAll('\0', '').slice(0, 2000) ?? null],
  });
}
