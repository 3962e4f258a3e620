import type { NotificationType } from '@sightline/contract/delivery/notification-types.ts';
import {
  AUTO_DISABLE_DAYS,
  testWebhookEvent,
  WEBHOOK_RETRY_DELAYS_SECONDS,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { sql } from 'kysely';
import { recordAuditEntry } from '#core/audit.ts';
import type { JobData } from '#core/jobs.ts';
import { retryDelaySeconds, secondsFromNow } from '#core/retry-delay.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { hostOf } from '../destinations/queries.ts';
import { raiseNotifications } from '../notifications/commands.ts';
import type { AttemptResult } from './send.ts';

type DeliveryJob = JobData['outgoing.deliver'];

/** HTTP status 410 Gone: the receiver no longer exists. */
const GONE = 410;

/** Records an attempt and queues the next one if it failed; disables the webhook after days without a success. */
export async function recordAttempt(
  services: Services,
  job: DeliveryJob,
  deliveryId: string,
  result: AttemptResult,
): Promise<void> {
  const { orgId, webhookId } = job;
  await services.database.withOrg(orgId, async (tx) => {
    const counts = await countAttempt(tx, orgId, deliveryId);
    // Deleted during the attempt.
    if (!counts) return;
    await tx.db
      .insertInto('outgoing_attempt')
      .values({
        org_id: orgId,
        delivery_id: deliveryId,
        number: counts.attempts,
        response_status: result.status,
        response: result.response,
        failure: result.failure,
        ms: result.ms,
      })
      .execute();
    if (result.failure === null) {
      await setStatus(tx, orgId, deliveryId, 'delivered');
      await recordSuccess(tx, job);
    } else {
      const delay = retryDelaySeconds(WEBHOOK_RETRY_DELAYS_SECONDS, counts.tries, {
        retryAfterSeconds: result.retryAfterSeconds,
      });
      if (delay === undefined) await failDelivery(services, tx, job, { deliveryId, reason: result.failure });
      else await queueRetry(services, tx, job, { deliveryId, tries: counts.tries, delay });
      await recordFailure(services, tx, job, result.status === GONE);
    }
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgWebhooks', { webhookId }));
  });
}

const countAttempt = ({ db }: Tx, orgId: string, id: string) =>
  db
    .updateTable('outgoing_delivery')
    .set({ tries: sql`tries + 1`, attempts: sql`attempts + 1` })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning(['tries', 'attempts'])
    .executeTakeFirst();

const setStatus = ({ db }: Tx, orgId: string, id: string, status: 'delivered' | 'failed') =>
  db.updateTable('outgoing_delivery').set({ status }).where('org_id', '=', orgId).where('id', '=', id).execute();

async function queueRetry(
  { jobs }: Services,
  tx: Tx,
  { orgId, webhookId }: DeliveryJob,
  { deliveryId, tries, delay }: { deliveryId: string; tries: number; delay: number },
): Promise<void> {
  const startAfter = secondsFromNow(delay);
  await tx.db
    .updateTable('outgoing_delivery')
    .set({ next_at: startAfter })
    .where('org_id', '=', orgId)
    .where('id', '=', deliveryId)
    .execute();
  await jobs.enqueue(tx, 'outgoing.deliver', { orgId, webhookId }, { key: `${deliveryId} ${tries}`, startAfter });
}

/** Event types whose failed deliveries raise no notification: two failing webhooks would notify each other, and the sender of a test sees its result. */
const typesWithoutNotification: readonly string[] = ['delivery.failed' satisfies NotificationType, testWebhookEvent];

/** Ends a delivery after its last attempt and notifies the owners. */
async function failDelivery(
  services: Services,
  tx: Tx,
  { orgId, webhookId }: DeliveryJob,
  { deliveryId, reason }: { deliveryId: string; reason: string },
): Promise<void> {
  await setStatus(tx, orgId, deliveryId, 'failed');
  const { type, url } = await tx.db
    .selectFrom('outgoing_delivery as d')
    .innerJoin('outgoing_webhook as w', (join) =>
      join.onRef('w.org_id', '=', 'd.org_id').onRef('w.id', '=', 'd.webhook_id'),
    )
    .select(['d.type', 'w.url'])
    .where('d.org_id', '=', orgId)
    .where('d.id', '=', deliveryId)
    .executeTakeFirstOrThrow();
  if (typesWithoutNotification.includes(type)) return;
  // Only the host: the path of a URL may be a secret, and the notification goes to other webhooks too.
  const to = { kind: 'webhook', id: webhookId, name: hostOf(url) } as const;
  await raiseNotifications(services, tx, orgId, {
    actor: { clock: true },
    notifications: [{ type: 'delivery.failed', to, deliveryId, because: reason }],
  });
}

const recordSuccess = ({ db }: Tx, { orgId, webhookId }: DeliveryJob) =>
  db
    .updateTable('outgoing_webhook')
    .set({ failing_since: null })
    .where('org_id', '=', orgId)
    .where('id', '=', webhookId)
    .where('failing_since', 'is not', null)
    .execute();

async function recordFailure(
  services: Services,
  tx: Tx,
  { orgId, webhookId }: DeliveryJob,
  isGone: boolean,
): Promise<void> {
  const webhook = tx.db.updateTable('outgoing_webhook').where('org_id', '=', orgId).where('id', '=', webhookId);
  await webhook.set({ failing_since: sql<Date>`now()` }).where('failing_since', 'is', null).execute();
  const disabled = await webhook
    .set({ enabled: false, auto_disabled_at: sql<Date>`now()` })
    .where('enabled', '=', true)
    .$if(!isGone, (q) => q.where('failing_since', '<', sql<Date>`now() - make_interval(days => ${AUTO_DISABLE_DAYS})`))
    .returning('url')
    .executeTakeFirst();
  if (!disabled) return;
  const host = hostOf(disabled.url);
  const actor = { clock: true } as const;
  const data = { host, reason: isGone ? 'gone' : 'all deliveries failed' };
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: { action: 'webhook.auto_disabled', subject: { kind: 'webhook', id: webhookId }, data },
  });
  await raiseNotifications(services, tx, orgId, {
    actor,
    notifications: [{ type: 'webhook.disabled', webhookId, url: host }],
  });
}
