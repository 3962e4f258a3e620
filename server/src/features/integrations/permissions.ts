import type { Tx } from '#database/database.ts';

/** What an app's permission is called on GitHub, by its key. */
const names = {
  contents: 'Contents',
  pull_requests: 'Pull requests',
  security_events: 'Code scanning alerts',
  vulnerability_alerts: 'Dependabot alerts',
  secret_scanning_alerts: 'Secret scanning alerts',
} as const;
export type GithubPermission = keyof typeof names;

/** A sentence for each permission that a working installation of the organisation was not given. */
export async function lackedBy(tx: Tx, orgId: string, wanted: readonly GithubPermission[]): Promise<string[]> {
  const installations = await tx.db
    .selectFrom('installation')
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is', null)
    .select(['account_login', 'permissions'])
    .orderBy('account_login')
    .execute();
  return installations.flatMap(({ account_login, permissions }) => {
    const given = permissions as Record<string, string>;
    // Bound before permissions were kept: what it may read is not known.
    if (Object.keys(given).length === 0) return [];
    return wanted
      .filter((permission) => given[permission] === undefined)
      .map(
        (permission) =>
          `${account_login} does not let the app read “${names[permission]}”. An owner there can accept it in the app's settings on GitHub.`,
      );
  });
}
