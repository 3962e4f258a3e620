import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostLimited } from '#providers/code-host.ts';
import { queueHookRemoval, queueHookSync } from './commands.ts';
import { removeHooksOfInstallation } from './forget.ts';
import { syncHook } from './sync-hook.ts';

export const hostHookJobs = (services: Services): JobDefinition[] => [
  {
    name: 'host-hooks.settle',
    retries: 8,
    async handle({ orgId, repositoryId }: JobData['host-hooks.settle']) {
      await unlessLimited(
        () => syncHook(services, orgId, repositoryId),
        (until) =>
          services.database.withOrg(orgId, (tx) =>
            queueHookSync(services, tx, orgId, { repositoryId, startAfter: until }),
          ),
      );
    },
  },
  {
    name: 'host-hooks.forget',
    async handle({ orgId, ...key }: JobData['host-hooks.forget']) {
      const requeue = (until: Date) =>
        services.database.withOrg(orgId, (tx) =>
          queueHookRemoval(services, tx, orgId, { installationKey: key, startAfter: until }),
        );
      try {
        await unlessLimited(() => removeHooksOfInstallation(services, orgId, key), requeue);
      } catch (error) {
        // A host may be unavailable for longer than the retries of the queue.
        services.log.warn({ orgId, ...key, err: error }, 'webhooks could not be removed yet');
        await requeue(new Date(Date.now() + hour));
      }
    },
  },
];

const hour = 3_600_000;

async function unlessLimited(work: () => Promise<void>, requeue: (until: Date) => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof HostLimited)) throw error;
    await requeue(error.until);
  }
}
