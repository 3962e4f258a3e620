import { deliveriesKeptDays } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { sql } from 'kysely';
import { requireClocksThen } from '#core/clocks.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
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
  // A process that died for good took what it had begun with it.
  { name: 'outgoing.sweep', handle: () => sweep(services), cron: '*/5 * * * *' },
  { name: 'outgoing.forget', handle: requireClocksThen(services, forget), cron: '41 3 * * *', expireMinutes: 120 },
];

const sweep = (services: Services): Promise<void> =>
  forEachOrganization(services, { job: 'outgoing.sweep', ...withWebhooks }, (orgId) =>
    services.database.withOrg(orgId, async (tx) => {
      const due = await tx.query<{ id: string }>({
        name: 'outgoing.left',
        text: `select w.id from outgoing_webhook w where w.org_id = $1 and w.enabled and exists (
                 select from outgoing_delivery d
                 where d.org_id = $1 and d.webhook_id = w.id and d.status = 'pending' and d.next_at <= now())`,
        values: [orgId],
      });
      for (const { id } of due) {
        await services.jobs.enqueue(tx, 'outgoing.deliver', { orgId, webhookId: id }, { key: id });
      }
    }),
  );

/** Deletes what is older than deliveries are kept. */
const forget = (services: Services): Promise<void> =>
  forEachOrganization(services, { job: 'outgoing.forget', ...withWebhooks }, (orgId) =>
    services.database.withOrg(orgId, ({ db }) =>
      db
        .deleteFrom('outgoing_delivery')
        .where('org_id', '=', orgId)
        .where('created_at', '<', sql<Date>`now() - make_interval(days => ${deliveriesKeptDays})`)
        .execute(),
    ),
  );

const withWebhooks = { organizations: 'select orgs_with_outgoing_webhooks() as id' };
