import { sql } from 'kysely';
import { recordAuditEntry } from '#core/audit.ts';
import { endGrants } from '../../identity/extensions/commands.ts';
import { endSessions } from '../../identity/sessions/commands.ts';
import { type DirectoryScope, directoryActor, type WithheldReason } from './scope.ts';

/**
 * Why the organization would be locked out without this member: its last active owner, or with single sign-on its last
 * break-glass owner. Null if it would not. Locks the organization, so that changes of owners are serialized.
 */
export async function wouldLockOut({ tx, orgId }: DirectoryScope, accountId: string): Promise<WithheldReason | null> {
  const [row] = await tx.query<{ sso: boolean; break_glass: boolean; owner: boolean; owners: number; glass: number }>({
    name: 'directory.would-lock-out',
    text: `with locked as (select id, sso_connection from organization where id = $1 for no key update),
             owner as (select account_id, break_glass from member
               where org_id = $1 and role_id = 'rol_owner' and status = 'active')
           select l.sso_connection is not null as sso,
             exists (select from owner where account_id = $2) as owner,
             exists (select from owner where account_id = $2 and break_glass) as break_glass,
             (select count(*)::int from owner where account_id <> $2) as owners,
             (select count(*)::int from owner where account_id <> $2 and break_glass) as glass
           from locked l`,
    values: [orgId, accountId],
  });
  if (!row?.owner) return null;
  if (row.owners === 0) return 'last_owner';
  return row.sso && row.break_glass && row.glass === 0 ? 'last_break_glass_owner' : null;
}

/**
 * Ends the access of a member whom the directory deactivated: the membership, the extensions, access keys and open
 * invitations, and the sessions that the account has for this organization alone. All of it takes effect with the commit.
 */
export async function deprovisionMember(scope: DirectoryScope, accountId: string): Promise<void> {
  const { services, tx, orgId } = scope;
  const [member] = await tx.query<{ role_id: string; status: string; email: string }>({
    name: 'directory.deactivate-member',
    text: `update member m set status = 'deactivated',
             last_activity_at = case when o.status = 'active' then coalesce(m.last_activity_at, m.created_at) else m.last_activity_at end
           from member o join account a on a.id = o.account_id
           where m.org_id = $1 and m.account_id = $2 and m.status <> 'deactivated' and o.org_id = $1 and o.account_id = $2
           returning m.role_id, o.status, lower(a.email) as email`,
    values: [orgId, accountId],
  });
  if (!member) return;
  const which = { accountId, reason: 'directory' };
  const grants = await endGrants(services, tx, orgId, { actor: directoryActor, which });
  const keys = await revokeKeys(scope, accountId);
  await revokeInvitations(scope, member.email);
  const sessions = await endOwnSessions(scope, accountId);
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: directoryActor,
    entry: {
      action: 'member.deprovisioned',
      subject: { kind: 'member', id: accountId },
      data: {
        before: { role: member.role_id, status: member.status },
        after: { role: member.role_id, status: 'deactivated' },
        sessions,
        extensions: grants,
        accessKeys: keys,
      },
    },
  });
  tx.afterCommit(() => {
    services.memberships.forget(accountId);
    services.realtime.cut(accountId, orgId);
    services.realtime.notifyOrganization(orgId, 'orgMembers', { accountId });
  });
}

async function revokeKeys({ tx, orgId }: DirectoryScope, accountId: string): Promise<number> {
  const { numUpdatedRows } = await tx.db
    .updateTable('access_key')
    .set({ revoked_at: sql<Date>`now()` })
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** A person who left must not come back by an invitation that is still open. */
const revokeInvitations = ({ tx, orgId }: DirectoryScope, email: string) =>
  tx.db
    .updateTable('invitation')
    .set({ revoked_at: sql<Date>`now()` })
    .where('org_id', '=', orgId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('declined_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();

/**
 * Ends all sessions of an account that is a member of no other organization, otherwise those that began with the
 * single sign-on of this one. Other sessions remain, without access to this organization.
 */
async function endOwnSessions({ services, tx, orgId }: DirectoryScope, accountId: string): Promise<number> {
  const rows = await tx.query<{ id: string }>({
    name: 'directory.sessions-to-end',
    text: `select s.id from account_session s where s.account_id = $2 and s.ended_at is null and (
             not is_member_elsewhere($2, $1)
             or s.connection = (select sso_connection from organization where id = $1))`,
    values: [orgId, accountId],
  });
  const ids = new Set(rows.map(({ id }) => id));
  return ids.size === 0 ? 0 : endSessions(services, tx, accountId, (id) => ids.has(id));
}
