import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

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
