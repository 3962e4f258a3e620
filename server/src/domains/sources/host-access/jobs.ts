import { ACCESS_POLLING_HOURS } from '@sightline/evidence/controls/access-polling.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import { enabledRepositoryIds, withEnabledRepositories } from '../repositories/queries.ts';
import { queueAccess, storeAccess } from './commands.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'host-access.all': Record<string, never>;
  }
}

export const hostAccessJobs = (services: Services): JobDefinition[] => [
  {
    name: 'host-access.read',
    handle: (data) => readOne(services, data as JobData['host-access.read']),
    concurrency: 2,
  },
  { name: 'host-access.all', handle: () => readAll(services), cron: `22 */${ACCESS_POLLING_HOURS} * * *` },
];

/** Reads who has access to a repository. A failed request stores nothing, and is repeated; a refused one by the next poll. */
async function readOne(
  services: Services,
  { orgId, repositoryId, trigger }: JobData['host-access.read'],
): Promise<void> {
  const found = await services.recordedBranches(orgId, repositoryId);
  const { host, ref, provider } = found?.place ?? {};
  const [branch] = found?.branches ?? [];
  if (!host?.evidence?.accessOf || !ref || !provider || branch === undefined) return;
  const capturedAt = new Date().toISOString();
  try {
    const access = await host.evidence.accessOf(ref, branch);
    await services.database.withOrg(orgId, (tx) =>
      storeAccess(services, tx, orgId, { repositoryId, provider, capturedAt, trigger, access }),
    );
  } catch (error) {
    if (error instanceof HostRefused) {
      services.log.warn({ err: error, orgId, repositoryId }, 'the code host refused to tell who has access');
      return;
    }
    if (!(error instanceof HostLimited)) throw error;
    await services.database.withOrg(orgId, (tx) =>
      queueAccess(services, tx, orgId, { repositoryId, trigger, startAfter: error.until }),
    );
  }
}

const readAll = (services: Services): Promise<void> =>
  forEachOrganization(services, { job: 'host-access.all', ...withEnabledRepositories }, (orgId) =>
    services.database.withOrg(orgId, async (tx) => {
      for (const id of await enabledRepositoryIds(tx, orgId))
        await queueAccess(services, tx, orgId, { repositoryId: id, trigger: 'poll' });
    }),
  );
