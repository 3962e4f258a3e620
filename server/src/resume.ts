import { NIL_UUID } from '#core/ids.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { resumeImports } from './domains/sources/imports/commands.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'work.resume': Record<string, never>;
  }
}

/** A crashed process or a short database outage may have prevented a job from being queued. */
export const resumeJobs = (services: Services): JobDefinition[] => [
  { name: 'work.resume', handle: () => resumeWork(services), cron: '*/5 * * * *' },
];

/** Queues pending work at startup: interrupted work, and scheduled jobs that were due while no server ran. */
export async function queuePendingWork(services: Services): Promise<void> {
  await services.database.global(async (tx) => {
    await services.jobs.enqueue(tx, 'work.resume', {}, { key: 'all' });
    await services.jobs.enqueue(tx, 'webhook.forget', {}, { key: 'all' });
    await services.jobs.enqueue(tx, 'events.forget', {}, { key: 'all' });
    await services.jobs.enqueue(tx, 'events.copies', {}, { key: 'all' });
    await services.jobs.enqueue(tx, 'events.copies.forget', {}, { key: 'all' });
    await services.jobs.enqueue(tx, 'trackers.queue-syncs', {}, { key: 'all' });
    await services.jobs.enqueue(tx, 'scanner.queue-syncs', {}, { key: 'all' });
    await services.jobs.enqueue(tx, 'audit-streams.sweep', {}, { key: 'all' });
  });
}

/** Queues the work that a crash may have interrupted. Queued work is not duplicated. */
async function resumeWork(services: Services): Promise<void> {
  const { database, jobs } = services;
  const unfinished = {
    organizations: 'select id from orgs_with_unfinished_work() as id where id <> $1',
    values: [NIL_UUID],
  };
  await forEachOrganization(services, { job: 'work.resume', ...unfinished }, (orgId) =>
    database.withOrg(orgId, async (tx) => {
      await resumeImports(services, tx, orgId);
      await jobs.enqueue(tx, 'webhook.work', { orgId }, { key: orgId });
      await jobs.enqueue(tx, 'events.index', { orgId }, { key: orgId });
      await jobs.enqueue(tx, 'events.refield', { orgId }, { key: orgId });
    }),
  );
}
