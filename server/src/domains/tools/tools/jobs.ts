import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { HostLimited } from '#providers/code-host.ts';
import { withEnabledRepositories } from '../../sources/repositories/queries.ts';
import { queueToolScan } from './commands.ts';
import { scanRepositoryTools } from './scan/scan.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'tools.nightly': Record<string, never>;
    'tools.resume': Record<string, never>;
  }
}

export const toolJobs = (services: Services): JobDefinition[] => [
  {
    name: 'tools.scan',
    repeats: true,
    handle: (data) => runScan(services, data as JobData['tools.scan']),
    concurrency: 2,
    expireMinutes: 60,
  },
  // Updates which tools still exist, and detects pushes without a webhook.
  { name: 'tools.nightly', handle: () => queueScans(services, 'tools.nightly'), cron: '17 3 * * *' },
  // Resumes scans of processes that died.
  { name: 'tools.resume', handle: () => queueScans(services, 'tools.resume'), cron: '*/10 * * * *' },
];

async function runScan(services: Services, { orgId, repositoryId }: JobData['tools.scan']): Promise<void> {
  try {
    await scanRepositoryTools(services, { orgId, repositoryId });
  } catch (error) {
    if (!(error instanceof HostLimited)) throw error;
    await services.database.withOrg(orgId, (tx) =>
      queueToolScan(services, tx, orgId, { repositoryId, startAfter: error.until }),
    );
  }
}

const STALE_AFTER = '2 hours';

const queueScans = (services: Services, job: 'tools.nightly' | 'tools.resume'): Promise<void> =>
  forEachOrganization(services, { job, ...withEnabledRepositories }, (orgId) =>
    services.database.withOrg(orgId, async (tx) => {
      const due = await tx.query<{ id: string }>({
        name: 'tools.due',
        text: `select r.id from repository r left join tool_scan s on s.org_id = $1 and s.repository_id = r.id
               where r.org_id = $1 and r.tracked and r.removed_at is null
                 and ($2 or s.state is null or (s.state in ('queued', 'running') and s.updated_at < now() - $3::interval))`,
        values: [orgId, job === 'tools.nightly', STALE_AFTER],
      });
      for (const { id } of due) await queueToolScan(services, tx, orgId, { repositoryId: id });
    }),
  );
