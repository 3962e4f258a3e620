import {
  type createOutgoingWebhook,
  type OutgoingDelivery,
  type OutgoingWebhook,
  SECRET_OVERLAP_HOURS,
  testWebhookEvent,
  type updateOutgoingWebhook,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { type RecordChange, recordAuditEntry } from '#core/audit.ts';
import { Conflict } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { queueDelivery } from '#core/outgoing.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { Tx } from '#database/database.ts';
import { findDelivery, findWebhook } from './queries.ts';
import { placeOf } from './secret-location.ts';

const most = 20;

interface WebhookWithSecret {
  /** As its receiver keeps it; kept here only sealed. */
  secret: string;
  webhook: OutgoingWebhook;
}

/** Adds an address. Throws `validation_failed` for one that may not be called, `conflict` where there are twenty already. */
export async function createWebhook(
  services: Services,
  actor: Actor,
  { url, description, types }: z.output<typeof createOutgoingWebhook.body>,
): Promise<WebhookWithSecret> {
  await services.outboundFor(actor.orgId, 'webhook').check('url', url);
  return change(services, actor, async (tx, note) => {
    await checkCount(tx, actor.orgId);
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
        secret_sealed: services.secrets.seal(placeOf(actor.orgId, id), Buffer.from(secret)),
        created_by: actor.accountId,
      })
      .execute();
    await note(id, 'webhook.created', { host: hostOf(url), types: types ?? 'all' });
    return { secret, webhook: await findWebhook(tx, actor.orgId, id) };
  });
}

/** Changes what is named; what is as wanted already changes nothing. */
export async function updateWebhook(
  services: Services,
  actor: Actor,
  id: string,
  wanted: z.output<typeof updateOutgoingWebhook.body>,
): Promise<OutgoingWebhook> {
  if (wanted.url !== undefined) await services.outboundFor(actor.orgId, 'webhook').check('url', wanted.url);
  return change(services, actor, async (tx, note) => {
    const was = await findWebhook(tx, actor.orgId, id);
    const before = { url: was.url, description: was.description, types: was.types, enabled: isOn(was) };
    const after = { ...before, ...defined(wanted) };
    if (JSON.stringify(after) === JSON.stringify(before)) return was;
    const turnedOn = after.enabled && !before.enabled;
    await tx.db
      .updateTable('outgoing_webhook')
      .set({ ...after, ...(turnedOn && { failing_since: null, auto_disabled_at: null }) })
      .where('org_id', '=', actor.orgId)
      .where('id', '=', id)
      .execute();
    // What waited while it was off.
    if (turnedOn) {
      await services.jobs.enqueue(tx, 'outgoing.deliver', { orgId: actor.orgId, webhookId: id }, { key: id });
    }
    await note(id, 'webhook.updated', {
      host: hostOf(after.url),
      before: plainOf(before),
      after: plainOf(after),
    });
    return findWebhook(tx, actor.orgId, id);
  });
}

/** Deletes a webhook with all its deliveries, also those that wait. */
export const deleteWebhook = (services: Services, actor: Actor, id: string): Promise<null> =>
  change(services, actor, async (tx, note) => {
    const { url } = await findWebhook(tx, actor.orgId, id);
    await tx.db.deleteFrom('outgoing_webhook').where('org_id', '=', actor.orgId).where('id', '=', id).execute();
    await note(id, 'webhook.deleted', { host: hostOf(url) });
    return null;
  });

/** Makes another secret; the one that was good until now signs beside it for a day. */
export const rotateSecret = (services: Services, actor: Actor, id: string): Promise<WebhookWithSecret> =>
  change(services, actor, async (tx, note) => {
    const { url } = await findWebhook(tx, actor.orgId, id);
    const secret = newSigningSecret();
    await tx.db
      .updateTable('outgoing_webhook')
      .set({
        secret_sealed: services.secrets.seal(placeOf(actor.orgId, id), Buffer.from(secret)),
        previous_secret_sealed: sql.ref('secret_sealed'),
        previous_until: sql<Date>`now() + make_interval(hours => ${SECRET_OVERLAP_HOURS})`,
      })
      .where('org_id', '=', actor.orgId)
      .where('id', '=', id)
      .execute();
    await note(id, 'webhook.secret_rotated', { host: hostOf(url) });
    return { secret, webhook: await findWebhook(tx, actor.orgId, id) };
  });

/** Sends something harmless. Throws `conflict` where the webhook is off. */
export const testWebhook = (services: Services, actor: Actor, id: string): Promise<{ deliveryId: string }> =>
  change(services, actor, async (tx, note) => {
    const webhook = await findWebhook(tx, actor.orgId, id);
    checkOn(webhook);
    const data = { message: 'This is a test: the webhook works.', webhook: id };
    const at = { orgId: actor.orgId, webhookId: id };
    const deliveryId = await queueDelivery(services.jobs, tx, at, { type: testWebhookEvent, data });
    await note(id, 'webhook.tested', { host: hostOf(webhook.url) });
    return { deliveryId };
  });

/** Sends a delivery again now, with all its retries before it. Throws `conflict` where the webhook is off. */
export const redeliverNow = (
  services: Services,
  actor: Actor,
  webhookId: string,
  deliveryId: string,
): Promise<OutgoingDelivery> =>
  change(services, actor, async (tx, note) => {
    const webhook = await findWebhook(tx, actor.orgId, webhookId);
    const { type } = await findDelivery(tx, actor.orgId, webhookId, deliveryId);
    checkOn(webhook);
    await tx.db
      .updateTable('outgoing_delivery')
      .set({ status: 'pending', tries: 0, next_at: sql<Date>`now()` })
      .where('org_id', '=', actor.orgId)
      .where('id', '=', deliveryId)
      .execute();
    await services.jobs.enqueue(tx, 'outgoing.deliver', { orgId: actor.orgId, webhookId }, { key: webhookId });
    await note(webhookId, 'webhook.redelivered', { host: hostOf(webhook.url), type, delivery: deliveryId });
    return findDelivery(tx, actor.orgId, webhookId, deliveryId);
  });

/** A change by an owner, and the way to tell the audit log of it. */
const change = <Result>(
  services: Services,
  actor: Actor,
  work: (tx: Tx, note: RecordChange) => Promise<Result>,
): Promise<Result> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    return work(tx, async (id, action, data) => {
      await recordAuditEntry(tx, {
        people: services.people,
        orgId: actor.orgId,
        doer: actor,
        entry: { action, subject: { kind: 'webhook', id }, data },
      });
      tx.afterCommit(() => services.realtime.tell(actor.orgId, 'orgWebhooks', { webhookId: id }));
    });
  });

async function checkCount({ db }: Tx, orgId: string): Promise<void> {
  const { count } = await db
    .selectFrom('outgoing_webhook')
    .where('org_id', '=', orgId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= most) throw Conflict(`The limit of ${most} webhooks is reached. Delete unused ones.`);
}

const isOn = ({ state }: OutgoingWebhook) => state === 'active' || state === 'failing';

function checkOn(webhook: OutgoingWebhook): void {
  if (!isOn(webhook)) throw Conflict('The webhook is disabled. Enable it first.');
}

// Its path may be a secret, as with chat programs: the log names the host alone.
const hostOf = (url: string) => new URL(url).host;

const plainOf = ({ url, types, enabled }: { url: string; types: string[] | null; enabled: boolean }) => ({
  host: hostOf(url),
  types: types ?? 'all',
  enabled,
});

const defined = <T extends object>(values: T): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
