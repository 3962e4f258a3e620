import type { Tx } from '#database/database.ts';
import { newId } from './ids.ts';
import type { Jobs } from './jobs.ts';

declare module './jobs.ts' {
  interface JobData {
    'outgoing.deliver': { orgId: string; webhookId: string };
  }
}

/** What happened, as an organization's own addresses are told it. */
export interface OutgoingEvent {
  /** noun.verb, such as `finding.new`. */
  type: string;
  /** Whatever JSON can say of it. */
  data: Readonly<Record<string, unknown>>;
}

/** Sends an event to every outgoing webhook of the organization that wants its type, once the transaction commits. */
export async function queueOutgoing(jobs: Jobs, tx: Tx, orgId: string, event: OutgoingEvent): Promise<void> {
  const wanting = await tx.query<{ id: string }>({
    name: 'outgoing.wanting',
    text: `select id from outgoing_webhook where org_id = $1 and enabled and (types is null or $2 = any(types))`,
    values: [orgId, event.type],
  });
  for (const { id } of wanting) await queueDelivery(jobs, tx, { orgId, webhookId: id }, event);
}

/** Sends an event to one of them, whatever types it wants. Answers the id of the delivery. */
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
