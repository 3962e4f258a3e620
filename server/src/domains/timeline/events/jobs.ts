import { requireClocksThen } from '#core/clocks.ts';
import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { addMissingFields } from './add-missing-fields.ts';
import { copyJobs } from './clickhouse/jobs.ts';
import { indexPendingWords } from './indexing.ts';
import { expireEventsOfAllOrganizations } from './retention.ts';
import { archiveEventsOfAllOrganizations } from './segments/archive-events.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'events.index': { orgId: string };
    'events.refield': { orgId: string };
    'events.forget': Record<string, never>;
    'events.archive': Record<string, never>;
  }
}

export const eventJobs = (services: Services): JobDefinition[] => [
  { name: 'events.index', expireMinutes: 60, handle: ({ orgId }) => indexEvents(services, orgId) },
  { name: 'events.refield', expireMinutes: 60, handle: ({ orgId }) => addMissingFields(services, orgId) },
  {
    name: 'events.forget',
    expireMinutes: 240,
    handle: requireClocksThen(services, expireEventsOfAllOrganizations),
    cron: '47 3 * * *',
  },
  {
    name: 'events.archive',
    expireMinutes: 720,
    handle: requireClocksThen(services, archiveEventsOfAllOrganizations),
    cron: '23 4 * * *',
  },
  ...copyJobs(services),
];

async function indexEvents(services: Services, orgId: string): Promise<void> {
  await indexPendingWords(services, orgId);
  if (!services.clickhouse) return;
  await services.database.withOrg(orgId, (tx) => services.jobs.enqueue(tx, 'events.copy', { orgId }, { key: orgId }));
}
