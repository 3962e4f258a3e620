import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { Tx } from '#database/database.ts';
import { findActiveRole } from './active-role.ts';
import type { Actor } from './actor.ts';
import { Archived, Forbidden } from './errors.ts';

/** The state of an organization while it is locked. */
export interface LockedOrganization {
  archivedAt: Date | null;
  displayName: string;
  description: string;
  /** The current role of the actor, which may have changed since the request arrived. */
  roleId: RoleId;
}

/**
 * Locks the organization until the transaction ends. Commands on members call it first, so that changes of members are
 * serialized. Throws 403 if the actor is no longer a member.
 */
export async function lockOrganization(tx: Tx, { orgId, accountId }: Actor): Promise<LockedOrganization> {
  const organization = await tx.db
    .selectFrom('organization')
    .select(['archived_at as archivedAt', 'display_name as displayName', 'description'])
    .where('id', '=', orgId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const roleId = await findActiveRole(tx, orgId, accountId);
  if (!organization || !roleId) throw Forbidden('You are not a member of this organization.');
  return { ...organization, roleId };
}

/**
 * Locks the organization for a command reserved to Account Owners, such as an access key, a policy or an erasure. Throws
 * 403 for other members, 409 if it is archived.
 */
export async function requireOwner(tx: Tx, actor: Actor): Promise<LockedOrganization> {
  const organization = await requireOwnerAlsoIfArchived(tx, actor);
  if (organization.archivedAt !== null) throw Archived();
  return organization;
}

/** The same check for commands that an archived organization permits, such as restoring it. */
export async function requireOwnerAlsoIfArchived(tx: Tx, actor: Actor): Promise<LockedOrganization> {
  const organization = await lockOrganization(tx, actor);
  if (organization.roleId !== 'rol_owner') throw Forbidden('Only an Account Owner can do this.', 'update:org');
  return organization;
}
