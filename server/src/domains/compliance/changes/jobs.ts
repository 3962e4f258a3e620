import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostLimited } from '#providers/code-host.ts';
import { enqueuePushImport } from './change-queue.ts';
import { processDueChanges } from './process-due-changes.ts';
import { processDueSessions } from './reconciliation/process-due-sessions.ts';
import { readActivityList } from './refetch.ts';

export const changeJobs = (services: Services): JobDefinition[] => [
  {
    name: 'changes.record',
    handle: (data) => processDueChanges(services, (data as JobData['changes.record']).orgId),
    concurrency: 2,
    expireMinutes: 60,
  },
  {
    name: 'changes.reconcile-agents',
    handle: (data) => processDueSessions(services, (data as JobData['changes.reconcile-agents']).orgId),
    concurrency: 2,
    expireMinutes: 60,
  },
  {
    name: 'changes.import-pushes',
    handle: (data) => importPushes(services, data as JobData['changes.import-pushes']),
    expireMinutes: 60,
  },
];

async function importPushes(
  services: Services,
  { orgId, repositoryId }: JobData['changes.import-pushes'],
): Promise<void> {
  try {
    await readActivityList(services, orgId, repositoryId);
  } catch (error) {
    if (!(error instanceof HostLimited)) throw error;
    await services.database.withOrg(orgId, (tx) =>
      enqueuePushImport(services, tx, orgId, { repositoryId, at: error.until }),
    );
  }
}
