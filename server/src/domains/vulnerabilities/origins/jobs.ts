import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostLimited } from '#providers/code-host.ts';
import { queueOriginSearch } from './commands.ts';
import { searchOrigins } from './search-origins.ts';

export const originJobs = (services: Services): JobDefinition[] => [
  {
    name: 'findings.origins',
    handle: (data) => runSearch(services, data as JobData['findings.origins']),
    expireMinutes: 60,
  },
];

async function runSearch(services: Services, { orgId, repositoryId }: JobData['findings.origins']): Promise<void> {
  try {
    await searchOrigins(services, orgId, repositoryId);
  } catch (error) {
    if (!(error instanceof HostLimited)) throw error;
    await services.database.withOrg(orgId, (tx) =>
      queueOriginSearch(services, tx, orgId, { repositoryId, startAfter: error.until }),
    );
  }
}
