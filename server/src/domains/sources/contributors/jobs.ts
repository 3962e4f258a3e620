import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { HostLimited } from '#providers/code-host.ts';
import { enabledRepositoryIds, withEnabledRepositories } from '../repositories/queries.ts';
import { queueMailmap } from './commands.ts';
import { readMailmap } from './read-mailmap.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'contributors.nightly': Record<string, never>;
  }
}

export const contributorJobs = (services: Services): JobDefinition[] => [
  {
    name: 'contributors.mailmap',
    repeats: true,
    handle: (data) => readOne(services, data as JobData['contributors.mailmap']),
    concurrency: 2,
  },
  // Covers pushes without a webhook, and email addresses that were unknown at the last read.
  { name: 'contributors.nightly', handle: () => readAll(services), cron: '47 2 * * *' },
];

async function readOne(services: Services, { orgId, repositoryId }: JobData['contributors.mailmap']): Promise<void> {
  try {
    await readMailmap(services, orgId, repositoryId);
  } catch (error) {
    if (!(error instanceof HostLimited)) throw error;
    await services.database.withOrg(orgId, (tx) =>
      queueMailmap(services, tx, orgId, { repositoryId, startAfter: error.until }),
    );
  }
}

const readAll = (services: Services): Promise<void> =>
  forEachOrganization(services, { job: 'contributors.nightly', ...withEnabledRepositories }, (orgId) =>
    services.database.withOrg(orgId, async (tx) => {
      for (const id of await enabledRepositoryIds(tx, orgId))
        await queueMailmap(services, tx, orgId, { repositoryId: id });
    }),
  );
