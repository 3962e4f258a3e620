import type { Provider } from '@sightline/contract/core/providers.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import { requestSync, syncRepositories } from './commands.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    /** Without a provider where an earlier release queued it. */
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
        requestSync(services, tx, orgId, { provider, installationId, startAfter: error.until }),
      );
    } else if (error instanceof HostRefused) {
      // Uninstalled or paused meanwhile: the webhook that says so changes the row.
      services.log.warn({ orgId, provider, installationId, err: error }, 'a code host lists no repositories');
    } else {
      throw error;
    }
  }
}
