import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { Tx } from '#database/database.ts';
import { secretLocation } from '../domains/delivery/destinations/queries.ts';
import { outgoingWebhooks } from '../domains/delivery/outgoing-webhooks/webhook-type.ts';

/** A webhook with a failed delivery. */
export interface SeededWebhook {
  webhookId: string;
  deliveryId: string;
}

export const newWebhookIds = (): SeededWebhook => ({ webhookId: newId(), deliveryId: newId() });

interface WebhookFixture extends SeededWebhook {
  orgId: string;
  owner: string;
  name: string;
}

/** Restores the webhook with its delivery and deletes all others. */
export async function insertWebhook(
  { secrets }: Services,
  { db }: Tx,
  { orgId, owner, name, webhookId, deliveryId }: WebhookFixture,
): Promise<void> {
  const of = { org_id: orgId };
  await db.deleteFrom('outgoing_webhook').where('org_id', '=', orgId).execute();
  await db
    .insertInto('outgoing_webhook')
    .values({
      ...of,
      id: webhookId,
      url: `https://hooks.example/${name}`,
      description: `What ${name} hears`,
      types: ['finding.new'],
      secret_sealed: secrets.seal(secretLocation(outgoingWebhooks, orgId, webhookId), Buffer.from(newSigningSecret())),
      created_by: owner,
    })
    .execute();
  const sent = { type: 'finding.new', body: JSON.stringify({ name }), status: 'failed', attempts: 1 };
  await db
    .insertInto('outgoing_delivery')
    .values({ ...of, id: deliveryId, webhook_id: webhookId, ...sent })
    .execute();
  const answered = { response_status: 500, response: name, failure: 'The receiver responded with status 500.', ms: 12 };
  await db
    .insertInto('outgoing_attempt')
    .values({ ...of, delivery_id: deliveryId, number: 1, ...answered })
    .execute();
}
