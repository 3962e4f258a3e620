import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostLimited } from '#providers/code-host.ts';
import { queuePushes } from './due.ts';
import { readPushes } from './refetch.ts';
import { workOff } from './work.ts';

export const changeJobs = (services: Services): JobDefinition[] => [
  {
    name: 'changes.make',
    handle: (data) => workOff(services, (data as JobData['changes.make']).orgId),
    concurrency: 2,
    expireMinutes: 60,
  },
  {
    name: 'changes.pushes',
    handle: (data) => pushesOf(services, data as JobData['changes.pushes']),
    expireMinutes: 60,
  },
];

async function pushesOf(services: Services, { orgId, repositoryId }: JobData['changes.pushes']): Promise<void> {
  try {
    await readPushes(services, orgId, repositoryId);
  } catch (error) {
    if (!(error instanceof HostLimited)) throw error;
    await services.database.withOrg(orgId, (tx) => queuePushes(services, tx, orgId, { repositoryId, at: error.until }));
  }
}
