import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { sql } from 'kysely';
import type { AccountActor, Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Forbidden, NotFound, Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Publication } from '#core/topics.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { type Invitation, type InvitationKey, readInvitation } from '../../identity/invitation-tickets/queries.ts';
import { joinMember, personOfAccount } from '../members/commands.ts';
import { checkMemberAction, lockActionScene } from '../members/queries.ts';

/** Makes the account of a presented invitation a member. Throws the errors of `acceptInvitation`. */
export async function joinByInvitation(
  { services, tx }: Publication,
  { account, key }: { account: AccountActor; key: InvitationKey },
): Promise<void> {
  const invitation = await readInvitation(tx, key, true);
  if (!invitation) throw NotFound('Invitation');
  if (invitation.email !== account.email.toLowerCase()) {
    throw Forbidden('This invitation was sent to another email address.');
  }
  const member = await tx.db
    .selectFrom('member')
    .select('status')
    .where('org_id', '=', key.orgId)
    .where('account_id', '=', account.accountId)
    .executeTakeFirst();
  if (member?.status === 'deactivated') {
    throw Forbidden('Your membership was deactivated. Ask an Account Owner to reinstate it.');
  }
  if (invitation.state !== 'open') {
    if (member) return;
    throw over();
  }
  await close(tx, invitation, 'accepted_at');
  if (!member) await joinMember(services, tx, { account, ...invitation, data: { invitation: invitation.id } });
}

/**
 * Declines an invitation for the invited account, once. Throws the same 404 for an unknown invitation and for one sent
 * to another address, and 410 if it is no longer open.
 */
export async function declineInvitation(
  services: Services,
  account: AccountActor,
  { orgId, invitationId }: { orgId: string; invitationId: string },
): Promise<void> {
  const { database, people, realtime } = services;
  await database.withOrg(orgId, async (tx) => {
    const invitation = await readInvitation(tx, { orgId, id: invitationId }, true);
    if (!invitation || invitation.email !== account.email.toLowerCase()) throw NotFound('Invitation');
    if (invitation.state !== 'open') throw over();
    await close(tx, invitation, 'declined_at');
    const personId = await personOfAccount(services, tx, orgId, account.accountId);
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor: { ...account, personId },
      entry: {
        action: 'invitation.declined',
        subject: { kind: 'invitation', id: invitationId },
        data: { role: invitation.roleId },
        personal: { email: account.email },
      },
    });
    const { email, invitedBy } = invitation;
    const notification = { type: 'invitation.declined', invitationId, email, invitedBy } as const;
    await raiseNotifications(services, tx, orgId, { actor: { ...account, personId }, notifications: [notification] });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgMembers', {}));
  });
}

/** Revokes an invitation. Throws 404 if it does not exist, 409 if it was already answered or revoked. */
export async function revokeInvitation(services: Services, actor: Actor, id: string): Promise<void> {
  const { orgId } = actor;
  const { database, people, realtime } = services;
  await database.withOrg(orgId, async (tx) => {
    const scene = await lockActionScene(tx, actor);
    const row = await tx.db
      .selectFrom('invitation')
      .select(['email', 'role_id'])
      .select((is) => sql<boolean>`${is.ref('expires_at')} > now()`.as('pending'))
      .select(({ and, eb }) =>
        and([eb('accepted_at', 'is', null), eb('declined_at', 'is', null), eb('revoked_at', 'is', null)]).as('open'),
      )
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw NotFound('Invitation');
    if (!row.open) throw Conflict('This invitation was already answered or revoked.');
    const roleId = row.role_id as RoleId;
    const status = row.pending ? 'pending' : 'outdated';
    checkMemberAction('revoke', { userId: null, invitationId: id, email: row.email, roleId, status }, scene);
    await close(tx, { orgId, id }, 'revoked_at');
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: {
        action: 'invitation.revoked',
        subject: { kind: 'invitation', id },
        data: { role: roleId },
        personal: { email: row.email },
      },
    });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgMembers', {}));
  });
}

const over = () => new Refusal('invitation_expired', 'This invitation expired or was already used.');

const close = (
  { db }: Tx,
  { orgId, id }: Pick<Invitation, 'orgId' | 'id'>,
  column: 'accepted_at' | 'declined_at' | 'revoked_at',
) =>
  db
    .updateTable('invitation')
    .set({ [column]: sql`now()` })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
