import type { Tx } from '#database/database.ts';

/**
 * Serializes per organization what writes the same rows of many members: delivery, sending emails, and marking as unread.
 * Marking as read does not need it.
 */
export const lockDelivery = (tx: Tx, orgId: string) =>
  tx.query({
    name: 'notifications.lock',
    text: `select pg_advisory_xact_lock(hashtextextended($1::text || 'notifications', 0))`,
    values: [orgId],
  });
