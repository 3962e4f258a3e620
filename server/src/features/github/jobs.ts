import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import { requestSync, syncRepositories } from './commands.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'installation.sync': { orgId: string; installationId: string };
  }
}

export const githubJobs = (services: Services): JobDefinition[] => [
  { name: 'installation.sync', handle: (data) => sync(services, data as JobData['installation.sync']) },
];

async function sync(services: Services, { orgId, installationId }: JobData['installation.sync']): Promise<void> {
  try {
    await syncRepositories(services, orgId, installationId);
  } catch (error) {
    if (error instanceof HostLimited) {
      await services.database.withOrg(orgId, (tx) => requestSync(services, tx, orgId, installationId, error.until));
    } else if (error instanceof HostRefused) {
      // Uninstalled or paused meanwhile: the webhook that says so changes the row.
      services.log.warn({ orgId, installationId, error: error.message }, 'GitHub lists no repositories');
    } else {
      throw error;
    }
  }
}
