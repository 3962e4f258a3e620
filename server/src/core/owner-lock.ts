import type { RoleId } from '@sightline/contract/core/permissions.ts';
import type { Tx } from '#database/database.ts';
import type { Actor } from './actor.ts';
import { Archived, Forbidden } from './errors.ts';

/** An organization as it is while it is locked. */
export interface LockedOrganization {
  archivedAt: Date | null;
  displayName: string;
  description: string;
  /** The role that the actor has now: they may have been given another since the request came in. */
  roleId: RoleId;
}

/**
 * Locks the organization until the transaction ends, so that one change of who is in it happens after the other. Throws 403
 * where the actor is no member any more.
 */
export async function lockOrganization({ db }: Tx, { orgId, accountId }: Actor): Promise<LockedOrganization> {
  const organization = await db
    .selectFrom('organization')
    .select(['archived_at as archivedAt', 'display_name as displayName', 'description'])
    .where('id', '=', orgId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const member = await db
    .selectFrom('member')
    .select('role_id')
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .where('status', '<>', 'deactivated')
    .executeTakeFirst();
  if (!organization || !member) throw Forbidden('You are not a member of this organization.');
  return { ...organization, roleId: member.role_id as RoleId };
}

/** Locks the organization for a change that only its owners make. Throws 403 for others, 409 where it is archived. */
export async function requireOwner(tx: Tx, actor: Actor): Promise<LockedOrganization> {
  const organization = await requireOwnerOfAny(tx, actor);
  if (organization.archivedAt !== null) throw Archived();
  return organization;
}

/** The same, also where the organization is archived. */
export async function requireOwnerOfAny(tx: Tx, actor: Actor): Promise<LockedOrganization> {
  const organization = await lockOrganization(tx, actor);
  if (organization.roleId !== 'rol_owner') throw Forbidden('Only an Account Owner can do this.', 'update:org');
  return organization;
}
