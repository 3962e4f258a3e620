import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import type { Delivery } from './delivery.ts';

const batch = 50;

/** The next deliveries nobody has worked off, the oldest first. */
export async function openDeliveries(tx: Tx, orgId: string): Promise<Delivery[]> {
  return tx.db
    .selectFrom('webhook_delivery')
    .where('org_id', '=', orgId)
    .where('processed_at', 'is', null)
    .select(['delivery_id as id', 'event', 'body', 'received_at as receivedAt'])
    .orderBy('received_at')
    .orderBy('delivery_id')
    .limit(batch)
    .execute();
}

/** Marks a delivery as worked off; `error` says why it could not be used. */
export async function finishDelivery(tx: Tx, orgId: string, id: string, error: string | null): Promise<void> {
  await tx.db
    .updateTable('webhook_delivery')
    .set({ processed_at: sql<Date>`now()`, error: error?.replaceAll('\0', '').slice(0, 2000) ?? null })
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .where('delivery_id', '=', id)
    .execute();
}
