import type { Tx } from '#database/database.ts';

/** What an app's permission is called on GitHub, by its key. */
const names = {
  administration: 'Administration',
  checks: 'Checks',
  statuses: 'Commit statuses',
  contents: 'Contents',
  pull_requests: 'Pull requests',
  security_events: 'Code scanning alerts',
  vulnerability_alerts: 'Dependabot alerts',
  secret_scanning_alerts: 'Secret scanning alerts',
} as const;
export type GithubPermission = keyof typeof names;

export interface Lacked {
  /** A sentence for each permission that a working installation of the organization was not given. */
  sentences: string[];
  /** Where an owner on GitHub accepts what the app asks for, once for each installation. */
  links: { label: string; href: string }[];
}

export async function lackedBy(tx: Tx, orgId: string, wanted: readonly GithubPermission[]): Promise<Lacked> {
  const installations = await tx.db
    .selectFrom('installation')
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is', null)
    .select(['account_login', 'html_url', 'permissions'])
    .orderBy('account_login')
    .execute();
  const lacking = installations.flatMap(({ account_login: account, html_url, permissions }) => {
    const given = permissions as Record<string, string>;
    // Bound before permissions were kept: what it may read is not known.
    if (Object.keys(given).length === 0) return [];
    const lacked = wanted.filter((permission) => given[permission] === undefined);
    return lacked.length === 0 ? [] : [{ account, href: `${html_url}/permissions/update`, lacked }];
  });
  return {
    sentences: lacking.flatMap(({ account, lacked }) =>
      lacked.map(
        (permission) =>
          `The app has no access to “${names[permission]}” of ${account}. An owner there can grant it in the settings of the app on GitHub.`,
      ),
    ),
    links: lacking.map(({ account, href }) => ({ label: `Review permissions of ${account}`, href })),
  };
}
