import type { HostPermission } from '@sightline/contract/sources/host-access.ts';
import { z } from 'zod';
import type { HostUser } from '../host-facts.ts';
import { hostId, user } from './shapes.ts';

// A custom role contains one of these permissions, and GitHub lists all that a permission includes.
const permissions = z.object({
  pull: z.boolean().default(true),
  triage: z.boolean().default(false),
  push: z.boolean().default(false),
  maintain: z.boolean().default(false),
  admin: z.boolean().default(false),
});

const permissionFrom = ({ triage, push, maintain, admin }: z.output<typeof permissions>): HostPermission =>
  admin ? 'admin' : maintain ? 'maintain' : push ? 'write' : triage ? 'triage' : 'read';

const collaborator = z.looseObject({ id: hostId, login: z.string(), permissions });

export interface GithubCollaborator {
  id: string;
  user: HostUser;
  permission: HostPermission;
}

/** Parses a collaborator. Throws ZodError for anything else. */
export function collaboratorFrom(json: unknown): GithubCollaborator {
  const { id, permissions: given } = collaborator.parse(json);
  return { id, user: user.parse(json), permission: permissionFrom(given) };
}

const account = z.looseObject({ id: hostId });

/** Parses the ID of an account or team. */
export const idFrom = (json: unknown): string => account.parse(json).id;

const team = z.looseObject({
  id: hostId,
  slug: z.string(),
  permission: z.string(),
  permissions: permissions.nullish(),
});
const teamPermissions: Readonly<Record<string, HostPermission>> = {
  pull: 'read',
  triage: 'triage',
  push: 'write',
  maintain: 'maintain',
  admin: 'admin',
};

export interface GithubTeam {
  id: string;
  slug: string;
  permission: HostPermission;
}

/** Parses a team with its permission on a repository. */
export function teamFrom(json: unknown): GithubTeam {
  const { id, slug, permission, permissions: given } = team.parse(json);
  return { id, slug, permission: given ? permissionFrom(given) : (teamPermissions[permission] ?? 'read') };
}

const deployKey = z.looseObject({
  id: hostId,
  title: z.string().default(''),
  read_only: z.boolean(),
  added_by: z.string().nullish(),
  enabled: z.boolean().default(true),
});

export interface GithubKey {
  id: string;
  title: string;
  permission: HostPermission;
  /** Login of the account that added it; null if GitHub does not know it. */
  addedBy: string | null;
}

/** Parses a deploy key; undefined for a disabled one. */
export function keyFrom(json: unknown): GithubKey | undefined {
  const { id, title, read_only: isReadOnly, added_by: addedBy, enabled } = deployKey.parse(json);
  return enabled ? { id, title, permission: isReadOnly ? 'read' : 'write', addedBy: addedBy ?? null } : undefined;
}

const installation = z.looseObject({
  id: hostId,
  app_id: hostId,
  app_slug: z.string().default(''),
  repository_selection: z.string(),
  permissions: z.record(z.string(), z.string()).default({}),
  suspended_at: z.string().nullish(),
});

export interface GithubInstalledApp {
  /** ID of the app. */
  id: string;
  slug: string;
  permission: HostPermission;
  hasAllRepositories: boolean;
}

/** Parses the installation of an app; undefined if it is suspended. */
export function installedAppFrom(json: unknown): GithubInstalledApp | undefined {
  const found = installation.parse(json);
  if (found.suspended_at) return undefined;
  const { administration, contents } = found.permissions;
  return {
    id: found.app_id,
    slug: found.app_slug,
    permission: administration === 'write' ? 'admin' : contents === 'write' ? 'write' : 'read',
    hasAllRepositories: found.repository_selection === 'all',
  };
}

export const installationsPage = z.looseObject({ installations: z.array(z.unknown()) });

const repository = z.looseObject({ owner: z.looseObject({ type: z.string().nullish() }) });

/** Whether a repository belongs to an organization. */
export const isOfOrganization = (json: unknown): boolean => repository.parse(json).owner.type === 'Organization';

const named = z.looseObject({ id: hostId, slug: z.string().nullish() });
const protection = z.looseObject({
  enforce_admins: z.looseObject({ enabled: z.boolean().default(false) }).nullish(),
  required_pull_request_reviews: z
    .looseObject({
      bypass_pull_request_allowances: z
        .looseObject({
          users: z.array(named).default([]),
          teams: z.array(named).default([]),
          apps: z.array(named).default([]),
        })
        .nullish(),
    })
    .nullish(),
});

/** Who can bypass the protection of a branch. `teams` by slug, the others by ID. */
export interface GithubBypass {
  admins: boolean;
  users: readonly string[];
  teams: readonly string[];
  apps: readonly string[];
}

/** Parses the bypass list of a protected branch. */
export function bypassFrom(json: unknown): GithubBypass {
  const found = protection.parse(json);
  const allowed = found.required_pull_request_reviews?.bypass_pull_request_allowances;
  return {
    admins: found.enforce_admins?.enabled !== true,
    users: allowed?.users.map(({ id }) => id) ?? [],
    teams: allowed?.teams.flatMap(({ slug }) => slug ?? []) ?? [],
    apps: allowed?.apps.map(({ id }) => id) ?? [],
  };
}
