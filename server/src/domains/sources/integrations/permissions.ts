import type { Tx } from '#database/database.ts';

/** The names of app permissions on GitHub by key. */
const names = {
  administration: 'Administration',
  members: 'Members',
  organization_administration: 'Administration of the organization',
  checks: 'Checks',
  statuses: 'Commit statuses',
  contents: 'Contents',
  pull_requests: 'Pull requests',
  security_events: 'Code scanning alerts',
  vulnerability_alerts: 'Dependabot alerts',
  secret_scanning_alerts: 'Secret scanning alerts',
} as const;
export type GithubPermission = keyof typeof names;

const accessFacts = 'who and what has access to repositories';
/** What needs a permission, if its name does not tell; all of them read only. */
const needs: Partial<Record<GithubPermission, string>> = {
  administration: `branch protection and ${accessFacts}`,
  members: accessFacts,
  organization_administration: accessFacts,
};
/** Permissions that accounts of people do not have. */
const ofOrganizations: ReadonlySet<GithubPermission> = new Set(['members', 'organization_administration']);

export interface MissingPermissions {
  /** A sentence for each permission that an active installation lacks. */
  sentences: string[];
  /** The page of each installation on which an owner on GitHub grants permissions. */
  links: { label: string; href: string }[];
}

export async function findMissingPermissions(
  tx: Tx,
  orgId: string,
  required: readonly GithubPermission[],
): Promise<MissingPermissions> {
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
    const granted = permissions as Record<string, string>;
    // Bound by a release that did not store permissions: they are unknown.
    if (Object.keys(granted).length === 0) return [];
    const isOrganization = html_url.includes('/organizations/');
    const missing = required.filter(
      (permission) => granted[permission] === undefined && (isOrganization || !ofOrganizations.has(permission)),
    );
    return missing.length === 0 ? [] : [{ account, href: `${html_url}/permissions/update`, missing }];
  });
  return {
    sentences: lacking.flatMap(({ account, missing }) =>
      missing.map(
        (permission) =>
          `The app has no access to “${names[permission]}” of ${account}${needOf(permission)}. An owner there can grant it in the settings of the app on GitHub.`,
      ),
    ),
    links: lacking.map(({ account, href }) => ({ label: `Review permissions of ${account}`, href })),
  };
}

const needOf = (permission: GithubPermission): string => {
  const need = needs[permission];
  return need === undefined ? '' : `, which it needs to read ${need}`;
};
