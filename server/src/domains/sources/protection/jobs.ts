import type { Provider } from '@sightline/contract/core/providers.ts';
import { PROTECTION_POLLING_MINUTES } from '@sightline/evidence/controls/protection-polling.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import type { CodeHost } from '#providers/code-host.ts';
import { HostLimited } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import { enabledRepositoryIds, withEnabledRepositories } from '../repositories/queries.ts';
import { queueProtection, readProtection, storeProtectionSnapshot } from './commands.ts';

declare module '#core/services.ts' {
  interface Services {
    /** The branches in scope of a repository, and its host if connected; undefined if the repository is not enabled. */
    recordedBranches: (
      orgId: string,
      repositoryId: string,
    ) => Promise<
      { place: { host: CodeHost | undefined; ref: HostRef; provider: Provider }; branches: string[] } | undefined
    >;
  }
}

declare module '#core/jobs.ts' {
  interface JobData {
    'protection.all': Record<string, never>;
  }
}

const POLLING_MINUTE = 37;
/** Every `PROTECTION_POLLING_MINUTES`, of which a whole number makes an hour. */
const POLLING_CRON = `${Array.from(
  { length: 60 / PROTECTION_POLLING_MINUTES },
  (_, index) => (POLLING_MINUTE + index * PROTECTION_POLLING_MINUTES) % 60,
).join(',')} * * * *`;

export const protectionJobs = (services: Services): JobDefinition[] => [
  {
    name: 'protection.read',
    handle: (data) => readOne(services, data as JobData['protection.read']),
    concurrency: 2,
  },
  { name: 'protection.all', handle: () => readAll(services), cron: POLLING_CRON },
];

/** Stores a branch protection snapshot of each branch in scope. */
async function readOne(
  services: Services,
  { orgId, repositoryId, trigger }: JobData['protection.read'],
): Promise<void> {
  const found = await services.recordedBranches(orgId, repositoryId);
  const { host, ref, provider } = found?.place ?? {};
  if (!found || !host || !ref || !provider) return;
  try {
    for (const branch of found.branches) {
      const snapshot = await readProtection(host, { ref, repositoryId, branch, trigger });
      if (snapshot)
        await services.database.withOrg(orgId, (tx) => storeProtectionSnapshot(tx, orgId, snapshot, provider));
    }
  } catch (error) {
    if (!(error instanceof HostLimited)) throw error;
    await services.database.withOrg(orgId, (tx) =>
      queueProtection(services, tx, orgId, { repositoryId, trigger, startAfter: error.until }),
    );
  }
}

const readAll = (services: Services): Promise<void> =>
  forEachOrganization(services, { job: 'protection.all', ...withEnabledRepositories }, (orgId) =>
    services.database.withOrg(orgId, async (tx) => {
      for (const id of await enabledRepositoryIds(tx, orgId))
        await queueProtection(services, tx, orgId, { repositoryId: id, trigger: 'poll' });
    }),
  );
