import type { Provider } from '@sightline/contract/core/providers.ts';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';

export interface BoundInstallation {
  suspendedAt: Date | null;
  accountLogin: string;
  /** Null for a GitHub app. */
  grantId: string | null;
}

export interface InstallationKey {
  provider: Provider;
  installationId: string;
}

/** An active or suspended installation of this organization. */
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

/** The active and suspended installations of a host, sorted by name, with their numbers of repositories. */
export const listInstallations = ({ db }: Tx, orgId: string, provider: Provider) =>
  db
    .selectFrom('installation as i')
    .leftJoin('repository as r', (join) =>
      join
        .onRef('r.org_id', '=', 'i.org_id')
        .onRef('r.provider', '=', 'i.provider')
        .onRef('r.installation_id', '=', 'i.installation_id')
        .on('r.removed_at', 'is', null),
    )
    .where('i.org_id', '=', orgId)
    .where('i.provider', '=', provider)
    .where('i.deleted_at', 'is', null)
    .select(['i.installation_id', 'i.account_login', 'i.html_url', 'i.created_at', 'i.suspended_at'])
    .select(sql<number>`count(r.id)::int`.as('repositories'))
    .groupBy(['i.installation_id', 'i.account_login', 'i.html_url', 'i.created_at', 'i.suspended_at'])
    .orderBy('i.account_login')
    .orderBy('i.installation_id')
    .execute();
