import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { InstallationKey } from '../installations/queries.ts';

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

/** The same for the enabled repositories of an installation, for example after its rejected token was replaced. */
export async function queueReconcilesOf(
  services: Services,
  tx: Tx,
  orgId: string,
  { provider, installationId }: InstallationKey,
): Promise<void> {
  const enabled = await tx.db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .where('installation_id', '=', installationId)
    .where('tracked', '=', true)
    .where('removed_at', 'is', null)
    .select('id')
    .execute();
  for (const { id: repositoryId } of enabled) await queueReconcile(services, tx, orgId, { repositoryId });
}
