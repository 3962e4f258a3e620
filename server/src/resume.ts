import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { resumeImports } from './features/imports/commands.ts';
import { nobody } from './features/webhooks/nobody.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'work.resume': Record<string, never>;
  }
}

/** A process that died for good, or a database that was away for a moment, may have kept a job from being queued. */
export const resumeJobs = (services: Services): JobDefinition[] => [
  { name: 'work.resume', handle: () => resumeWork(services), cron: '*/5 * * * *' },
];

/** Queues what a start owes: what was left behind, and what the clock asked for while nothing ran. */
export async function catchUp(services: Services): Promise<void> {
  await resumeWork(services);
  await services.database.global(async (tx) => {
    await services.jobs.enqueue(tx, 'webhook.forget', {}, { key: 'all' });
    await services.jobs.enqueue(tx, 'events.forget', {}, { key: 'all' });
    await services.jobs.enqueue(tx, 'events.copies', {}, { key: 'all' });
    await services.jobs.enqueue(tx, 'events.copies.forget', {}, { key: 'all' });
    await services.jobs.enqueue(tx, 'checkmarx.everybody', {}, { key: 'all' });
  });
}

/** Queues again the work that a crash may have left behind; what is queued already is not queued twice. */
async function resumeWork(services: Services): Promise<void> {
  const { database, jobs } = services;
  const { rows } = await database.pool.query<{ id: string }>('select orgs_with_unfinished_work() as id');
  for (const { id } of rows.filter((row) => row.id !== nobody)) {
    await database.withOrg(id, async (tx) => {
      await resumeImports(services, tx, id);
      await jobs.enqueue(tx, 'webhook.work', { orgId: id }, { key: id });
      await jobs.enqueue(tx, 'events.index', { orgId: id }, { key: id });
      await jobs.enqueue(tx, 'events.refield', { orgId: id }, { key: id });
    });
  }
}
