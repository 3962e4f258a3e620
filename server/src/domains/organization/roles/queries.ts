import { permissionScopeOf, permissions, type RoleId, roleIds } from '@sightline/contract/core/permissions.ts';
import { defaultRole, type Role, roleRefOf } from '@sightline/contract/organization/roles.ts';
import { Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { FlagSubject } from '../../../providers/flag-subject.ts';

/** All roles with their permissions, and whether they are assignable. */
export async function listRolesWithPermissions(services: Services, actor: FlagSubject): Promise<Role[]> {
  const business = await services.flags.isOn('businessRoles', actor);
  return roleIds.map((id) => ({
    ...roleRefOf(id),
    isAccountOwner: id === 'rol_owner',
    isCodeContributor: id === 'rol_contributor',
    permissions: permissions.filter((permission) => permissionScopeOf(id, permission) !== undefined),
    assignable: id !== 'rol_auditor' || business,
    default: id === defaultRole,
  }));
}

/** Throws 400 if the role is not assignable. */
export async function checkRoleAssignable(
  services: Services,
  actor: FlagSubject,
  field: string,
  roleId: RoleId,
): Promise<void> {
  const role = (await listRolesWithPermissions(services, actor)).find(({ id }) => id === roleId);
  if (!role?.assignable) throw Invalid(field, 'is not an assignable role');
}
