import type { Tx } from '#database/database.ts';
import { newId } from './ids.ts';
import type { Jobs } from './jobs.ts';

declare module './jobs.ts' {
  interface JobData {
    'outgoing.deliver': { orgId: string; webhookId: string };
  }
}

/** An event as sent to the outgoing webhooks of an organization. */
export interface OutgoingEvent {
  /** `noun.verb`, such as `finding.new`. */
  type: string;
  /** Any JSON-serializable data. */
  data: Readonly<Record<string, unknown>>;
}

/** Whether any event would be queued. Saves a query for each of many events. */
export async function hasOutgoingWebhooks(tx: Tx, orgId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'outgoing.any',
    text: 'select from outgoing_webhook where org_id = $1 and enabled limit 1',
    values: [orgId],
  });
  return rows.length > 0;
}

/**
 * Queues an event for every outgoing webhook of the organization that subscribes to its type, once the transaction
 * commits.
 */
export async function queueOutgoingEvent(jobs: Jobs, tx: Tx, orgId: string, event: OutgoingEvent): Promise<void> {
  const subscribed = await tx.query<{ id: string }>({
    name: 'outgoing.wanting',
    text: `select id from outgoing_webhook where org_id = $1 and enabled and (types is null or $2 = any(types))`,
    values: [orgId, event.type],
  });
  for (const { id } of subscribed) await queueDelivery(jobs, tx, { orgId, webhookId: id }, event);
}

/** Queues an event for one webhook regardless of its subscribed types. Returns the delivery ID. */
export async function queueDelivery(
  jobs: Jobs,
  tx: Tx,
  { orgId, webhookId }: { orgId: string; webhookId: string },
  { type, data }: OutgoingEvent,
): Promise<string> {
  const id = newId();
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), organization: orgId, data });
  await tx.db
    .insertInto('outgoing_delivery')
    .values({ org_id: orgId, id, webhook_id: webhookId, type, body })
    .execute();
  await jobs.enqueue(tx, 'outgoing.deliver', { orgId, webhookId }, { key: webhookId });
  return id;
}
