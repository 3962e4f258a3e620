import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { HostLimited } from '#providers/code-host.ts';
import { queueAlertImport } from './commands.ts';
import { importRepositoryAlerts } from './import-alerts.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'alerts.nightly': Record<string, never>;
  }
}

export const alertJobs = (services: Services): JobDefinition[] => [
  {
    name: 'alerts.read',
    repeats: true,
    handle: (data) => readRepository(services, data as JobData['alerts.read']),
    concurrency: 2,
    expireMinutes: 60,
  },
  // Imports changes whose webhook was not delivered.
  { name: 'alerts.nightly', handle: () => queueAllRepositories(services), cron: '41 2 * * *' },
];

async function readRepository(
  services: Services,
  { orgId, repositoryId, after }: JobData['alerts.read'],
): Promise<void> {
  const queue = (options: { after?: string | undefined; startAfter?: Date }) =>
    services.database.withOrg(orgId, (tx) => queueAlertImport(services, tx, orgId, { repositoryId, ...options }));
  try {
    const next = await importRepositoryAlerts(services, orgId, repositoryId, after);
    if (next !== undefined) await queue({ after: next });
  } catch (error) {
    if (!(error instanceof HostLimited)) throw error;
    await queue({ after, startAfter: error.until });
  }
}

const queueAllRepositories = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'alerts.nightly', organizations: `select orgs_with_enabled_repositories('github') as id` },
    (orgId) =>
      services.database.withOrg(orgId, async (tx) => {
        const repositories = await tx.db
          .selectFrom('repository')
          .where('org_id', '=', orgId)
          .where('provider', '=', 'github')
          .where('tracked', '=', true)
          .where('removed_at', 'is', null)
          .select('id')
          .execute();
        for (const { id } of repositories) await queueAlertImport(services, tx, orgId, { repositoryId: id });
      }),
  );
