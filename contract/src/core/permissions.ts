import { type Provider, providerNames, providers } from './providers.ts';

/**
 * The permissions of each role. `own` limits a permission to the member's own data; queries apply the limit, not
 * handlers.
 */
export type PermissionScope = 'all' | 'own';

const otherPermissions = [
  'create:invitation',
  'delete:policies',
  'read:commit-digest',
  'read:events',
  'read:invitations',
  'read:org',
  'read:org-members',
  'read:policies',
  'read:policies-status',
  'update:org',
  'write:policies',
  'read:vulnerabilities',
  'write:findings',
  'approve:exceptions',
  'read:evidence',
  'create:evidence',
  'manage:integrations',
  'read:audit-log',
] as const;
type RepositoryPermission = `read:${Provider}-repos`;
export type Permission = (typeof otherPermissions)[number] | RepositoryPermission;

const permissionFor = <Host extends Provider>(host: Host): `read:${Host}-repos` => `read:${host}-repos`;

/** The permissions to read the repositories of each available code host and their contents. */
export const readRepositories: readonly RepositoryPermission[] = providers.map(permissionFor);
export const permissions: readonly Permission[] = [...otherPermissions, ...readRepositories];

/** The permission for the repositories of a code host. Members see only the hosts that they may read. */
export const repositoryPermissions = Object.fromEntries(
  Object.keys(providerNames).map((host) => [host, permissionFor(host as Provider)]),
) as Readonly<Record<Provider, RepositoryPermission>>;

/** Each permission as an action, to complete 'A Code Contributor may …'. */
export const permissionTexts: Readonly<Record<Permission, string>> = {
  ...(Object.fromEntries(
    Object.entries(providerNames).map(([host, name]) => [
      permissionFor(host as Provider),
      `See repositories on ${name} and their pull requests`,
    ]),
  ) as Record<RepositoryPermission, string>),
  'create:invitation': 'Invite people and revoke invitations',
  'delete:policies': 'Archive policies',
  'read:commit-digest': 'Read the commit digest',
  'read:events': 'Explore the timeline of events',
  'read:invitations': 'See open invitations',
  'read:org': 'See the organization and its settings',
  'read:org-members': 'See members and their connected extensions',
  'read:policies': 'Read policies',
  'read:policies-status': 'See policy compliance',
  'update:org': 'Change settings and members, archive the organization',
  'write:policies': 'Create and update policies',
  'read:vulnerabilities': 'See vulnerabilities',
  'write:findings': 'Triage findings',
  'approve:exceptions': 'Approve waivers and changes that weaken policies',
  'read:evidence': 'Read reports and snapshots',
  'create:evidence': 'Create reports and snapshots, sign off digests and access reviews',
  'manage:integrations': 'Connect code hosts and scanners, enable repositories',
  'read:audit-log': 'Read the audit log',
};

export const roleIds = ['rol_owner', 'rol_contributor', 'rol_reviewer', 'rol_auditor'] as const;
export type RoleId = (typeof roleIds)[number];

export const roleNames: Record<RoleId, string> = {
  rol_owner: 'Account Owner',
  rol_contributor: 'Code Contributor',
  rol_reviewer: 'Digest Reviewer',
  rol_auditor: 'Auditor',
};

type Grants = Partial<Record<Permission, PermissionScope>>;

const all = (...names: Permission[]): Grants => Object.fromEntries(names.map((name) => [name, 'all']));
const own = (...names: Permission[]): Grants => Object.fromEntries(names.map((name) => [name, 'own']));

const reading = ['read:org', 'read:org-members', 'read:events', 'read:commit-digest', 'read:policies'] as const;
const evidence = ['read:policies-status', 'read:vulnerabilities', 'read:evidence', 'read:audit-log'] as const;

/** The permission table of the specification's answers, section 4. Everything else is denied. */
export const grants: Record<RoleId, Grants> = {
  rol_owner: all(...permissions),
  rol_contributor: {
    ...all('read:org', 'read:policies', 'read:policies-status'),
    ...own(...readRepositories, 'read:events', 'read:commit-digest', 'read:vulnerabilities', 'write:findings'),
  },
  rol_reviewer: all(...reading, ...readRepositories, ...evidence, 'approve:exceptions', 'create:evidence'),
  rol_auditor: all(...reading, ...readRepositories, ...evidence, 'read:invitations'),
};

/** The scope of a role's permission; undefined without the permission. */
export const permissionScopeOf = (role: RoleId, permission: Permission): PermissionScope | undefined =>
  grants[role][permission];
