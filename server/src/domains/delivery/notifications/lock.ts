import type { Tx } from '#database/database.ts';

/**
 * One at a time for each organization: telling, sending mails, and making something unread again. They write the same rows
 * of many people; whoever only marks their own as read does not wait.
 */
export const lockDelivery = (tx: Tx, orgId: string) =>
  tx.query({
    name: 'notifications.lock',
    text: `select pg_advisory_xact_lock(hashtextextended($1::text || 'notifications', 0))`,
    values: [orgId],
  });
