import { z } from 'zod';
import { provider } from '../core/providers.ts';

/** What has access to a repository on a code host. A `key` is a deploy key. */
export const holderKinds = ['person', 'team', 'key', 'app'] as const;
export const holderKind = z.enum(holderKinds);
export type HolderKind = z.infer<typeof holderKind>;

export const holderKindNames: Readonly<Record<HolderKind, string>> = {
  person: 'Account',
  team: 'Team',
  key: 'Deploy key',
  app: 'App',
};

/** Permissions on code hosts, lowest first. A role of a host is the highest of these that it contains. */
export const hostPermissions = ['read', 'triage', 'write', 'maintain', 'admin'] as const;
export const hostPermission = z.enum(hostPermissions);
export type HostPermission = z.infer<typeof hostPermission>;

export const hostPermissionNames: Readonly<Record<HostPermission, string>> = {
  read: 'Read',
  triage: 'Triage',
  write: 'Write',
  maintain: 'Maintain',
  admin: 'Administer',
};

/**
 * How an account, team or app obtains its access: as a collaborator, as an outside collaborator, through the
 * organization or one of its teams, or as an owner of the organization. `selected`: an app with selected repositories,
 * which the host does not name.
 */
export const accessRoutes = ['direct', 'outside', 'organization', 'owner', 'selected'] as const;
export const accessRoute = z.enum(accessRoutes);
export type AccessRoute = z.infer<typeof accessRoute>;

/** `name`: login, slug or title. `person`: who the account belongs to, or who added the deploy key. */
export const accessHolder = z.object({
  id: z.string(),
  provider,
  kind: holderKind,
  name: z.string(),
  person: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
});
export type AccessHolder = z.infer<typeof accessHolder>;

/** The parts in which a code host reports access. */
export const accessParts = ['people', 'teams', 'keys', 'apps', 'owners', 'bypass'] as const;
export type AccessPart = (typeof accessParts)[number];

/** `forbidden`: the host denied access to the part. `not_offered`: the host has nothing of the kind, or no API for it. */
export type AccessPartState = 'read' | 'forbidden' | 'not_offered';
