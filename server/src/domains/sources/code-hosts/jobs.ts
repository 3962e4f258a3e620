import type { Provider } from '@sightline/contract/core/providers.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import { queueRepositorySync, syncRepositories } from './commands.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    /** Jobs queued by an earlier release have no provider. */
    'installation.sync': { orgId: string; provider?: Provider; installationId: string };
  }
}

export const codeHostJobs = (services: Services): JobDefinition[] => [
  { name: 'installation.sync', handle: (data) => sync(services, data as JobData['installation.sync']) },
];

async function sync(
  services: Services,
  { orgId, provider = 'github', installationId }: JobData['installation.sync'],
): Promise<void> {
  try {
    await syncRepositories(services, orgId, provider, installationId);
  } catch (error) {
    if (error instanceof HostLimited) {
      await services.database.withOrg(orgId, (tx) =>
        queueRepositorySync(services, tx, orgId, { provider, installationId, startAfter: error.until }),
      );
    } else if (error instanceof HostRefused) {
      // The app was uninstalled or suspended in the meantime; its webhook updates the row.
      services.log.warn({ orgId, provider, installationId, err: error }, 'a code host refused to list repositories');
    } else {
      throw error;
    }
  }
}
