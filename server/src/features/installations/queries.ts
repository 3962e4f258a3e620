import type { Provider } from '@sightline/contract/repositories.ts';
import type { Tx } from '#database/database.ts';

export interface BoundInstallation {
  suspendedAt: Date | null;
  accountLogin: string;
  /** Null for an app. */
  grantId: string | null;
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
    .select(['suspended_at as suspendedAt', 'account_login as accountLogin', 'grant_id as grantId'])
    .executeTakeFirst();
}
