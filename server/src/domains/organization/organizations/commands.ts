import { randomBytes } from 'node:crypto';
import {
  type Organization,
  soleOwnerMessage,
  type updateOrganization,
} from '@sightline/contract/organization/organizations.ts';
import type { z } from 'zod';
import type { AccountActor, Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Forbidden, NotFound, Refusal } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { endGrants } from '../../identity/extensions/commands.ts';
import { personOfAccount, recordMemberLeft } from '../members/commands.ts';
import { findActionScene, lockActionScene } from '../members/queries.ts';
import { archiveOwnOrganization } from './archive.ts';
import { countOwnedOrganizations, findOrganization } from './queries.ts';

export { archiveOwnOrganization };

/** Maximum organizations that an account can own, as a limit for scripts. */
const mostOwned = 20;

/** Throws 403 with the reason if the account may not create an organization. */
export async function requireMayCreateOrganization(services: Services, actor: AccountActor): Promise<void> {
  if (services.config.ORGANIZATION_CREATION === 'operator')
    throw Forbidden('Only the operator of this server creates organizations. Ask the operator for one.');
  await checkMayOwn(services, actor);
}

async function checkMayOwn({ database }: Services, actor: AccountActor): Promise<void> {
  const account = await database.global(({ db }) =>
    db.selectFrom('account').select('email_verified_at').where('id', '=', actor.accountId).executeTakeFirst(),
  );
  if (!account?.email_verified_at) throw Forbidden('Confirm your email address first, then create an organization.');
  const owned = await database.withAccount({ id: actor.accountId, email: actor.email }, (tx) =>
    countOwnedOrganizations(tx, actor.accountId),
  );
  if (owned >= mostOwned) throw Forbidden(`You own ${owned} organizations, which is the limit.`);
}

/**
 * Creates an organization with an account as its active owner. `isDemo`: its data is generated, and it can be removed.
 * Throws 403 if the account may not own another one.
 */
export async function createOwnedOrganization(
  services: Services,
  actor: AccountActor,
  displayName: string,
  { isDemo = false } = {},
): Promise<Organization> {
  await checkMayOwn(services, actor);
  const id = newId();
  return services.database.withOrg(id, async (tx) => {
    await insertOrganization(tx, { id, name: displayName, createdBy: actor.accountId, isDemo });
    await tx.db
      .insertInto('member')
      .values({ org_id: id, account_id: actor.accountId, role_id: 'rol_owner', status: 'active' })
      .execute();
    const personId = await personOfAccount(services, tx, id, actor.accountId);
    await recordAuditEntry(tx, {
      people: services.people,
      orgId: id,
      actor: { ...actor, personId },
      entry: {
        action: 'organization.created',
        subject: { kind: 'organization', id },
        data: { after: { displayName } },
      },
    });
    tx.afterCommit(() => services.memberships.forget(actor.accountId));
    return findOrganization(tx, { orgId: id, roleId: 'rol_owner' });
  });
}

/** Changes name and description. An update without changes is not recorded. */
export async function updateOrganizationProfile(
  services: Services,
  actor: Actor,
  { id, displayName, description }: z.output<typeof updateOrganization.body>,
): Promise<Organization> {
  const { orgId } = actor;
  if (id !== undefined && id !== orgId) throw NotFound('Organization');
  return services.database.withOrg(orgId, async (tx) => {
    const before = await requireOwner(tx, actor);
    if (before.displayName !== displayName || before.description !== description) {
      await tx.db
        .updateTable('organization')
        .set({ name: displayName, display_name: displayName, description })
        .where('id', '=', orgId)
        .execute();
      await recordAuditEntry(tx, {
        people: services.people,
        orgId,
        actor,
        entry: {
          action: 'organization.updated',
          subject: { kind: 'organization', id: orgId },
          data: {
            before: { displayName: before.displayName, description: before.description },
            after: { displayName, description },
          },
        },
      });
      tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgSettings', {}));
    }
    return findOrganization(tx, actor);
  });
}

/** Ends the membership of the actor. Throws 409 for the only owner. */
export async function endOwnMembership(services: Services, actor: Actor): Promise<void> {
  const { orgId, accountId } = actor;
  await services.database.withOrg(orgId, async (tx) => {
    await lockActionScene(tx, actor);
    const gone = await tx.db
      .deleteFrom('member')
      .where('org_id', '=', orgId)
      .where('account_id', '=', accountId)
      .where('status', '<>', 'deactivated')
      .returning('role_id')
      .executeTakeFirst();
    if (!gone) throw NotFound('Membership');
    if (gone.role_id === 'rol_owner' && (await findActionScene(tx, actor)).activeOwners === 0) {
      throw new Refusal('sole_owner', soleOwnerMessage, {
        cause: 'An organization needs an account owner who has signed in and is not deactivated.',
      });
    }
    await endGrants(services, tx, orgId, { actor, which: { accountId, reason: 'left' } });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'member.left',
        subject: { kind: 'member', id: accountId },
        data: { before: { role: gone.role_id } },
      },
    });
    await recordMemberLeft(services, tx, actor);
    tx.afterCommit(() => {
      services.memberships.forget(accountId);
      services.realtime.cut(accountId);
      services.realtime.notifyOrganization(orgId, 'orgMembers', { accountId });
    });
  });
}

async function insertOrganization(
  tx: Tx,
  { id, name, createdBy, isDemo }: { id: string; name: string; createdBy: string; isDemo: boolean },
): Promise<void> {
  const slug = slugOf(name);
  const values = { id, name, slug, display_name: name, created_by: createdBy, is_demo: isDemo };
  const inserted = await tx.db
    .insertInto('organization')
    .values(values)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 1n) return;
  await tx.db
    .insertInto('organization')
    .values({ ...values, slug: `${slug}-${randomBytes(4).toString('hex')}` })
    .execute();
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'organization';
