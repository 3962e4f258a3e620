import type { Page } from '@sightline/contract/core/endpoint.ts';
import {
  type Permission,
  permissionScopeOf,
  type RoleId,
  roleIds,
  roleNames,
} from '@sightline/contract/core/permissions.ts';
import { providers } from '@sightline/contract/core/providers.ts';
import {
  type ActionSubject,
  countsAsMember,
  type MemberAction,
  type MemberActionContext,
  type MemberStatus,
  memberActionRefusal,
  memberActionRefusalTexts,
  type RefusalReason,
} from '@sightline/contract/organization/member-actions.ts';
import type { MemberListItem, MembersQuery, MembersSummary } from '@sightline/contract/organization/members.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { Archived, Conflict, Forbidden, NotFound, Refusal } from '#core/errors.ts';
import { resolveLedgerSize } from '#core/ledger-size.ts';
import { lockOrganization } from '#core/owner-lock.ts';
import type { Tx } from '#database/database.ts';
import { type MemberScope, memberListSourceSql } from './all-members-sql.ts';
import { listMembersAtSize } from './members-at-size.ts';
import { type MemberListView, readMemberList } from './rows.ts';

const memberScopeOf = ({ orgId, reach }: Actor): MemberScope => ({
  orgId,
  invitations: reach('read:invitations') !== undefined,
});

const viewOf = async (tx: Tx, actor: Actor): Promise<MemberListView> => ({
  part: memberScopeOf(actor),
  scene: await findActionScene(tx, actor),
});

// Sorts names by code point. Sorting by language would double the cost of the query.
const byName = sql`search collate "C"`;
const byRole = sql`array_position(${[...roleIds]}::text[], role_id)`;
const sorts = {
  'date-desc': sql`at desc, id`,
  'date-asc': sql`at, id`,
  'name-asc': sql`${byName}, id`,
  'name-desc': sql`${byName} desc, id`,
  'role-asc': sql`${byRole}, ${byName}, id`,
  'role-desc': sql`${byRole} desc nulls last, ${byName}, id`,
} as const satisfies Record<MembersQuery['sort'], RawBuilder<unknown>>;

// Compares in lower case, since ILIKE of PostgreSQL is ten times as expensive.
const matchesSearch = (text: string) => sql`search like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`;

