import type { Provider } from '@sightline/contract/core/providers.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { HostLimited } from '#providers/code-host.ts';
import { queueRepositorySync } from '../code-hosts/commands.ts';
import { withEnabledRepositories } from '../repositories/queries.ts';
import { queueReconcile, queueReconciles } from './commands.ts';
import { reconcileRepository } from './reconcile.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'reconcile.all': Record<string, never>;
    'reconcile.polled': Record<string, never>;
  }
}

export const reconcileJobs = (services: Services): JobDefinition[] => [
  {
    name: 'reconcile.repository',
    repeats: true,
    handle: (data) => reconcileOne(services, data as JobData['reconcile.repository']),
    expireMinutes: 60,
  },
  { name: 'reconcile.all', handle: () => reconcileAll(services), cron: '11 */6 * * *' },
  {
    name: 'reconcile.polled',
    handle: () => reconcilePolled(services),
    cron: `*/${services.config.CODE_HOST_POLL_MINUTES} * * * *`,
  },
];

async function reconcileOne(
  services: Services,
  { orgId, repositoryId }: JobData['reconcile.repository'],
): Promise<void> {
  try {
    await reconcileRepository(services, orgId, repositoryId);
  } catch (error) {
    if (!(error instanceof HostLimited)) throw error;
    await services.database.withOrg(orgId, (tx) =>
      queueReconcile(services, tx, orgId, { repositoryId, startAfter: error.until }),
    );
  }
}

/** Queues the repository listing of each installation and the reconciliation of each enabled repository. */
const reconcileAll = (services: Services): Promise<void> =>
  forEachOrganization(services, { job: 'reconcile.all', ...withEnabledRepositories }, (orgId) =>
    services.database.withOrg(orgId, async (tx) => {
      const installations = await tx.db
        .selectFrom('installation')
        .where('org_id', '=', orgId)
        .where('deleted_at', 'is', null)
        .select(['provider', 'installation_id'])
        .execute();
      for (const { provider, installation_id } of installations) {
        await queueRepositorySync(services, tx, orgId, {
          provider: provider as Provider,
          installationId: installation_id,
        });
      }
      await queueReconciles(services, tx, orgId);
    }),
  );

/** Queues the reconciliation of each enabled repository of a host that sends no webhooks. */
async function reconcilePolled(services: Services): Promise<void> {
  const polled = [...services.codeHostModules.values()].filter(({ webhooks }) => webhooks === undefined);
  const providers = polled.map(({ provider }) => provider);
  if (providers.length === 0) return;
  await forEachOrganization(services, { job: 'reconcile.polled', ...withEnabledRepositories }, (orgId) =>
    services.database.withOrg(orgId, (tx) => queueReconciles(services, tx, orgId, { providers })),
  );
}
