import { Refusal } from '#core/errors.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { closeProjectAnalyses } from './import-scan.ts';
import { maybeConnectionRow } from './row.ts';
import { syncCheckmarxScans } from './sync.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'checkmarx.sync': { orgId: string; projectId?: string };
    'checkmarx.retire': { orgId: string; repositoryId: string; place: number };
    'checkmarx.queue-syncs': Record<string, never>;
  }
}

export const checkmarxJobs = (services: Services): JobDefinition[] => [
  {
    name: 'checkmarx.sync',
    repeats: true,
    handle: (data) => {
      const { orgId, projectId } = data as JobData['checkmarx.sync'];
      return syncCheckmarxScans(services, orgId, projectId);
    },
    concurrency: 2,
    expireMinutes: 120,
  },
  { name: 'checkmarx.retire', handle: (data) => retireProject(services, data as JobData['checkmarx.retire']) },
  { name: 'checkmarx.queue-syncs', handle: () => queueHourlySyncs(services), cron: '7 * * * *' },
];

async function retireProject(
  services: Services,
  { orgId, repositoryId, place }: JobData['checkmarx.retire'],
): Promise<void> {
  await closeProjectAnalyses(services, orgId, repositoryId, place).catch((error: unknown) => {
    // The repository or organization was disabled or archived in the meantime, so that no outdated finding is shown.
    if (!(error instanceof Refusal)) throw error;
  });
}

const MAX_DELAY_MS = 10 * 60_000;

// Delays syncs randomly, since all organizations share the connection to Checkmarx One.
const queueHourlySyncs = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'checkmarx.queue-syncs', organizations: `select orgs_with_integration('checkmarx') as id` },
    (orgId) =>
      services.database.withOrg(orgId, async (tx) => {
        const startAfter = new Date(Date.now() + Math.random() * MAX_DELAY_MS);
        // A sync without an end may have died with its process.
        const isOpen = (await maybeConnectionRow(tx, orgId))?.sync_run != null;
        const options = { key: `${orgId} hourly`, ...(!isOpen && { startAfter }) };
        await services.jobs.enqueue(tx, 'checkmarx.sync', { orgId }, options);
      }),
  );
