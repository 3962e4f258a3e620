import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { listVerifiedDomains } from '../../identity/sign-in-policy/queries.ts';
import { closeInvitations, personOfAccount } from '../members/commands.ts';
import { deprovisionMember, wouldLockOut } from './deprovision.ts';
import { highestRole } from './roles.ts';
import { type DirectoryScope, directoryActor, type WithheldReason } from './scope.ts';

interface UserRow {
  id: string;
  userName: string;
  email: string | null;
  name: string;
  isActive: boolean;
  accountId: string | null;
  appliedRole: RoleId | null;
  withheld: WithheldReason | null;
  /** The role that the directory gives the user; null: no access. */
  wanted: RoleId | null;
  /** `wanted` is the default role, since no group gives one. */
  isDefault: boolean;
}

/**
 * Makes the memberships of users match the directory, as far as it may: see decision 0174. Writes nothing for a user
 * whose membership matches already. The caller holds no lock of the organization.
 */
export async function applyAccess(scope: DirectoryScope, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  let domains: readonly string[] | undefined;
  for (const user of await findUsers(scope, userIds)) {
    if (user.wanted === user.appliedRole && user.withheld === null) {
      if (user.isDue)
        await saveApplied(scope, user.id, { accountId: user.accountId, role: user.wanted, withheld: null });
      continue;
    }
    domains ??= await listVerifiedDomains(scope.tx, scope.orgId);
    await applyToUser(scope, user, domains);
  }
}

async function applyToUser(scope: DirectoryScope, user: UserRow, domains: readonly string[]): Promise<void> {
  if (user.wanted === null) {
    const result = await withdrawAccess(scope, user);
    await saveApplied(scope, user.id, {
      accountId: user.accountId,
      role: result === null ? null : user.appliedRole,
      withheld: result,
    });
    return;
  }
  const account = await findOrCreateAccountOf(scope, user, domains);
  if ('withheld' in account) {
    await saveApplied(scope, user.id, {
      accountId: user.accountId,
      role: user.appliedRole,
      withheld: account.withheld,
    });
    return;
  }
  const withheld = await grantRole(scope, user, { accountId: account.id, role: user.wanted });
  await saveApplied(scope, user.id, {
    accountId: account.id,
    role: withheld === null ? user.wanted : user.appliedRole,
    withheld,
  });
}

/** Takes the access of a user away. Returns the reason if that would lock the organization out. */
export async function withdrawAccess(
  scope: DirectoryScope,
  { accountId, withheld: before }: Pick<UserRow, 'accountId' | 'withheld'>,
): Promise<WithheldReason | null> {
  if (accountId === null) return null;
  const reason = await wouldLockOut(scope, accountId);
  if (reason === null) {
    await deprovisionMember(scope, accountId);
    return null;
  }
  if (before !== reason) await reportKeptOwner(scope, accountId, reason);
  return reason;
}

/** Records and notifies that the directory could not take access away. */
async function reportKeptOwner({ services, tx, orgId }: DirectoryScope, accountId: string, reason: WithheldReason) {
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: directoryActor,
    entry: { action: 'directory.access_kept', subject: { kind: 'member', id: accountId }, data: { reason } },
  });
  await raiseNotifications(services, tx, orgId, {
    actor: directoryActor,
    notifications: [{ type: 'directory.access_kept', accountId }],
  });
}

async function findUsers(
  { tx, orgId }: DirectoryScope,
  userIds: readonly string[],
): Promise<(UserRow & { isDue: boolean })[]> {
  await lockUsers(tx, orgId, userIds);
  const rows = await tx.query<{
    id: string;
    user_name: string;
    email: string | null;
    display: string | null;
    is_active: boolean;
    is_due: boolean;
    account_id: string | null;
    applied_role: RoleId | null;
    withheld: WithheldReason | null;
    default_role: RoleId | null;
    roles: RoleId[] | null;
  }>({
    name: 'directory.users-to-apply',
    text: `select u.id, u.user_name, u.email, u.profile ->> 'display' as display, u.is_active, u.is_due, u.account_id,
             u.applied_role, u.withheld, d.default_role,
             (select array_agg(r.role_id) from directory_group_member m
              join directory_group g on g.org_id = m.org_id and g.id = m.group_id
              join group_role r on r.org_id = m.org_id and r.group_name = lower(g.display_name)
              where m.org_id = u.org_id and m.user_id = u.id) as roles
           from directory_user u join directory d on d.org_id = u.org_id
           where u.org_id = $1 and u.id = any($2::uuid[]) order by u.id`,
    values: [orgId, userIds],
  });
  return rows.map((row) => ({
    id: row.id,
    userName: row.user_name,
    email: row.email,
    name: row.display ?? row.user_name,
    isActive: row.is_active,
    isDue: row.is_due,
    accountId: row.account_id,
    appliedRole: row.applied_role,
    withheld: row.withheld,
    wanted: row.is_active ? (highestRole(row.roles ?? []) ?? row.default_role) : null,
    isDefault: (row.roles ?? []).length === 0,
  }));
}

/**
 * Locks users in a statement of its own, so that the next one sees the groups of transactions that it waited for. A
 * stronger lock would wait for every group that gets the same users at the same time, and such a group for this lock.
 */
