import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { endScans } from './complete-scans.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'scans.interrupted': Record<string, never>;
  }
}

export const findingsJobs = (services: Services): JobDefinition[] => [
  { name: 'scans.interrupted', handle: () => endInterrupted(services), cron: '* * * * *' },
];

/**
 * Ends scans whose process died while it received results. Scheduled imports start again on their own; uploads have
 * their own job.
 */
export async function endInterrupted(services: Services): Promise<void> {
  await forEachOrganization(
    services,
    { job: 'scans.interrupted', organizations: 'select orgs_with_interrupted_scans() as id' },
    async (orgId) => {
      const scans = await services.database.withOrg(orgId, (tx) =>
        tx.query<{ id: string }>({
          name: 'scans.interrupted',
          // A scan that is being matched is locked by its process, however long that takes.
          text: `select id from scan where org_id = $1 and upload_id is null and state in ('receiving', 'matching')
                 and touched_at < now() - interval '30 seconds' for update skip locked`,
          values: [orgId],
        }),
      );
      if (scans.length === 0) return;
      const ids = scans.map(({ id }) => id);
      await endScans(services, orgId, ids, 'The import was interrupted and nothing was imported. Upload it again.');
    },
  );
}