/** One page of members, open invitations and uninvited committers, or of the members at a ledger size. */
export async function listMemberItems(tx: Tx, actor: Actor, query: MembersQuery): Promise<Page<MemberListItem[]>> {
  const { search, role, status, sort, page, perPage, ledgerSize } = query;
  if (ledgerSize !== undefined) {
    return listMembersAtSize(tx, actor.orgId, query, await resolveLedgerSize(tx, actor.orgId, ledgerSize));
  }
  const conditions = [
    ...(status.length > 0 ? [sql`status = any(${status})`] : []),
    ...(role.length > 0 ? [sql`role_id = any(${role})`] : []),
    ...(search === '' ? [] : [matchesSearch(search)]),
  ];
  return readMemberList(tx, await viewOf(tx, actor), {
    where: conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`,
    order: sorts[sort],
    names: search !== '' || !sort.startsWith('date'),
    limit: perPage,
    offset: (page - 1) * perPage,
  });
}

/** One member as a list item; throws 404 for a non-member. */
export async function findMember(tx: Tx, actor: Actor, accountId: string): Promise<MemberListItem> {
  const where = sql`where kind = 'member' and id = ${accountId}`;
  const selection = { where, order: sql`id`, names: false, limit: 1, offset: 0 };
  const [member] = (await readMemberList(tx, await viewOf(tx, actor), selection)).rows;
  if (!member) throw NotFound('Member');
  return member;
}

/** Counts by status, and by role among those who count as members. */
export async function findMembersSummary(tx: Tx, actor: Actor): Promise<MembersSummary> {
  const { rows } = await sql<{ status: MemberStatus; role_id: RoleId | null; count: number }>`
    select status, role_id, count(*)::int as count from (${memberListSourceSql(memberScopeOf(actor), false)}) e group by status, role_id
  `.execute(tx.db);
  const count = (which: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(which).reduce((sum, row) => sum + row.count, 0);
  const readable = statusesFor(memberScopeOf(actor));
  return {
    total: count((row) => countsAsMember(row.status)),
    byStatus: Object.fromEntries(readable.map((status) => [status, count((row) => row.status === status)])),
    byRole: roleIds.map((id) => ({
      id,
      name: roleNames[id],
      count: count((row) => row.role_id === id && countsAsMember(row.status)),
    })),
  };
}

const statusesFor = ({ invitations }: MemberScope): MemberStatus[] => [
  'active',
  'accepted',
  ...(invitations ? (['pending', 'outdated'] as const) : []),
  'deactivated',
  'uninvited',
];

/** The facts that decide whether actions are allowed, as of this transaction. */
export async function findActionScene(tx: Tx, { orgId, accountId, roleId }: Actor): Promise<MemberActionContext> {
  const [row] = await tx.query<{ archived: boolean; owners: number }>({
    name: 'members.scene',
    text: `select o.archived_at is not null as archived, (select count(*)::int from member m
             where m.org_id = o.id and m.role_id = 'rol_owner' and m.status = 'active') as owners
           from organization o where o.id = $1`,
    values: [orgId],
  });
  if (!row) throw NotFound('Organization');
  return { actor: { accountId, roleId }, archived: row.archived, activeOwners: row.owners };
}

/**
 * Locks the organization until the transaction ends, which serializes changes of members, and returns the current
 * facts: the actor may have been demoted since the request arrived. Throws 403 if the actor was deactivated.
 */
export async function lockActionScene(tx: Tx, actor: Actor): Promise<MemberActionContext> {
  const { roleId } = await lockOrganization(tx, actor);
  return findActionScene(tx, { ...actor, roleId });
}

/**
 * The actor with their current role, which is read again and locked until the transaction ends. Throws 403 if the role
 * no longer has `permission`.
 */
export async function requireCurrentPermission(tx: Tx, actor: Actor, permission: Permission): Promise<Actor> {
  const member = await tx.db
    .selectFrom('member')
    .select('role_id')
    .where('org_id', '=', actor.orgId)
    .where('account_id', '=', actor.accountId)
    .where('status', '<>', 'deactivated')
    .forShare()
    .executeTakeFirst();
  const roleId = member?.role_id as RoleId | undefined;
  if (roleId === undefined || !permissionScopeOf(roleId, permission)) {
    throw Forbidden('Your role no longer allows this. Ask an Account Owner.', permission);
  }
  return { ...actor, roleId, reach: (name) => permissionScopeOf(roleId, name) };
}

/** Whether an account is that of the actor, merged into it, or another one of the same person. */
export async function isAccountOfActor(tx: Tx, { orgId, accountId, personId }: Actor, other: string): Promise<boolean> {
  if (other === accountId) return true;
  const found = await tx.db
    .selectFrom('identity')
    .select('person_id')
    .where('org_id', '=', orgId)
    .where('kind', '=', 'account')
    .where('value', '=', other)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (found) return true;
  const merged = await tx.db
    .selectFrom('account')
    .select('id')
    .where('id', '=', other)
    .where('merged_into', '=', accountId)
    .executeTakeFirst();
  return merged !== undefined;
}

/**
 * Whether another person was a member whose role has a permission, now or at any time in the past days. An owner cannot
 * become the only one by demoting others for a moment.
 */
export async function hadOtherMemberWith(
  { db }: Tx,
  { orgId, accountId, personId }: Actor,
  permission: Permission,
  days: number,
): Promise<boolean> {
  const since = sql<Date>`now() - make_interval(days => ${days})`;
  const found = await db
    .selectFrom('member_change as c')
    .select('c.account_id')
    .where('c.org_id', '=', orgId)
    .where('c.account_id', '<>', accountId)
    .where(
      'c.role_id',
      'in',
      roleIds.filter((role) => permissionScopeOf(role, permission)),
    )
    .where('c.status', '<>', 'deactivated')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('member_change as later')
            .whereRef('later.org_id', '=', 'c.org_id')
            .whereRef('later.account_id', '=', 'c.account_id')
            .whereRef('later.at', '>', 'c.at')
            .where('later.at', '<=', since),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('identity as i')
            .whereRef('i.org_id', '=', 'c.org_id')
            .where('i.kind', '=', 'account')
            .where('i.value', '=', sql<string>`c.account_id::text`)
            .where('i.person_id', '=', personId),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export type MemberSubject = ActionSubject & { userId: string; roleId: RoleId; name: string; email: string };

/** A member of the organization; throws 404 for a non-member. */
export async function findMemberSubject(tx: Tx, orgId: string, accountId: string): Promise<MemberSubject> {
  const row = await tx.db
    .selectFrom('member as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .where('m.org_id', '=', orgId)
    .where('m.account_id', '=', accountId)
    .select(['m.role_id', 'm.status', 'a.name', 'a.email'])
    .executeTakeFirst();
  if (!row) throw NotFound('Member');
  const { name, email } = row;
  const status = row.status as MemberStatus;
  return { userId: accountId, invitationId: null, roleId: row.role_id as RoleId, status, name, email };
}

/** Throws the reason if the action is refused. */
export function checkMemberAction(action: MemberAction, subject: ActionSubject, scene: MemberActionContext): void {
  const reason = memberActionRefusal(action, subject, scene);
  if (reason) throw refused(reason);
}

function refused(reason: RefusalReason): Refusal {
  const text = memberActionRefusalTexts[reason];
  if (reason === 'sole_owner') return new Refusal('sole_owner', text);
  if (reason === 'archived') return Archived();
  return reason === 'self' || reason === 'not_owner' ? Forbidden(text) : Conflict(text);
}

/** A login that a code host reported in the organization; throws 404 for any other. */
export async function findReportedHandle({ db }: Tx, orgId: string, handle: string): Promise<{ handle: string }> {
  const row = await db
    .selectFrom('identity')
    .where('org_id', '=', orgId)
    .where('kind', 'in', providers)
    .where('value', '=', handle.toLowerCase())
    .select('value')
    .executeTakeFirst();
  if (!row) throw NotFound('Login');
  return { handle: row.value };
}
