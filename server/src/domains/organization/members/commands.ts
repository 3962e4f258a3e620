import { type RoleId, roleNames } from '@sightline/contract/core/permissions.ts';
import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import type { MemberActionContext } from '@sightline/contract/organization/member-actions.ts';
import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import { type RawBuilder, sql } from 'kysely';
import type { AccountActor, Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type NewNotification, raiseNotifications } from '../../delivery/notifications/commands.ts';
import { endGrants } from '../../identity/extensions/commands.ts';
import { checkRoleAssignable } from '../roles/queries.ts';
import { checkMemberAction, findMember, findMemberSubject, lockActionScene, type MemberSubject } from './queries.ts';
import { type MembershipChange, memberChanged } from './topics.ts';

/** Changes the role of a member. Throws 409 if `oldRole` is not the current one, 400 if `newRole` is not assignable. */
export async function changeRoleOfMember(
  services: Services,
  actor: Actor,
  accountId: string,
  { oldRole, newRole }: { oldRole: RoleId; newRole: RoleId },
): Promise<MemberListItem> {
  await checkRoleAssignable(services, actor, 'newRole', newRole);
  if (oldRole === newRole) throw Invalid('newRole', 'must differ from the old role');
  return change(services, actor, accountId, async (tx, member, scene) => {
    if (member.roleId !== oldRole) {
      throw Conflict(`This role was changed to ${roleNames[member.roleId]} in the meantime.`);
    }
    checkMemberAction('changeRole', member, scene);
    await setMember(tx, actor.orgId, accountId, { role_id: newRole });
    const notification = { type: 'member.role_changed', accountId, before: oldRole, after: newRole } as const;
    const event = { did: 'role_changed', member, before: oldRole, after: newRole } as const;
    return { action: 'member.role_changed', before: { role: oldRole }, after: { role: newRole }, notification, event };
  });
}

/** Deactivates a member and ends their extension grants. */
export const deactivateMembership = (services: Services, actor: Actor, accountId: string): Promise<MemberListItem> =>
  change(services, actor, accountId, async (tx, member, scene) => {
    checkMemberAction('deactivate', member, scene);
    // Reinstating needs this: an active member has signed in, even if the time was not recorded.
    const seen = sql<Date>`case when status = 'active' then coalesce(last_activity_at, created_at) else last_activity_at end`;
    await setMember(tx, actor.orgId, accountId, { status: 'deactivated', last_activity_at: seen });
    await endGrants(services, tx, actor.orgId, { actor, which: { accountId, reason: 'deactivated' } });
    const notification = { type: 'member.deactivated', accountId, reinstated: false } as const;
    const [before, after] = [{ status: member.status }, { status: 'deactivated' }];
    return { action: 'member.deactivated', before, after, notification, event: { did: 'deactivated', member } };
  });

/** Reinstates a deactivated member: as active if they ever signed in, otherwise as accepted. */
export const reinstateMembership = (services: Services, actor: Actor, accountId: string): Promise<MemberListItem> =>
  change(services, actor, accountId, async (tx, member, scene) => {
    checkMemberAction('reinstate', member, scene);
    const status = (await hasBeenActive(tx, actor.orgId, accountId)) ? 'active' : 'accepted';
    await setMember(tx, actor.orgId, accountId, { status });
    const notification = { type: 'member.deactivated', accountId, reinstated: true } as const;
    const [before, after] = [{ status: 'deactivated' }, { status }];
    return { action: 'member.reinstated', before, after, notification, event: { did: 'reinstated', member } };
  });

/** Ends a membership. The person and their recorded data remain; the audit entry contains the name. */
export async function endMembership(services: Services, actor: Actor, accountId: string): Promise<void> {
  const { orgId } = actor;
  await services.database.withOrg(orgId, async (tx) => {
    const scene = await lockActionScene(tx, actor);
    const member = await findMemberSubject(tx, orgId, accountId);
    checkMemberAction('delete', member, scene);
    await tx.db.deleteFrom('member').where('org_id', '=', orgId).where('account_id', '=', accountId).execute();
    await endGrants(services, tx, orgId, { actor, which: { accountId, reason: 'removed' } });
    const before = { role: member.roleId, status: member.status };
    const notification = { type: 'member.left', accountId, removed: true } as const;
    await recordUpdate(services, tx, actor, {
      member,
      membershipUpdate: {
        action: 'member.removed',
        before,
        notification,
        event: { did: 'removed', member },
      },
    });
  });
}

interface MembershipUpdate {
  action: AuditAction;
  before: { readonly [key: string]: CanonicalValue };
  after?: { readonly [key: string]: CanonicalValue };
  notification: NewNotification;
  event: MembershipChange;
}

async function change(
  services: Services,
  actor: Actor,
  accountId: string,
  apply: (tx: Tx, member: MemberSubject, scene: MemberActionContext) => Promise<MembershipUpdate>,
): Promise<MemberListItem> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    const scene = await lockActionScene(tx, actor);
    const member = await findMemberSubject(tx, actor.orgId, accountId);
    await recordUpdate(services, tx, actor, { member, membershipUpdate: await apply(tx, member, scene) });
    return findMember(tx, actor, accountId);
  });
}

