import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { Publication } from '#core/topics.ts';
import type { Tx } from '#database/database.ts';
import { wouldLockOut } from './deprovision.ts';
import { highestRole } from './roles.ts';

const signInActor = { integration: 'sign-in' } as const;

/**
 * Gives a member the role of the groups that the identity provider reported. A role that groups gave before ends with
 * them: the member becomes a Code Contributor. Other roles stay. The directory decides about its own users, and the last
 * owner keeps the role.
 */
export async function applyReportedGroups(
  { services, tx, orgId }: Publication,
  { accountId, groups }: { accountId: string; groups: readonly string[] },
): Promise<void> {
  const [member] = await tx.query<{ role_id: RoleId; given: RoleId | null; roles: RoleId[] | null }>({
    name: 'directory.member-with-groups',
    text: `select m.role_id, g.role_id as given,
             (select array_agg(r.role_id) from group_role r
              where r.org_id = $1 and r.group_name = any(array(select lower(name) from unnest($3::text[]) name))) as roles
           from member m left join group_given_role g on g.org_id = m.org_id and g.account_id = m.account_id
           where m.org_id = $1 and m.account_id = $2 and m.status <> 'deactivated'
             and not exists (select from directory_user u where u.org_id = $1 and u.account_id = $2)`,
    values: [orgId, accountId, groups],
  });
  if (!member) return;
  const role = highestRole(member.roles ?? []);
  if (role === undefined && member.given === null) return;
  const after = role ?? 'rol_contributor';
  const isDemotion = member.role_id === 'rol_owner' && after !== 'rol_owner';
  if (isDemotion && (await wouldLockOut({ services, tx, orgId }, accountId)) !== null) return;
  await saveGivenRole(tx, { orgId, accountId, role });
  if (after === member.role_id) return;
  await tx.db
    .updateTable('member')
    .set({ role_id: after })
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .execute();
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: signInActor,
    entry: {
      action: 'member.role_changed',
      subject: { kind: 'member', id: accountId },
      data: { before: { role: member.role_id }, after: { role: after } },
    },
  });
  tx.afterCommit(() => {
    services.memberships.forget(accountId);
    services.realtime.cut(accountId, orgId);
    services.realtime.notifyOrganization(orgId, 'orgMembers', { accountId });
  });
}

/** Remembers which role groups gave, so that it ends with them. */
const saveGivenRole = (
  { db }: Tx,
  { orgId, accountId, role }: { orgId: string; accountId: string; role: RoleId | undefined },
): Promise<unknown> =>
  role === undefined
    ? db.deleteFrom('group_given_role').where('org_id', '=', orgId).where('account_id', '=', accountId).execute()
    : db
        .insertInto('group_given_role')
        .values({ org_id: orgId, account_id: accountId, role_id: role })
        .onConflict((conflict) => conflict.columns(['org_id', 'account_id']).doUpdateSet({ role_id: role }))
        .execute();
