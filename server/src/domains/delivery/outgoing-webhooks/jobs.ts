import { DELIVERY_RETENTION_DAYS } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { sql } from 'kysely';
import { requireClocksThen } from '#core/clocks.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { sweepDue } from '../destinations/commands.ts';
import { deliverDue } from './deliver-due.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'outgoing.sweep': Record<string, never>;
    'outgoing.forget': Record<string, never>;
  }
}

export const outgoingWebhookJobs = (services: Services): JobDefinition[] => [
  {
    name: 'outgoing.deliver',
    handle: (data) => deliverDue(services, data as JobData['outgoing.deliver']),
    concurrency: 4,
  },
  {
    name: 'outgoing.sweep',
    handle: () =>
      sweepDue(services, {
        job: 'outgoing.sweep',
        ...withWebhooks,
        due: {
          name: 'outgoing.left',
          text: `select w.id from outgoing_webhook w where w.org_id = $1 and w.enabled and exists (
                   select from outgoing_delivery d
                   where d.org_id = $1 and d.webhook_id = w.id and d.status = 'pending' and d.next_at <= now())`,
        },
        enqueue: (tx, orgId, id) =>
          services.jobs.enqueue(tx, 'outgoing.deliver', { orgId, webhookId: id }, { key: id }),
      }),
    cron: '*/5 * * * *',
  },
  { name: 'outgoing.forget', handle: requireClocksThen(services, deleteOld), cron: '41 3 * * *', expireMinutes: 120 },
];

/** Deletes deliveries after their retention time. */
const deleteOld = (services: Services): Promise<void> =>
  forEachOrganization(services, { job: 'outgoing.forget', ...withWebhooks }, (orgId) =>
    services.database.withOrg(orgId, ({ db }) =>
      db
        .deleteFrom('outgoing_delivery')
        .where('org_id', '=', orgId)
        .where('created_at', '<', sql<Date>`now() - make_interval(days => ${DELIVERY_RETENTION_DAYS})`)
        .execute(),
    ),
  );

const withWebhooks = { organizations: 'select orgs_with_outgoing_webhooks() as id' };
