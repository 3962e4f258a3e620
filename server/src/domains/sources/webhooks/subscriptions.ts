import { subscribeTo } from '#core/topics.ts';
import { organizationRestored } from '../../organization/organizations/topics.ts';

export const webhookSubscriptions = [
  // Deliveries were stored while the organization was archived.
  subscribeTo(organizationRestored, 'sources.process-webhooks', ({ services, tx, orgId }) =>
    services.jobs.enqueue(tx, 'webhook.work', { orgId }, { key: orgId }),
  ),
];
