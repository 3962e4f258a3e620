import type { Provider } from '@sightline/contract/repositories.ts';
import type { Place } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

export interface BoundInstallation {
  suspendedAt: Date | null;
  accountLogin: string;
}

export interface InstallationKey {
  provider: Provider;
  installationId: string;
}

/** An installation bound to this organisation, working or suspended. */
export async function maybeInstallation(
  tx: Tx,
  orgId: string,
  provider: Provider,
  installationId: string,
): Promise<BoundInstallation | undefined> {
  return tx.db
    .selectFrom('installation')
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .where('installation_id', '=', installationId)
    .where('deleted_at', 'is', null)
    .select(['suspended_at as suspendedAt', 'account_login as accountLogin'])
    .executeTakeFirst();
}

/** Who may have signed a delivery: the secret to check it with, and the organisation it is of. */
export interface Signer {
  secret: string;
  orgId: string;
}

/** By the webhook of ours that an address names, on this host; undefined for none. */
export async function maybeSigner(
  { database, secrets }: Services,
  provider: string,
  hookId: string,
): Promise<Signer | undefined> {
  const [found] = await database.global((tx) =>
    tx.query<{ org: string | null }>({
      name: 'code-hosts.org-of-hook',
      text: 'select org_of_host_hook($1::uuid) as org',
      values: [hookId],
    }),
  );
  const orgId = found?.org;
  if (!orgId) return undefined;
  const row = await database.withOrg(orgId, ({ db }) =>
    db
      .selectFrom('code_host_hook as h')
      .innerJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 'h.org_id').onRef('r.id', '=', 'h.repository_id'),
      )
      .where('h.org_id', '=', orgId)
      .where('h.id', '=', hookId)
      .where('r.provider', '=', provider)
      .select('h.secret')
      .executeTakeFirst(),
  );
  return row && { orgId, secret: secrets.open(hookPlace(orgId, hookId), row.secret).toString() };
}

/** Where the secret of a webhook of ours lives. */
export const hookPlace = (org: string, id: string): Place => ({
  org,
  table: 'code_host_hook',
  field: `secret of ${id}`,
});
