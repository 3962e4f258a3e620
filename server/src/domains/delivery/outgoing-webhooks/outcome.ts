import type { NotificationType } from '@sightline/contract/delivery/notification-types.ts';
import {
  givenUpAfterDays,
  testWebhookEvent,
  WEBHOOK_RETRY_DELAYS_SECONDS,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { sql } from 'kysely';
import { recordAuditEntry } from '#core/audit.ts';
import type { JobData } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../notifications/commands.ts';
import type { AttemptResult } from './send.ts';

type DeliveryJob = JobData['outgoing.deliver'];

/** HTTP: the address is gone for good, and says so. */
const gone = 410;
// Nobody may put off a retry for longer than the longest wait there is.
const longestWait = Math.max(...WEBHOOK_RETRY_DELAYS_SECONDS);

/** Writes down what came of a try, and when the next one is; turns the webhook off where nothing arrives any more. */
export async function noteOutcome(
  services: Services,
  named: DeliveryJob,
  deliveryId: string,
  outcome: AttemptResult,
): Promise<void> {
  const { orgId, webhookId } = named;
  await services.database.withOrg(orgId, async (tx) => {
    const tries = await countTry(tx, orgId, deliveryId);
    // Deleted while it was on its way.
    if (!tries) return;
    await tx.db
      .insertInto('outgoing_attempt')
      .values({
        org_id: orgId,
        delivery_id: deliveryId,
        number: tries.attempts,
        response_status: outcome.status,
        response: outcome.response,
        failure: outcome.failure,
        ms: outcome.ms,
      })
      .execute();
    if (outcome.failure === null) {
      await finish(tx, orgId, deliveryId, 'delivered');
      await noteArrival(tx, named);
    } else {
      const failed = await retryOrFail(services, tx, named, { deliveryId, tries: tries.tries, wait: outcome.wait });
      if (failed) await tellOfFailure(services, tx, { deliveryJob: named, deliveryId, because: outcome.failure });
      await noteFailure(services, tx, named, outcome.status === gone);
    }
    tx.afterCommit(() => services.realtime.tell(orgId, 'orgWebhooks', { webhookId }));
  });
}

const countTry = ({ db }: Tx, orgId: string, id: string) =>
  db
    .updateTable('outgoing_delivery')
    .set({ tries: sql`tries + 1`, attempts: sql`attempts + 1` })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning(['tries', 'attempts'])
    .executeTakeFirst();

const finish = ({ db }: Tx, orgId: string, id: string, status: 'delivered' | 'failed') =>
  db.updateTable('outgoing_delivery').set({ status }).where('org_id', '=', orgId).where('id', '=', id).execute();

async function retryOrFail(
  { jobs }: Services,
  tx: Tx,
  { orgId, webhookId }: DeliveryJob,
  { deliveryId, tries, wait }: { deliveryId: string; tries: number; wait: number },
): Promise<boolean> {
  const seconds = WEBHOOK_RETRY_DELAYS_SECONDS[tries - 1];
  if (seconds === undefined) {
    await finish(tx, orgId, deliveryId, 'failed');
    return true;
  }
  // Some chance, or all that failed together would come back together.
  const later = Math.max(seconds, Math.min(wait, longestWait)) * (1 + Math.random() * 0.2);
  const startAfter = new Date(Date.now() + later * 1000);
  await tx.db
    .updateTable('outgoing_delivery')
    .set({ next_at: startAfter })
    .where('org_id', '=', orgId)
    .where('id', '=', deliveryId)
    .execute();
  await jobs.enqueue(tx, 'outgoing.deliver', { orgId, webhookId }, { key: `${deliveryId} ${tries}`, startAfter });
  return false;
}

// That a failure was not told is not told: two addresses that take nothing would go on telling each other. A test is looked at by
// whoever made it.
const untold: readonly string[] = ['delivery.failed' satisfies NotificationType, testWebhookEvent];

async function tellOfFailure(
  services: Services,
  tx: Tx,
  {
    deliveryJob: { orgId, webhookId },
    deliveryId,
    because,
  }: { deliveryJob: DeliveryJob; deliveryId: string; because: string },
): Promise<void> {
  const { type, url } = await tx.db
    .selectFrom('outgoing_delivery as d')
    .innerJoin('outgoing_webhook as w', (join) =>
      join.onRef('w.org_id', '=', 'd.org_id').onRef('w.id', '=', 'd.webhook_id'),
    )
    .select(['d.type', 'w.url'])
    .where('d.org_id', '=', orgId)
    .where('d.id', '=', deliveryId)
    .executeTakeFirstOrThrow();
  if (untold.includes(type)) return;
  const to = { kind: 'webhook', id: webhookId, name: hostOf(url) } as const;
  await raise(services, tx, orgId, {
    doer: { clock: true },
    news: { type: 'delivery.failed', to, deliveryId, because },
  });
}

// The path of an address may be a secret, and what is told goes to other webhooks too.
const hostOf = (url: string): string => new URL(url).host;

const noteArrival = ({ db }: Tx, { orgId, webhookId }: DeliveryJob) =>
  db
    .updateTable('outgoing_webhook')
    .set({ failing_since: null })
    .where('org_id', '=', orgId)
    .where('id', '=', webhookId)
    .where('failing_since', 'is not', null)
    .execute();

async function noteFailure(
  services: Services,
  tx: Tx,
  { orgId, webhookId }: DeliveryJob,
  isGone: boolean,
): Promise<void> {
  const of = tx.db.updateTable('outgoing_webhook').where('org_id', '=', orgId).where('id', '=', webhookId);
  await of.set({ failing_since: sql<Date>`now()` }).where('failing_since', 'is', null).execute();
  const givenUp = await of
    .set({ enabled: false, auto_disabled_at: sql<Date>`now()` })
    .where('enabled', '=', true)
    .$if(!isGone, (q) => q.where('failing_since', '<', sql<Date>`now() - make_interval(days => ${givenUpAfterDays})`))
    .returning('url')
    .executeTakeFirst();
  if (!givenUp) return;
  const host = hostOf(givenUp.url);
  const clock = { clock: true } as const;
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    doer: clock,
    entry: {
      action: 'webhook.given_up',
      subject: { kind: 'webhook', id: webhookId },
      data: { host, reason: isGone ? 'gone' : 'all deliveries failed' },
    },
  });
  await raise(services, tx, orgId, { doer: clock, news: { type: 'webhook.disabled', webhookId, url: host } });
}
