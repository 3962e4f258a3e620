import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { endScans } from './finish.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'scans.interrupted': Record<string, never>;
  }
}

export const findingsJobs = (services: Services): JobDefinition[] => [
  { name: 'scans.interrupted', handle: () => endInterrupted(services), cron: '* * * * *' },
];

/**
 * Ends scans whose process died while it received them. What asks a scanner by itself begins anew by itself; uploads are
 * resumed by their own job.
 */
export async function endInterrupted(services: Services): Promise<void> {
  const { database } = services;
  const { rows } = await database.pool.query<{ org: string }>('select orgs_with_interrupted_scans() as org');
  for (const { org } of rows) {
    const scans = await database.withOrg(org, (tx) =>
      tx.query<{ id: string }>({
        name: 'scans.interrupted',
        // One that is being matched is locked by whoever does it, however long that takes.
        text: `select id from scan where org_id = $1 and upload_id is null and state in ('receiving', 'matching')
               and touched_at < now() - interval '30 seconds' for update skip locked`,
        values: [org],
      }),
    );
    if (scans.length === 0) continue;
    const ids = scans.map(({ id }) => id);
    await endScans(services, org, ids, 'It was interrupted, and nothing of it was kept. Send it again.');
  }
}
