import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { permissions, type RoleId, roleIds, roleNames } from '../core/permissions.ts';

/** One sentence about each role. */
export const roleDescriptions: Record<RoleId, string> = {
  rol_owner: 'Manages the organization: members, repositories, integrations and settings.',
  rol_contributor: 'Contributes code: sees repositories and their own activity.',
  rol_reviewer: 'Reviews activity: has read access and signs off digests.',
  rol_auditor: 'Reads evidence. Has no write access.',
};

/** The default role grants few permissions, so a careless invitation does not create an owner. */
export const defaultRole: RoleId = 'rol_contributor';

/** The role of a member or an invitation. */
export const roleRef = z.object({ id: z.enum(roleIds), name: z.string(), description: z.string() });
export type RoleRef = z.infer<typeof roleRef>;
export const roleRefOf = (id: RoleId): RoleRef => ({ id, name: roleNames[id], description: roleDescriptions[id] });

const role = roleRef.extend({
  isAccountOwner: z.boolean(),
  isCodeContributor: z.boolean(),
  permissions: z.array(z.enum(permissions)),
  /** Whether the role can be assigned now. Auditor requires business roles. */
  assignable: z.boolean(),
  /** The initial selection in forms. */
  default: z.boolean(),
});
export type Role = z.infer<typeof role>;

export const listRoles = endpoint({
  method: 'GET',
  path: '/v2/auth0mgm/roles',
  summary: 'Lists the roles with their permissions.',
  scope: 'organization',
  permission: 'read:org',
  response: z.array(role),
});
