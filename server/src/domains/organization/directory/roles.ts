import type { RoleId } from '@sightline/contract/core/permissions.ts';

/** From the most to the least powerful. A user of several groups gets the first of their roles. */
const byPower: readonly RoleId[] = ['rol_owner', 'rol_reviewer', 'rol_auditor', 'rol_contributor'];

/** The most powerful of several roles; undefined for none. */
export const highestRole = (roles: readonly RoleId[]): RoleId | undefined =>
  byPower.find((role) => roles.includes(role));
