import { type Organization, RESTORE_PERIOD_DAYS } from '@sightline/contract/organization/organizations.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Refusal } from '#core/errors.ts';
import { requireOwner, requireOwnerAlsoIfArchived } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findOrganization, restorableUntil } from './queries.ts';
import { organizationRestored } from './topics.ts';

/**
 * Makes the organization read-only: owners can still read, all other members are deactivated and disconnected at once,
 * and imports stop. Webhooks are still stored, and processed after a restore.
 */
export function archiveOwnOrganization(services: Services, actor: Actor): Promise<Organization> {
  const { orgId } = actor;
  return services.database.withOrg(orgId, async (tx) => {
    await requireOwner(tx, actor);
    const { numUpdatedRows } = await tx.db
      .updateTable('member')
      .set({ status_before_archive: sql`status`, status: 'deactivated' })
      .where('org_id', '=', orgId)
      .where('role_id', '<>', 'rol_owner')
      .where('status', '<>', 'deactivated')
      .executeTakeFirstOrThrow();
    await tx.db
      .updateTable('organization')
      .set({ archived_at: sql`now()`, archived_by: actor.accountId })
      .where('id', '=', orgId)
      .execute();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'organization.archived',
        subject: { kind: 'organization', id: orgId },
        data: {
          membersDeactivated: Number(numUpdatedRows),
          restorableDays: RESTORE_PERIOD_DAYS,
          before: { archived: false },
          after: { archived: true },
        },
      },
    });
    announce(services, tx, orgId);
    return findOrganization(tx, actor);
  });
}

/** Reverts archiving: restores the status of the members it deactivated, and processes the stored webhooks. */
export function restoreOwnOrganization(services: Services, actor: Actor): Promise<Organization> {
  const { orgId } = actor;
  return services.database.withOrg(orgId, async (tx) => {
    await checkRestorable(tx, actor);
    const { numUpdatedRows } = await tx.db
      .updateTable('member')
      .set(({ ref }) => ({ status: ref('status_before_archive').$notNull(), status_before_archive: null }))
      .where('org_id', '=', orgId)
      .where('status_before_archive', 'is not', null)
      .executeTakeFirstOrThrow();
    await tx.db
      .updateTable('organization')
      .set({ archived_at: null, archived_by: null })
      .where('id', '=', orgId)
      .execute();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'organization.restored',
        subject: { kind: 'organization', id: orgId },
        data: {
          membersReactivated: Number(numUpdatedRows),
          before: { archived: true },
          after: { archived: false },
        },
      },
    });
    await services.topics.publish({ services, tx, orgId }, organizationRestored, {});
    announce(services, tx, orgId);
    return findOrganization(tx, actor);
  });
}

async function checkRestorable(tx: Tx, actor: Actor): Promise<void> {
  const { archivedAt } = await requireOwnerAlsoIfArchived(tx, actor);
  if (archivedAt === null) throw Conflict('This organization is not archived.');
  if (Date.now() < restorableUntil(archivedAt).getTime()) return;
  throw new Refusal('conflict', 'This organization can no longer be restored.', {
    cause: `It was archived on ${archivedAt.toISOString().slice(0, 10)}, more than ${RESTORE_PERIOD_DAYS} days ago.`,
  });
}

const announce = ({ memberships, realtime }: Services, tx: Tx, orgId: string) =>
  tx.afterCommit(() => {
    memberships.forgetOrganization(orgId);
    // Disconnects all members: owners reconnect automatically, the others are refused.
    realtime.cutOrganization(orgId);
  });
