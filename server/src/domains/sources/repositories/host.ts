import type { RepositoryHost } from '@sightline/contract/sources/repositories.ts';
import type { Tx } from '#database/database.ts';

/** Whether the code host still grants access to a repository, since when not, and the settings page to change it. */
export async function repositoryHostOf({ db }: Tx, orgId: string, repositoryId: string): Promise<RepositoryHost> {
  const row = await db
    .selectFrom('repository as r')
    .leftJoin('installation as i', (join) =>
      join
        .onRef('i.org_id', '=', 'r.org_id')
        .onRef('i.provider', '=', 'r.provider')
        .onRef('i.installation_id', '=', 'r.installation_id'),
    )
    .leftJoin('code_host_grant as g', (join) =>
      join.onRef('g.org_id', '=', 'i.org_id').onRef('g.id', '=', 'i.grant_id'),
    )
    .where('r.org_id', '=', orgId)
    .where('r.id', '=', repositoryId)
    .select(['r.removed_at', 'i.account_login', 'i.html_url', 'i.deleted_at', 'i.suspended_at', 'g.failure'])
    .executeTakeFirstOrThrow();
  const found = (state: RepositoryHost['state'], since: Date | null = null): RepositoryHost => ({
    state,
    account: row.account_login,
    // The page of an account or group always exists; the settings page of an uninstalled app does not.
    settingsURL: state === 'removed' ? null : row.html_url,
    since: since?.toISOString() ?? null,
  });
  if (row.account_login === null || row.deleted_at) return found('removed', row.deleted_at);
  if (row.suspended_at) return found('suspended', row.suspended_at);
  if (row.failure !== null) return found('refused');
  return row.removed_at ? found('withheld', row.removed_at) : found('connected');
}
