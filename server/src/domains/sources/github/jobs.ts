import { isArchived } from '#core/archived.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { uninstallApp } from './disconnect.ts';
import { refreshInstallationState } from './installation-state.ts';
import { requestRedeliveries } from './redeliveries.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'github.recover-missed-webhooks': Record<string, never>;
  }
}

export const githubJobs = (services: Services): JobDefinition[] => [
  {
    name: 'github.uninstall',
    retries: 8,
    handle: ({ orgId, installationId }: JobData['github.uninstall']) => uninstallApp(services, orgId, installationId),
  },
  // GitHub does not retry failed webhooks.
  {
    name: 'github.recover-missed-webhooks',
    handle: () => recoverMissedWebhooks(services),
    cron: '1 */6 * * *',
    expireMinutes: 60,
  },
];

async function recoverMissedWebhooks(services: Services): Promise<void> {
  try {
    await forEachOrganization(
      services,
      {
        job: 'github.recover-missed-webhooks',
        organizations: 'select orgs_with_installations($1) as id',
        values: ['github'],
      },
      (orgId) => refreshInstallationStates(services, orgId),
    );
  } finally {
    await requestRedeliveries(services);
  }
}

async function refreshInstallationStates(services: Services, orgId: string): Promise<void> {
  const installations = await services.database.withOrg(orgId, async (tx) =>
    (await isArchived(tx, orgId))
      ? []
      : tx.db
          .selectFrom('installation')
          .where('org_id', '=', orgId)
          .where('provider', '=', 'github')
          .where('deleted_at', 'is', null)
          .select('installation_id')
          .execute(),
  );
  for (const { installation_id: id } of installations) await refreshInstallationState(services, orgId, id);
}
