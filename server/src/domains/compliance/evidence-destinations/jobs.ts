import { exchangesKeptDays } from '@sightline/contract/compliance/evidence-destinations.ts';
import { sql } from 'kysely';
import { deletingByAge } from '#core/clocks.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { deliver } from './deliver.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'exporters.deliver': { orgId: string; deliveryId: string };
    'exporters.sweep': Record<string, never>;
    'exporters.forget': Record<string, never>;
  }
}

export const exporterJobs = (services: Services): JobDefinition[] => [
  {
    name: 'exporters.deliver',
    handle: (data) => deliver(services, data as JobData['exporters.deliver']),
    concurrency: 2,
    expireMinutes: 60,
  },
  // A process that died for good took what it had begun with it.
  { name: 'exporters.sweep', handle: () => sweep(services), cron: '*/5 * * * *' },
  { name: 'exporters.forget', handle: deletingByAge(services, forget), cron: '53 3 * * *', expireMinutes: 120 },
];

const sweep = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'exporters.sweep', organizations: 'select orgs_with_due_exporter_deliveries() as id' },
    (orgId) =>
      services.database.withOrg(orgId, async (tx) => {
        const due = await tx.query<{ id: string }>({
          name: 'exporters.left',
          text: `select d.id from exporter_delivery d join exporter e on e.org_id = $1 and e.id = d.exporter_id
                 where d.org_id = $1 and d.state = 'pending' and d.next_at <= now() and e.enabled`,
          values: [orgId],
        });
        for (const { id } of due) {
          await services.jobs.enqueue(tx, 'exporters.deliver', { orgId, deliveryId: id }, { key: id });
        }
      }),
  );

/** Deletes what was asked and answered longer ago than that is kept; the deliveries stay. */
const forget = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'exporters.forget', organizations: 'select orgs_with_exporters() as id' },
    (orgId) =>
      services.database.withOrg(orgId, ({ db }) =>
        db
          .deleteFrom('exporter_exchange')
          .where('org_id', '=', orgId)
          .where('at', '<', sql<Date>`now() - make_interval(days => ${exchangesKeptDays})`)
          .execute(),
      ),
  );
