import type { DestinationType } from '../destinations/queries.ts';

export const outgoingWebhooks: DestinationType = {
  table: 'outgoing_webhook',
  subject: 'webhook',
  plural: 'webhooks',
  max: 20,
  ownersOnly: true,
  rotates: true,
  announce: ({ realtime }, orgId, webhookId) => realtime.notifyOrganization(orgId, 'orgWebhooks', { webhookId }),
};