export const lockUsers = (tx: Tx, orgId: string, userIds: readonly string[]) =>
  tx.query({
    name: 'directory.lock-users',
    text: 'select id from directory_user where org_id = $1 and id = any($2::uuid[]) order by id for no key update',
    values: [orgId, userIds],
  });

const saveApplied = (
  { tx, orgId }: DirectoryScope,
  userId: string,
  { accountId, role, withheld }: { accountId: string | null; role: RoleId | null; withheld: WithheldReason | null },
) =>
  tx.query({
    name: 'directory.save-applied',
    text: `update directory_user set account_id = $3, applied_role = $4, withheld = $5, is_due = false
           where org_id = $1 and id = $2`,
    values: [orgId, userId, accountId, role, withheld],
  });

/**
 * The account of a user: the linked one, that of a member with the same address, or one with an address of a verified
 * domain, created if there is none. A created account is unconfirmed: a person signs in to it only after proving the
 * address, by the identity provider or by email.
 */
async function findOrCreateAccountOf(
  { tx, orgId }: DirectoryScope,
  { accountId, email, name }: UserRow,
  domains: readonly string[],
): Promise<{ id: string } | { withheld: WithheldReason }> {
  if (accountId !== null) return { id: accountId };
  if (email === null) return { withheld: 'address_missing' };
  const isVerified = domains.includes(email.slice(email.lastIndexOf('@') + 1));
  const find = async () =>
    (
      await tx.query<{ id: string; is_member: boolean; is_linked: boolean }>({
        name: 'directory.account-of-address',
        text: `select a.id, exists (select from member m where m.org_id = $1 and m.account_id = a.id) as is_member,
                 exists (select from directory_user u where u.org_id = $1 and u.account_id = a.id) as is_linked
               from account a where lower(a.email) = $2 and a.merged_into is null`,
        values: [orgId, email],
      })
    )[0];
  const known = await find();
  if (known?.is_linked) return { withheld: 'address_taken' };
  if (known?.is_member) return { id: known.id };
  if (!isVerified) return { withheld: 'domain_not_verified' };
  if (known) return { id: known.id };
  await tx.query({
    name: 'directory.create-account',
    text: 'insert into account (id, email, name) values ($1, $2, $3) on conflict ((lower(email))) do nothing',
    values: [newId(), email, name],
  });
  const created = await find();
  if (!created) return { withheld: 'address_taken' };
  return { id: created.id };
}

/** Makes an account a member with a role. Returns the reason if a demotion would lock the organization out. */
async function grantRole(
  scope: DirectoryScope,
  { email, appliedRole, isDefault, withheld: before }: UserRow,
  { accountId, role }: { accountId: string; role: RoleId },
): Promise<WithheldReason | null> {
  const { services, tx, orgId } = scope;
  const [member] = await tx.query<{ role_id: RoleId; status: string; seen: boolean }>({
    name: 'directory.member',
    text: `select role_id, status, last_activity_at is not null as seen from member where org_id = $1 and account_id = $2`,
    values: [orgId, accountId],
  });
  if (!member) {
    await insertMember(scope, { accountId, email, role });
    return null;
  }
  // The default role is for new members: a person who was a member before keeps their role.
  const isKept = member.role_id === role || (isDefault && appliedRole === null);
  if (isKept && member.status !== 'deactivated') return null;
  if (member.role_id === 'rol_owner' && role !== 'rol_owner' && member.status !== 'deactivated') {
    const reason = await wouldLockOut(scope, accountId);
    if (reason !== null) {
      if (before !== reason) await reportKeptOwner(scope, accountId, reason);
      return reason;
    }
  }
  const status = member.status !== 'deactivated' ? member.status : member.seen ? 'active' : 'accepted';
  await tx.db
    .updateTable('member')
    .set({ role_id: role, status })
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .execute();
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: directoryActor,
    entry: {
      action: member.status === 'deactivated' ? 'member.reprovisioned' : 'member.role_changed',
      subject: { kind: 'member', id: accountId },
      data: { before: { role: member.role_id, status: member.status }, after: { role, status } },
    },
  });
  applyToSessions(scope, accountId);
  return null;
}

async function insertMember(
  scope: DirectoryScope,
  { accountId, email, role }: { accountId: string; email: string | null; role: RoleId },
): Promise<void> {
  const { services, tx, orgId } = scope;
  await tx.db
    .insertInto('member')
    .values({ org_id: orgId, account_id: accountId, role_id: role, status: 'accepted' })
    .execute();
  if (email !== null) await closeInvitations(tx, orgId, email);
  await personOfAccount(services, tx, orgId, accountId);
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: directoryActor,
    entry: {
      action: 'member.provisioned',
      subject: { kind: 'member', id: accountId },
      data: { after: { role, status: 'accepted' } },
    },
  });
  applyToSessions(scope, accountId);
}

/** From the commit on, a change of a membership applies to requests and open sockets of the account. */
function applyToSessions({ services: { memberships, realtime }, tx, orgId }: DirectoryScope, accountId: string): void {
  tx.afterCommit(() => {
    memberships.forget(accountId);
    realtime.cut(accountId, orgId);
    realtime.notifyOrganization(orgId, 'orgMembers', { accountId });
  });
}
