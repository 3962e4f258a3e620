import type { Services } from '#core/services.ts';
import { resumeImports } from './features/imports/commands.ts';

/** Queues again, at the start, the work that a crash may have left behind. */
export async function resumeWork(services: Services): Promise<void> {
  const { rows } = await services.database.pool.query<{ id: string }>('select orgs_with_unfinished_work() as id');
  for (const { id } of rows) {
    await services.database.withOrg(id, async (tx) => {
      await resumeImports(services, tx, id);
      await services.jobs.enqueue(tx, 'webhook.work', { orgId: id }, { key: id });
      await services.jobs.enqueue(tx, 'events.index', { orgId: id }, { key: id });
    });
  }
}
