import {
  type createOutgoingWebhook,
  type OutgoingDelivery,
  type OutgoingWebhook,
  testWebhookEvent,
  type updateOutgoingWebhook,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { Conflict, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { queueDelivery } from '#core/outgoing-events.ts';
import type { Services } from '#core/services.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { Publication } from '#core/topics.ts';
import type { Tx } from '#database/database.ts';
import {
  changeDestination,
  deleteDestination,
  requireCapacity,
  rotateSigningSecret,
  sealSecret,
} from '../destinations/commands.ts';
import { hostOf, isSameSettings } from '../destinations/queries.ts';
import { findDelivery, findWebhook } from './queries.ts';
import { outgoingWebhooks } from './webhook-type.ts';

interface WebhookWithSecret {
  /** For its receiver; this server stores it sealed. */
  secret: string;
  webhook: OutgoingWebhook;
}

/** Adds a webhook. Throws `validation_failed` for a URL that may not be called, `conflict` if the limit is reached. */
export async function createWebhook(
  services: Services,
  actor: Actor,
  { url, description, types }: z.output<typeof createOutgoingWebhook.body>,
): Promise<WebhookWithSecret> {
  await services.outboundFor(actor.orgId, 'webhook').check('url', url);
  return changeDestination(services, actor, outgoingWebhooks, async (tx, recordChange) => {
    await requireCapacity(tx, actor.orgId, outgoingWebhooks);
    const id = newId();
    const secret = newSigningSecret();
    await tx.db
      .insertInto('outgoing_webhook')
      .values({
        org_id: actor.orgId,
        id,
        url,
        description,
        types,
        secret_sealed: sealSecret(services, outgoingWebhooks, { orgId: actor.orgId, id }, secret),
        created_by: actor.accountId,
      })
      .execute();
    await recordChange(id, 'webhook.created', { host: hostOf(url), types: types ?? 'all' });
    return { secret, webhook: await findWebhook(tx, actor.orgId, id) };
  });
}

/** Updates the given fields. Records nothing if no value changes. */
export async function updateWebhook(
  services: Services,
  actor: Actor,
  id: string,
  changes: z.output<typeof updateOutgoingWebhook.body>,
): Promise<OutgoingWebhook> {
  if (changes.url !== undefined) await services.outboundFor(actor.orgId, 'webhook').check('url', changes.url);
  return changeDestination(services, actor, outgoingWebhooks, async (tx, recordChange) => {
    const was = await findWebhook(tx, actor.orgId, id);
    const before = { url: was.url, description: was.description, types: was.types, enabled: isEnabled(was) };
    const after = { ...before, ...defined(changes) };
    if (isSameSettings(after, before)) return was;
    const wasEnabled = after.enabled && !before.enabled;
    await tx.db
      .updateTable('outgoing_webhook')
      .set({ ...after, ...(wasEnabled && { failing_since: null, auto_disabled_at: null }) })
      .where('org_id', '=', actor.orgId)
      .where('id', '=', id)
      .execute();
    // Deliveries were queued while it was disabled.
    if (wasEnabled) {
      await services.jobs.enqueue(tx, 'outgoing.deliver', { orgId: actor.orgId, webhookId: id }, { key: id });
    }
    await recordChange(id, 'webhook.updated', {
      host: hostOf(after.url),
      before: auditDataOf(before),
      after: auditDataOf(after),
    });
    return findWebhook(tx, actor.orgId, id);
  });
}

/** Deletes a webhook with all its deliveries, including pending ones. */
export const deleteWebhook = (services: Services, actor: Actor, id: string): Promise<null> =>
  changeDestination(services, actor, outgoingWebhooks, async (tx, recordChange) => {
    const { url } = await findWebhook(tx, actor.orgId, id);
    await deleteDestination(tx, outgoingWebhooks, actor.orgId, id);
    await recordChange(id, 'webhook.deleted', { host: hostOf(url) });
    return null;
  });

/** Replaces the signing secret. The previous one also signs for a day. */
export const rotateSecret = (services: Services, actor: Actor, id: string): Promise<WebhookWithSecret> =>
  changeDestination(services, actor, outgoingWebhooks, async (tx, recordChange) => {
    const { url } = await findWebhook(tx, actor.orgId, id);
    const secret = await rotateSigningSecret(services, tx, outgoingWebhooks, { orgId: actor.orgId, id });
    await recordChange(id, 'webhook.secret_rotated', { host: hostOf(url) });
    return { secret, webhook: await findWebhook(tx, actor.orgId, id) };
  });

/** Sends a test event. Throws `conflict` if the webhook is disabled. */
export const testWebhook = (services: Services, actor: Actor, id: string): Promise<{ deliveryId: string }> =>
  changeDestination(services, actor, outgoingWebhooks, async (tx, recordChange) => {
    const webhook = await findWebhook(tx, actor.orgId, id);
    requireEnabled(webhook);
    const data = { message: 'This is a test: the webhook works.', webhook: id };
    const at = { orgId: actor.orgId, webhookId: id };
    const deliveryId = await queueDelivery(services.jobs, tx, at, { type: testWebhookEvent, data });
    await recordChange(id, 'webhook.tested', { host: hostOf(webhook.url) });
    return { deliveryId };
  });

/** Sends a delivery again now, with all retries. Throws `conflict` if the webhook is disabled. */
export const redeliverNow = (
  services: Services,
  actor: Actor,
  webhookId: string,
  deliveryId: string,
): Promise<OutgoingDelivery> =>
  changeDestination(services, actor, outgoingWebhooks, async (tx, recordChange) => {
    const webhook = await findWebhook(tx, actor.orgId, webhookId);
    const { type } = await findDelivery(tx, actor.orgId, webhookId, deliveryId);
    await sendDeliveryAgain(services, tx, { orgId: actor.orgId, webhook, deliveryId });
    await recordChange(webhookId, 'webhook.redelivered', { host: hostOf(webhook.url), type, delivery: deliveryId });
    return findDelivery(tx, actor.orgId, webhookId, deliveryId);
  });

/**
 * Retries a delivery whose last attempt failed, for an operator. Throws 404 for any other, and 409 if the webhook is
 * disabled.
 */
export async function retryFailedDelivery({ services, tx, orgId }: Publication, deliveryId: string): Promise<void> {
  const failed = await tx.db
    .selectFrom('outgoing_delivery')
    .where('org_id', '=', orgId)
    .where((eb) => eb(eb.cast<string>('id', 'text'), '=', deliveryId))
    .where((eb) => eb.or([eb('status', '=', 'failed'), eb('status', '=', 'pending').and('tries', '>', 0)]))
    .select('webhook_id')
    .executeTakeFirst();
  if (!failed) throw NotFound('Failed delivery');
  const webhook = await findWebhook(tx, orgId, failed.webhook_id);
  await sendDeliveryAgain(services, tx, { orgId, webhook, deliveryId });
}

async function sendDeliveryAgain(
  { jobs }: Services,
  tx: Tx,
  { orgId, webhook, deliveryId }: { orgId: string; webhook: OutgoingWebhook; deliveryId: string },
): Promise<void> {
  requireEnabled(webhook);
  await tx.db
    .updateTable('outgoing_delivery')
    .set({ status: 'pending', tries: 0, next_at: sql<Date>`now()` })
    .where('org_id', '=', orgId)
    .where('id', '=', deliveryId)
    .execute();
  await jobs.enqueue(tx, 'outgoing.deliver', { orgId, webhookId: webhook.id }, { key: webhook.id });
}

const isEnabled = ({ state }: OutgoingWebhook) => state === 'active' || state === 'failing';

function requireEnabled(webhook: OutgoingWebhook): void {
  if (!isEnabled(webhook)) throw Conflict('The webhook is disabled. Enable it first.');
}

// The path of a URL may be a secret, as with chat services: the audit log has only its host.
const auditDataOf = ({ url, types, enabled }: { url: string; types: string[] | null; enabled: boolean }) => ({
  host: hostOf(url),
  types: types ?? 'all',
  enabled,
});

const defined = <T extends object>(values: T): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
