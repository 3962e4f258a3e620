import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostLimited } from '#providers/code-host.ts';
import { deleteUnusedGrant } from '../installations/commands.ts';
import type { InstallationKey } from '../installations/queries.ts';
import { recordHookFailure, syncHook } from './sync-hook.ts';

/**
 * Removes our webhooks of a disconnected installation, then deletes its grant unless another installation uses it.
 * Records webhooks that the host refuses to remove. Throws HostLimited and retryable errors: the grant is then retained
 * for the next attempt, for at most three days.
 */
export async function removeHooksOfInstallation(
  services: Services,
  orgId: string,
  key: InstallationKey,
): Promise<void> {
  const { provider, installationId } = key;
  const { database } = services;
  const hooks = await database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('code_host_hook as h')
      .innerJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 'h.org_id').onRef('r.id', '=', 'h.repository_id'),
      )
      .where('h.org_id', '=', orgId)
      .where('r.provider', '=', provider)
      .where('r.installation_id', '=', installationId)
      .select('h.repository_id')
      .execute(),
  );
  for (const { repository_id } of hooks) {
    try {
      await syncHook(services, orgId, repository_id);
    } catch (error) {
      if (error instanceof HostLimited || !(await database.withOrg(orgId, (tx) => isLongDisconnected(tx, orgId, key))))
        throw error;
      const failure = 'The code host has not responded for days.';
      await database.withOrg(orgId, (tx) => recordHookFailure(tx, orgId, repository_id, failure));
    }
  }
  await database.withOrg(orgId, async (tx) => {
    const disconnected = await tx.db
      .selectFrom('installation')
      .where('org_id', '=', orgId)
      .where('provider', '=', provider)
      .where('installation_id', '=', installationId)
      .where('deleted_at', 'is not', null)
      .select('grant_id')
      .executeTakeFirst();
    if (disconnected?.grant_id) await deleteUnusedGrant(services, tx, orgId, disconnected.grant_id);
  });
}

const isLongDisconnected = async (
  { db }: Tx,
  orgId: string,
  { provider, installationId }: InstallationKey,
): Promise<boolean> => {
  const row = await db
    .selectFrom('installation')
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .where('installation_id', '=', installationId)
    .where('deleted_at', '<', sql<Date>`now() - interval '3 days'`)
    .select('installation_id')
    .executeTakeFirst();
  return row !== undefined;
};
