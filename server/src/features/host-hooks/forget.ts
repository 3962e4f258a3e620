import type { Services } from '#core/services.ts';
import { forgetIdleGrant } from '../installations/commands.ts';
import type { InstallationKey } from '../installations/queries.ts';
import { settleHook } from './settle.ts';

/**
 * Takes our own webhooks of an installation that is no more away, then forgets what it was read with, unless another
 * installation is read with it. Webhooks that the host would not let us remove stay noted. Throws HostLimited, and what may
 * succeed another time; until then nothing is forgotten, since it is needed for that.
 */
export async function forgetHooks(
  services: Services,
  orgId: string,
  { provider, installationId }: InstallationKey,
): Promise<void> {
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
  for (const { repository_id } of hooks) await settleHook(services, orgId, repository_id);
  await database.withOrg(orgId, async (tx) => {
    const gone = await tx.db
      .selectFrom('installation')
      .where('org_id', '=', orgId)
      .where('provider', '=', provider)
      .where('installation_id', '=', installationId)
      .where('deleted_at', 'is not', null)
      .select('grant_id')
      .executeTakeFirst();
    if (gone?.grant_id) await forgetIdleGrant(services, tx, orgId, gone.grant_id);
  });
}
