import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { copyEvents } from './copy-events.ts';
import { deleteExpiredCopies } from './forget.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'events.copy': { orgId: string };
    'events.copies': Record<string, never>;
    'events.copies.forget': Record<string, never>;
  }
}

export const copyJobs = (services: Services): JobDefinition[] => [
  { name: 'events.copy', concurrency: 2, expireMinutes: 240, handle: ({ orgId }) => copyEvents(services, orgId) },
  { name: 'events.copies', handle: () => queueCopies(services), cron: '*/5 * * * *' },
  // After the nightly deletion in PostgreSQL.
  { name: 'events.copies.forget', expireMinutes: 60, handle: () => deleteExpiredCopies(services), cron: '17 5 * * *' },
];

/** Queues unfinished copies, such as after a crash or an outage of ClickHouse, and ends copies without ClickHouse. */
const queueCopies = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    {
      job: 'events.copies',
      organizations: `select ${services.clickhouse ? 'orgs_to_copy()' : 'orgs_with_event_copies()'} as id`,
    },
    (orgId) =>
      services.database.withOrg(orgId, (tx) => services.jobs.enqueue(tx, 'events.copy', { orgId }, { key: orgId })),
  );
