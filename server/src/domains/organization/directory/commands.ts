import type { RoleId } from '@sightline/contract/core/permissions.ts';
import {
  type connectDirectory,
  type Directory,
  type GroupRoles,
  PREVIOUS_TOKEN_HOURS,
  type updateDirectory,
} from '@sightline/contract/organization/directory.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { type AuditActor, type AuditEntry, recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { createOrgSecret } from '#core/org-secrets.ts';
import { requireOwner, requireOwnerAlsoIfArchived } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findDirectory, findGroupRoles } from './queries.ts';
import { directoryTokenKind } from './token.ts';

interface Change {
  services: Services;
  tx: Tx;
  orgId: string;
  actor: AuditActor;
}

interface TokenAnswer {
  /** Shown only once: only its hash is stored. */
  token: string;
  directory: Directory;
}

type DirectoryConnection = z.output<typeof connectDirectory.body>;

/** Connects a directory. Throws 409 if one is connected. */
export const connectDirectoryOf = (
  services: Services,
  actor: Actor,
  connection: DirectoryConnection,
): Promise<TokenAnswer> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    return insertDirectory({ services, tx, orgId: actor.orgId, actor }, { ...connection, createdBy: actor.accountId });
  });

/** Inserts a directory for a member or the operator. Throws 409 if one is connected. */
export async function insertDirectory(
  change: Change,
  { product, defaultRole, createdBy }: DirectoryConnection & { createdBy: string | null },
): Promise<TokenAnswer> {
  const { services, tx, orgId } = change;
  const { secret: token, hash } = createOrgSecret(directoryTokenKind, orgId);
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('directory')
    .values({
      org_id: orgId,
      product,
      default_role: defaultRole,
      token_hash: hash,
      token_end: token.slice(-4),
      created_by: createdBy,
    })
    .onConflict((conflict) => conflict.column('org_id').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw Conflict('A directory is connected already. Disconnect it first.');
  await record(change, { action: 'directory.connected', data: { product, after: { defaultRole } } });
  return { token, directory: await findDirectory(services, tx, orgId) };
}

type GivenRoles = z.output<typeof updateDirectory.body>['groupRoles'];

/** Changes the default role and the roles of groups. Throws 404 without a directory. */
export const updateDirectoryOf = (
  services: Services,
  actor: Actor,
  { defaultRole, groupRoles }: z.output<typeof updateDirectory.body>,
): Promise<Directory> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    const { orgId } = actor;
    const { defaultRole: before } = await findDirectory(services, tx, orgId);
    await tx.db.updateTable('directory').set({ default_role: defaultRole }).where('org_id', '=', orgId).execute();
    await saveRoles({ services, tx, orgId, actor }, groupRoles, { before, after: defaultRole });
    return findDirectory(services, tx, orgId);
  });

/** Changes the roles of groups, with or without a directory. */
export const updateGroupRolesOf = (services: Services, actor: Actor, roles: GivenRoles): Promise<GroupRoles> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    await saveRoles({ services, tx, orgId: actor.orgId, actor }, roles);
    return findGroupRoles(services, tx, actor.orgId);
  });

/** Saves the roles of groups, and applies them to the users of a directory in a job. Throws 400 for a group named twice. */
async function saveRoles(
  change: Change,
  given: GivenRoles,
  defaultRole?: { before: RoleId | null; after: RoleId | null },
): Promise<void> {
  const { services, tx, orgId } = change;
  const { roles: rolesBefore } = await findGroupRoles(services, tx, orgId);
  const roles = given.map(({ group, roleId }) => ({ group: group.toLowerCase(), roleId }));
  if (new Set(roles.map(({ group }) => group)).size < roles.length)
    throw Invalid('groupRoles', 'contains one group twice');
  const [before, after] = [rolesBefore, roles].map((list) =>
    list.map(({ group, roleId }) => `${group}: ${roleId}`).toSorted(),
  );
  if (JSON.stringify(before) === JSON.stringify(after) && defaultRole?.before === defaultRole?.after) return;
  await tx.db.deleteFrom('group_role').where('org_id', '=', orgId).execute();
  if (roles.length > 0) {
    await tx.db
      .insertInto('group_role')
      .values(roles.map(({ group, roleId }) => ({ org_id: orgId, group_name: group, role_id: roleId })))
      .execute();
  }
  // The job compares every user with the directory: users without a change are cheap.
  await tx.db.updateTable('directory_user').set({ is_due: true }).where('org_id', '=', orgId).execute();
  await services.jobs.enqueue(tx, 'directory.apply', { orgId }, { key: orgId });
  const defaults = defaultRole && [{ defaultRole: defaultRole.before }, { defaultRole: defaultRole.after }];
  await record(change, {
    action: 'directory.roles_changed',
    data: { before: { groups: before ?? [], ...defaults?.[0] }, after: { groups: after ?? [], ...defaults?.[1] } },
  });
}

/** Creates a new token. */
export const rotateTokenOf = (
  services: Services,
  actor: Actor,
  { revokePrevious }: { revokePrevious: boolean },
): Promise<TokenAnswer> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwner(tx, actor);
    return rotateToken({ services, tx, orgId: actor.orgId, actor }, revokePrevious);
  });

/** Creates a new token for a member or the operator. Throws 404 without a directory. */
export async function rotateToken(change: Change, revokePrevious: boolean): Promise<TokenAnswer> {
  const { services, tx, orgId } = change;
  const { secret: token, hash } = createOrgSecret(directoryTokenKind, orgId);
  const until = revokePrevious ? null : sql<Date>`now() + make_interval(hours => ${PREVIOUS_TOKEN_HOURS})`;
  const { numUpdatedRows } = await tx.db
    .updateTable('directory')
    .set((eb) => ({
      previous_hash: revokePrevious ? null : eb.ref('token_hash'),
      previous_until: until,
      token_hash: hash,
      token_end: token.slice(-4),
      token_at: sql<Date>`now()`,
    }))
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw NotFound('Directory');
  await record(change, { action: 'directory.token_rotated', data: { previousRevoked: revokePrevious } });
  return { token, directory: await findDirectory(services, tx, orgId) };
}

/** Disconnects the directory. Members keep their access. Throws 404 without a directory. */
export const disconnectDirectoryOf = (services: Services, actor: Actor): Promise<null> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    await requireOwnerAlsoIfArchived(tx, actor);
    await deleteDirectory({ services, tx, orgId: actor.orgId, actor });
    return null;
  });

/** Deletes the directory for a member or the operator, with its users and groups. */
export async function deleteDirectory(change: Change): Promise<void> {
  const { tx, orgId } = change;
  const { numDeletedRows } = await tx.db.deleteFrom('directory').where('org_id', '=', orgId).executeTakeFirst();
  if (numDeletedRows !== 1n) throw NotFound('Directory');
  await record(change, { action: 'directory.disconnected', data: {} });
}

async function record(
  { services, tx, orgId, actor }: Change,
  { action, data }: { action: AuditEntry['action']; data: NonNullable<AuditEntry['data']> },
): Promise<void> {
  const entry = { action, subject: { kind: 'organization', id: orgId } as const, data };
  await recordAuditEntry(tx, { people: services.people, orgId, actor, entry });
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: 'directory' }));
}
