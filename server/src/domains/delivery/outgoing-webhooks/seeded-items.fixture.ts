import { newId } from '#core/ids.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';
import { secretLocation } from '../destinations/queries.ts';
import { outgoingWebhooks } from './webhook-type.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    webhookId: string;
    /** Failed. */
    deliveryId: string;
  }
}

/** A webhook with a failed delivery. */
export const seededItems: SeededItems = {
  create: () => ({ webhookId: newId(), deliveryId: newId() }),
  restore: async ({ secrets }, { db }, { orgId, org, webhookId, deliveryId }) => {
    const { name, owner } = org;
    const of = { org_id: orgId };
    await db.deleteFrom('outgoing_webhook').where('org_id', '=', orgId).execute();
    await db
      .insertInto('outgoing_webhook')
      .values({
        ...of,
        id: webhookId,
        url: `https://hooks.example/${name}`,
        description: `Events of ${name}`,
        types: ['finding.new'],
        secret_sealed: secrets.seal(
          secretLocation(outgoingWebhooks, orgId, webhookId),
          Buffer.from(newSigningSecret()),
        ),
        created_by: owner.id,
      })
      .execute();
    const delivery = { type: 'finding.new', body: JSON.stringify({ name }), status: 'failed', attempts: 1 };
    await db
      .insertInto('outgoing_delivery')
      .values({ ...of, id: deliveryId, webhook_id: webhookId, ...delivery })
      .execute();
    const attempt = {
      response_status: 500,
      response: name,
      failure: 'The receiver responded with status 500.',
      ms: 12,
    };
    await db
      .insertInto('outgoing_attempt')
      .values({ ...of, delivery_id: deliveryId, number: 1, ...attempt })
      .execute();
  },
};
