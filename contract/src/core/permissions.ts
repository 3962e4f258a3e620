/**
 * The permissions of each role. `own` limits a permission to the member's own data; queries apply the limit, not
 * handlers.
 */
export type PermissionScope = 'all' | 'own';

export const permissions = [
  'create:invitation',
  'delete:policies',
  'read:bitbucket-repos',
  'read:commit-digest',
  'read:events',
  'read:github-repos',
  'read:gitlab-repos',
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
export type Permission = (typeof permissions)[number];

/** Each permission as an action, to complete 'A Code Contributor may …'. */
export const permissionTexts: Record<Permission, string> = {
  'create:invitation': 'Invite people and revoke invitations',
  'delete:policies': 'Archive policies',
  'read:bitbucket-repos': 'See repositories on Bitbucket and their pull requests',
  'read:commit-digest': 'Read the commit digest',
  'read:events': 'Explore the timeline of events',
  'read:github-repos': 'See repositories on GitHub and their pull requests',
  'read:gitlab-repos': 'See repositories on GitLab and their pull requests',
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

/**
 * The permission to read repositories of each code host and their contents. Members see only the hosts that they may
 * read.
 */
export const repositoryPermissions = {
  github: 'read:github-repos',
  gitlab: 'read:gitlab-repos',
  bitbucket: 'read:bitbucket-repos',
} as const satisfies Record<string, Permission>;
export const readRepositories = Object.values(repositoryPermissions);

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
