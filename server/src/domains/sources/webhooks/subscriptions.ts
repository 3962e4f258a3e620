import { retryFailuresOf } from '#core/failed-work.ts';
import { subscribeTo } from '#core/topics.ts';
import { organizationRestored } from '../../organization/organizations/topics.ts';
import { reopenDelivery } from './queue.ts';

export const webhookSubscriptions = [
  // Deliveries were stored while the organization was archived.
  subscribeTo(organizationRestored, 'sources.process-webhooks', ({ services, tx, orgId }) =>
    services.jobs.enqueue(tx, 'webhook.work', { orgId }, { key: orgId }),
  ),
  retryFailuresOf('host_webhook', 'sources.retry-webhook', async ({ services, tx, orgId }, id) => {
    await reopenDelivery(tx, orgId, id);
    await services.jobs.enqueue(tx, 'webhook.work', { orgId }, { key: orgId });
  }),
];
