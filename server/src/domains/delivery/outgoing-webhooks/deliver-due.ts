import type { JobData } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { openSecrets } from '../destinations/queries.ts';
import { recordAttempt } from './attempts.ts';
import { send } from './send.ts';
import { outgoingWebhooks } from './webhook-type.ts';

type DeliveryJob = JobData['outgoing.deliver'];

interface DueDelivery {
  id: string;
  type: string;
  body: string;
}

interface DueDeliveries {
  url: string;
  secrets: string[];
  due: DueDelivery[];
}

const PARALLEL_DELIVERIES = 5;
/** A job ends after this time and queues the next, so that other webhooks are served and the server can stop. */
const JOB_MS = 10_000;
/** Pause after a batch in which every delivery failed. */
const PAUSE_MS = 30_000;

/** Sends the due deliveries of a webhook. Concurrent processes lease different ones. */
export async function deliverDue(services: Services, job: DeliveryJob): Promise<void> {
  const started = performance.now();
  for (;;) {
    const batch = await services.database.withOrg(job.orgId, (tx) => leaseDue(services, tx, job));
    if (!batch) return;
    const delivered = await Promise.all(batch.due.map((due) => deliver(services, job, batch, due)));
    if (!delivered.includes(true)) return continueLater(services, job, PAUSE_MS);
    if (performance.now() - started > JOB_MS) return continueLater(services, job, 0);
  }
}

async function deliver(
  services: Services,
  job: DeliveryJob,
  { url, secrets }: DueDeliveries,
  due: DueDelivery,
): Promise<boolean> {
  const result = await send(services.outboundFor(job.orgId, 'webhook'), url, due, secrets);
  await recordAttempt(services, job, due.id, result);
  return result.failure === null;
}

const continueLater = ({ database, jobs }: Services, job: DeliveryJob, ms: number): Promise<void> =>
  database.withOrg(job.orgId, async (tx) => {
    if (!(await hasDue(tx, job))) return;
    const later = ms === 0 ? {} : { startAfter: new Date(Date.now() + ms) };
    const key = `${job.webhookId}${ms === 0 ? '' : ' paused'}`;
    await jobs.enqueue(tx, 'outgoing.deliver', job, { key, ...later });
  });

/** Leases some of the due deliveries; undefined if there are none, or if the webhook is disabled or its organization archived. */
async function leaseDue(
  services: Services,
  tx: Tx,
  { orgId, webhookId }: DeliveryJob,
): Promise<DueDeliveries | undefined> {
  const [webhook] = await tx.query<{ url: string }>({
    name: 'outgoing.webhook',
    text: `select w.url from outgoing_webhook w join organization o on o.id = w.org_id
           where w.org_id = $1 and w.id = $2 and w.enabled and o.archived_at is null`,
    values: [orgId, webhookId],
  });
  if (!webhook) return undefined;
  // If this process ends, another one sends them when the lease of a minute expires.
  const due = await tx.query<DueDelivery>({
    name: 'outgoing.lease',
    text: `with due as (
             select id from outgoing_delivery
             where org_id = $1 and webhook_id = $2 and status = 'pending' and next_at <= now()
             order by next_at, id limit ${PARALLEL_DELIVERIES} for update skip locked)
           update outgoing_delivery d set next_at = now() + interval '1 minute'
           from due where d.org_id = $1 and d.id = due.id returning d.id, d.type, d.body`,
    values: [orgId, webhookId],
  });
  if (due.length === 0) return undefined;
  return {
    url: webhook.url,
    due,
    secrets: await openSecrets(services, tx, outgoingWebhooks, { orgId, id: webhookId }),
  };
}

async function hasDue(tx: Tx, { orgId, webhookId }: DeliveryJob): Promise<boolean> {
  const rows = await tx.query({
    name: 'outgoing.due',
    text: `select 1 from outgoing_delivery where org_id = $1 and webhook_id = $2 and status = 'pending' and next_at <= now() limit 1`,
    values: [orgId, webhookId],
  });
  return rows.length > 0;
}
