import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { InstallationKey } from '../installations/queries.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'host-hooks.settle': { orgId: string; repositoryId: string };
    'host-hooks.forget': { orgId: string } & InstallationKey;
  }
}

/** Queues the job that creates or removes our webhook of a repository, according to its state at commit. */
export const queueHookSync = (
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, startAfter }: { repositoryId: string; startAfter?: Date | undefined },
): Promise<void> =>
  services.jobs.enqueue(
    tx,
    'host-hooks.settle',
    { orgId, repositoryId },
    { key: repositoryId, ...(startAfter && { startAfter }) },
  );

/** Queues that job for every enabled repository of an installation without a webhook at the host. */
export async function queueMissingHooks(
  services: Services,
  tx: Tx,
  orgId: string,
  { provider, installationId }: InstallationKey,
): Promise<void> {
  if (provider === 'github') return;
  const rows = await tx.db
    .selectFrom('repository as r')
    .leftJoin('code_host_hook as h', (join) =>
      join.onRef('h.org_id', '=', 'r.org_id').onRef('h.repository_id', '=', 'r.id'),
    )
    .where('r.org_id', '=', orgId)
    .where('r.provider', '=', provider)
    .where('r.installation_id', '=', installationId)
    .where('r.tracked', '=', true)
    .where('r.removed_at', 'is', null)
    .where('h.host_hook_id', 'is', null)
    .select('r.id')
    .execute();
  for (const { id } of rows) await queueHookSync(services, tx, orgId, { repositoryId: id });
}

/** Queues the removal of the webhooks of a disconnected installation, and then of its credentials. */
export const queueHookRemoval = (
  services: Services,
  tx: Tx,
  orgId: string,
  {
    installationKey: { provider, installationId },
    startAfter,
  }: { installationKey: InstallationKey; startAfter?: Date | undefined },
): Promise<void> =>
  services.jobs.enqueue(
    tx,
    'host-hooks.forget',
    { orgId, provider, installationId },
    { key: `${orgId} ${provider} ${installationId}`, ...(startAfter && { startAfter }) },
  );

/** Records that the host signs deliveries of this webhook. Unsigned deliveries are rejected from now on. */
export const requireSignatures = ({ database }: Services, orgId: string, hookId: string): Promise<void> =>
  database.withOrg(orgId, async ({ db }) => {
    await db
      .updateTable('code_host_hook')
      .set({ signed_at: sql`now()` })
      .where('org_id', '=', orgId)
      .where('id', '=', hookId)
      .where('signed_at', 'is', null)
      .execute();
  });
