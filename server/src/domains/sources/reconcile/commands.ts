import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { enabledRepositoryIds } from '../repositories/queries.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'reconcile.repository': { orgId: string; repositoryId: string };
  }
}

/** Queues the job that reads changes of a repository that webhooks may have missed. */
export const queueReconcile = (
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, startAfter }: { repositoryId: string; startAfter?: Date | undefined },
): Promise<void> =>
  services.jobs.enqueue(
    tx,
    'reconcile.repository',
    { orgId, repositoryId },
    { key: repositoryId, ...(startAfter && { startAfter }) },
  );

/** The same for the enabled repositories of an organization, or of those of some hosts or one installation. */
export async function queueReconciles(
  services: Services,
  tx: Tx,
  orgId: string,
  of: Parameters<typeof enabledRepositoryIds>[2] = {},
): Promise<void> {
  for (const repositoryId of await enabledRepositoryIds(tx, orgId, of))
    await queueReconcile(services, tx, orgId, { repositoryId });
}
