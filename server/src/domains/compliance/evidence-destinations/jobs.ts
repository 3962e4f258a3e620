import { EXCHANGE_RETENTION_DAYS } from '@sightline/contract/compliance/evidence-destinations.ts';
import { sql } from 'kysely';
import { requireClocksThen } from '#core/clocks.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { deliver } from './deliver.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'destinations.deliver': { orgId: string; deliveryId: string };
    'destinations.sweep': Record<string, never>;
    'destinations.forget': Record<string, never>;
  }
}

export const evidenceDestinationJobs = (services: Services): JobDefinition[] => [
  {
    name: 'destinations.deliver',
    handle: (data) => deliver(services, data as JobData['destinations.deliver']),
    concurrency: 2,
    expireMinutes: 60,
  },
  // A process that died for good took what it had begun with it.
  { name: 'destinations.sweep', handle: () => sweep(services), cron: '*/5 * * * *' },
  { name: 'destinations.forget', handle: requireClocksThen(services, forget), cron: '53 3 * * *', expireMinutes: 120 },
];

const sweep = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'destinations.sweep', organizations: 'select orgs_with_due_evidence_deliveries() as id' },
    (orgId) =>
      services.database.withOrg(orgId, async (tx) => {
        const due = await tx.query<{ id: string }>({
          name: 'destinations.left',
          text: `select d.id from evidence_delivery d join evidence_destination e on e.org_id = $1 and e.id = d.destination_id
                 where d.org_id = $1 and d.state = 'pending' and d.next_at <= now() and e.enabled`,
          values: [orgId],
        });
        for (const { id } of due) {
          await services.jobs.enqueue(tx, 'destinations.deliver', { orgId, deliveryId: id }, { key: id });
        }
      }),
  );

/** Deletes what was asked and answered longer ago than that is kept; the deliveries stay. */
const forget = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'destinations.forget', organizations: 'select orgs_with_evidence_destinations() as id' },
    (orgId) =>
      services.database.withOrg(orgId, ({ db }) =>
        db
          .deleteFrom('evidence_exchange')
          .where('org_id', '=', orgId)
          .where('at', '<', sql<Date>`now() - make_interval(days => ${EXCHANGE_RETENTION_DAYS})`)
          .execute(),
      ),
  );
