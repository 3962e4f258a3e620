import { type ScannerName, scannerName } from '@sightline/contract/core/scan-sources.ts';
import { Refusal } from '#core/errors.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { closeProjectAnalyses } from './import-scan.ts';
import { syncScannerScans } from './sync.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'scanner.sync': { orgId: string; scanner: ScannerName; projectId?: string };
    'scanner.retire': { orgId: string; scanner: ScannerName; repositoryId: string; place: number };
    'scanner.queue-syncs': Record<string, never>;
  }
}

export const scannerJobs = (services: Services): JobDefinition[] => [
  {
    name: 'scanner.sync',
    repeats: true,
    handle: (data) => {
      const { orgId, scanner, projectId } = data as JobData['scanner.sync'];
      return syncScannerScans(services, { orgId, scanner }, projectId);
    },
    concurrency: 2,
    expireMinutes: 120,
  },
  { name: 'scanner.retire', handle: (data) => retireProject(services, data as JobData['scanner.retire']) },
  { name: 'scanner.queue-syncs', handle: () => queueHourlySyncs(services), cron: '7 * * * *' },
];

async function retireProject(
  services: Services,
  { orgId, scanner, repositoryId, place }: JobData['scanner.retire'],
): Promise<void> {
  await closeProjectAnalyses(services, { orgId, scanner }, repositoryId, place).catch((error: unknown) => {
    // The repository or organization was disabled or archived in the meantime, so that no outdated finding is shown.
    if (!(error instanceof Refusal)) throw error;
  });
}

const MAX_DELAY_MS = 10 * 60_000;

// Delays syncs randomly, since all organizations share the connection to a scanner.
const queueHourlySyncs = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'scanner.queue-syncs', organizations: 'select orgs_with_integration() as id' },
    (orgId) =>
      services.database.withOrg(orgId, async (tx) => {
        for (const { name, isOpen } of await listConnectedScanners(tx, orgId)) {
          const startAfter = new Date(Date.now() + Math.random() * MAX_DELAY_MS);
          // A sync without an end may have died with its process.
          const options = { key: `${orgId} ${name} hourly`, ...(!isOpen && { startAfter }) };
          await services.jobs.enqueue(tx, 'scanner.sync', { orgId, scanner: name }, options);
        }
      }),
  );

async function listConnectedScanners(tx: Tx, orgId: string): Promise<{ name: ScannerName; isOpen: boolean }[]> {
  const rows = await tx.db
    .selectFrom('integration')
    .where('org_id', '=', orgId)
    .where('status', '<>', 'inactive')
    .select(['name', 'sync_run'])
    .orderBy('name')
    .execute();
  return rows.flatMap(({ name, sync_run }) => {
    const known = scannerName.safeParse(name);
    return known.success ? [{ name: known.data, isOpen: sync_run !== null }] : [];
  });
}
