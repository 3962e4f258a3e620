import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'findings.origins': { orgId: string; repositoryId: string };
  }
}

/** Queues a search for the commits that introduced new findings of a repository when this transaction commits. */
export const queueOriginSearch = (
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, startAfter }: { repositoryId: string; startAfter?: Date | undefined },
) =>
  services.jobs.enqueue(
    tx,
    'findings.origins',
    { orgId, repositoryId },
    { key: repositoryId, ...(startAfter && { startAfter }) },
  );

/** Repeats the search for findings without an origin, after more history was imported. */
export async function repeatOriginSearch(
  services: Services,
  tx: Tx,
  orgId: string,
  repositoryId: string,
): Promise<void> {
  await tx.db
    .updateTable('finding')
    .set({ origin_sought_at: null })
    .where('org_id', '=', orgId)
    .where('repository_id', '=', repositoryId)
    .where('introduced', 'is', null)
    .where('origin_sought_at', 'is not', null)
    .execute();
  await queueOriginSearch(services, tx, orgId, { repositoryId });
}
