import { isArchived } from '#core/archived.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { uninstall } from './disconnect.ts';
import { checkInstallation, redeliverFailed } from './healing.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'github.heal': Record<string, never>;
  }
}

export const githubJobs = (services: Services): JobDefinition[] => [
  {
    name: 'github.uninstall',
    retries: 8,
    handle: ({ orgId, installationId }: JobData['github.uninstall']) => uninstall(services, orgId, installationId),
  },
  // GitHub tells of nothing twice by itself.
  { name: 'github.heal', handle: () => heal(services), cron: '1 */6 * * *', expireMinutes: 60 },
];

async function heal(services: Services): Promise<void> {
  const { database } = services;
  const { rows } = await database.pool.query<{ id: string }>('select orgs_with_installations($1) as id', ['github']);
  for (const { id: orgId } of rows) {
    const installations = await database.withOrg(orgId, async (tx) =>
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
    for (const { installation_id: id } of installations) await checkInstallation(services, orgId, id);
  }
  await redeliverFailed(services);
}
