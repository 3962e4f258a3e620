import { type Organization, restorableDays } from '@sightline/contract/organization/organizations.ts';
import type { Provider } from '@sightline/contract/sources/repositories.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { record } from '#core/audit.ts';
import { Conflict, Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { resumeChanges } from '../../compliance/changes/commands.ts';
import { requestSync } from '../../sources/code-hosts/commands.ts';
import { resumeImports } from '../../sources/imports/commands.ts';
import { lockAsOwner } from './commands.ts';
import { findOrganization, restorableUntil } from './queries.ts';

/**
 * Makes the organisation read-only: its owners go on reading, everybody else is deactivated and cut off at once, and
 * nothing more is read in. Webhooks are still kept; they are worked off once it is restored.
 */
export function archive(services: Services, actor: Actor): Promise<Organization> {
  const { orgId } = actor;
  return services.database.withOrg(orgId, async (tx) => {
    await lockAsOwner(tx, actor);
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
    await record(tx, services.people, orgId, actor, {
      action: 'organization.archived',
      subject: { kind: 'organization', id: orgId },
      data: {
        membersDeactivated: Number(numUpdatedRows),
        restorableDays,
        before: { archived: false },
        after: { archived: true },
      },
    });
    announce(services, tx, orgId);
    return findOrganization(tx, actor);
  });
}

/** Undoes archiving: the members it deactivated are back as they were, and what came in meanwhile is worked off. */
export function restore(services: Services, actor: Actor): Promise<Organization> {
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
    await record(tx, services.people, orgId, actor, {
      action: 'organization.restored',
      subject: { kind: 'organization', id: orgId },
      data: {
        membersReactivated: Number(numUpdatedRows),
        before: { archived: true },
        after: { archived: false },
      },
    });
    await catchUp(services, tx, orgId);
    announce(services, tx, orgId);
    return findOrganization(tx, actor);
  });
}

async function checkRestorable(tx: Tx, actor: Actor): Promise<void> {
  const { archivedAt } = await lockAsOwner(tx, actor, 'archived too');
  if (archivedAt === null) throw Conflict('This organization is not archived.');
  if (Date.now() < restorableUntil(archivedAt).getTime()) return;
  throw new Refusal('conflict', 'This organization can no longer be restored.', {
    cause: `It was archived on ${archivedAt.toISOString().slice(0, 10)}, more than ${restorableDays} days ago.`,
  });
}

/** What stood still while it was archived goes on: what hosts told, unfinished imports, which repositories there are. */
async function catchUp(services: Services, tx: Tx, orgId: string): Promise<void> {
  await services.jobs.enqueue(tx, 'webhook.work', { orgId }, { key: orgId });
  await resumeImports(services, tx, orgId);
  await resumeChanges(services, tx, orgId);
  const installations = await tx.db
    .selectFrom('installation')
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .select(['provider', 'installation_id'])
    .execute();
  for (const { provider, installation_id: id } of installations) {
    await requestSync(services, tx, orgId, provider as Provider, id);
  }
}

const announce = ({ memberships, realtime }: Services, tx: Tx, orgId: string) =>
  tx.afterCommit(() => {
    memberships.forgetOrganization(orgId);
    // Everybody's: owners come back by themselves and ask anew, the others are not let in.
    realtime.cutOrganization(orgId);
  });