const setMember = (
  { db }: Tx,
  orgId: string,
  accountId: string,
  values:
    | { role_id: RoleId }
    | { status: 'active' | 'accepted' }
    | { status: 'deactivated'; last_activity_at: RawBuilder<Date> },
) => db.updateTable('member').set(values).where('org_id', '=', orgId).where('account_id', '=', accountId).execute();

const hasBeenActive = async ({ db }: Tx, orgId: string, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('member')
    .select('last_activity_at')
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .where('last_activity_at', 'is not', null)
    .executeTakeFirst()) !== undefined;

/** Records a change. From the commit on, it applies to requests and open sockets of the account. */
async function recordUpdate(
  services: Services,
  tx: Tx,
  actor: Actor,
  {
    member: { userId, name, email },
    membershipUpdate: { action, before, after, notification, event },
  }: { member: MemberSubject; membershipUpdate: MembershipUpdate },
): Promise<void> {
  const { people, memberships, realtime } = services;
  const { orgId } = actor;
  await recordAuditEntry(tx, {
    people,
    orgId,
    actor,
    entry: {
      action,
      subject: { kind: 'member', id: userId },
      data: { before, ...(after && { after }) },
      personal: { name, email },
    },
  });
  const eventId = await publishChange(services, tx, orgId, { actor, change: event });
  await raiseNotifications(services, tx, orgId, { actor, notifications: [{ ...notification, events: [eventId] }] });
  tx.afterCommit(() => {
    memberships.forget(userId);
    realtime.cut(userId, orgId);
    realtime.notifyOrganization(orgId, 'orgMembers', { accountId: userId });
  });
}

/**
 * Makes an account an accepted member, with person, audit entry and notifications. Returns false without changes if
 * it is a member already. `data` is added to the audit entry.
 */
export async function joinMember(
  services: Services,
  tx: Tx,
  {
    account,
    orgId,
    roleId,
    data = {},
  }: {
    account: AccountActor & { operator?: string };
    orgId: string;
    roleId: RoleId;
    data?: { readonly [key: string]: CanonicalValue } | undefined;
  },
): Promise<boolean> {
  const { people, memberships, realtime } = services;
  const { accountId, email } = account;
  const inserted = await tx.db
    .insertInto('member')
    .values({ org_id: orgId, account_id: accountId, role_id: roleId, status: 'accepted' })
    .onConflict((conflict) => conflict.columns(['org_id', 'account_id']).doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows !== 1n) return false;
  await closeInvitations(tx, orgId, email);
  const personId = await personOfAccount(services, tx, orgId, accountId);
  await recordAuditEntry(tx, {
    people,
    orgId,
    actor: { ...account, personId },
    entry: {
      action: account.operator === undefined ? 'member.joined' : 'member.added',
      subject: { kind: 'member', id: accountId },
      data: { ...data, after: { role: roleId, status: 'accepted' } },
      personal: { email },
    },
  });
  const event = await publishChange(services, tx, orgId, {
    actor: { personId, email },
    change: { did: 'joined', role: roleId },
  });
  const notification = { type: 'member.joined', accountId, role: roleId, events: [event] } as const;
  await raiseNotifications(services, tx, orgId, { actor: { ...account, personId }, notifications: [notification] });
  tx.afterCommit(() => {
    memberships.forget(accountId);
    realtime.notifyOrganization(orgId, 'orgMembers', { accountId });
  });
  return true;
}

/** Records in the timeline that the actor left the organization, and notifies about it. */
export async function recordMemberLeft(services: Services, tx: Tx, actor: Actor): Promise<void> {
  const { orgId, accountId } = actor;
  const event = await publishChange(services, tx, orgId, { actor, change: { did: 'left' } });
  await raiseNotifications(services, tx, orgId, {
    actor,
    notifications: [{ type: 'member.left', accountId, removed: false, events: [event] }],
  });
}

/** Publishes the change of a membership; returns the ID of its event. */
async function publishChange(
  services: Services,
  tx: Tx,
  orgId: string,
  { actor, change }: { actor: Pick<Actor, 'personId' | 'email'>; change: MembershipChange },
): Promise<string> {
  const eventId = newId();
  await services.topics.publish({ services, tx, orgId }, memberChanged, { eventId, actor, change });
  return eventId;
}

/** Closes the open invitations of a new member. */
export const closeInvitations = ({ db }: Tx, orgId: string, email: string) =>
  db
    .updateTable('invitation')
    .set({ accepted_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('email', '=', email.toLowerCase())
    .where('accepted_at', 'is', null)
    .where('declined_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();

/** The person of an account in an organization, created if missing. Matches the address with known commit authors. */
export async function personOfAccount({ people }: Services, tx: Tx, orgId: string, accountId: string): Promise<string> {
  const { email, name, picture } = await tx.db
    .selectFrom('account')
    .select(['email', 'name', 'picture'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const names = [{ kind: 'account', value: accountId } as const, { kind: 'email', value: email } as const];
  const [person] = await people.resolve(tx, orgId, [{ names, display: name, picture, source: 'sightline' }]);
  if (person === undefined) throw new Error('people.resolve answers one person for each claim');
  return person;
}
