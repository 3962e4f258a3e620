import type { Page } from '@sightline/contract/core/endpoint.ts';
import { type RoleId, roleIds } from '@sightline/contract/core/permissions.ts';
import { type MemberStatus, memberActions } from '@sightline/contract/organization/member-actions.ts';
import type { MemberListItem, MembersQuery } from '@sightline/contract/organization/members.ts';
import { roleRefOf } from '@sightline/contract/organization/roles.ts';
import { Invalid } from '#core/errors.ts';
import { entriesById, type LedgerSize, refuseUnrecordedFilters } from '#core/ledger-size.ts';
import { entryOrLegacyJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';

interface RecordedMember {
  [column: string]: unknown;
  id: string;
  role: RoleId;
  status: MemberStatus;
  /** Null: the history began later. */
  joined: string | null;
  entry: string | null;
  name: string;
  email: string | null;
  picture: string | null;
}

const orders: Record<MembersQuery['sort'], string> = {
  'date-desc': 'joined desc nulls last, id',
  'date-asc': 'joined nulls first, id',
  'name-asc': 'lower(name) collate "C", id',
  'name-desc': 'lower(name) collate "C" desc, id',
  'role-asc': 'array_position($4::text[], role), lower(name) collate "C", id',
  'role-desc': 'array_position($4::text[], role) desc, lower(name) collate "C", id',
};

const recordedStatuses: readonly MemberStatus[] = ['active', 'accepted', 'deactivated'];

/**
 * One page of the members at a ledger size, by the history of memberships. Names and addresses are those of today.
 * Throws 400 for a search, and for the statuses of invitations and uninvited committers.
 */
export async function listMembersAtSize(
  tx: Tx,
  orgId: string,
  query: MembersQuery,
  ledgerSize: LedgerSize,
): Promise<Page<MemberListItem[]>> {
  refuseUnrecordedFilters(query, ['search']);
  const { role, status, sort, page, perPage } = query;
  const unrecorded = status.find((one) => !recordedStatuses.includes(one));
  if (unrecorded !== undefined) {
    throw Invalid('status', `must not be ${unrecorded} with ledgerSize, because the ledger records members only`);
  }
  const [found] = await tx.query<{ total: number; rows: RecordedMember[] }>({
    name: `members.at-size-${sort}`,
    text: `with recorded as materialized (
             select c.account_id, c.at, c.role_id, c.status, c.entry_id
             from member_change c ${entryOrLegacyJoinSql('entry', { fact: 'c', epoch: '$2', size: '$3' })}
             where c.org_id = $1
           ),
           listed as materialized (
             select m.account_id as id, m.role_id as role, m.status, m.entry_id as entry,
               coalesce(a.name, 'Former member') as name, a.email, a.picture,
               (select case when j.entry_id is not null then j.at end from recorded j
                where j.account_id = m.account_id and j.at > coalesce((
                  select max(r.at) from recorded r where r.account_id = m.account_id and r.status = 'removed'), '-infinity')
                order by j.at limit 1) as joined
             from (select distinct on (account_id) * from recorded order by account_id, at desc) m
             left join visible_account a on a.id = m.account_id
             where m.status <> 'removed' and m.role_id = any($4::text[])
               and ($5::text[] = '{}' or m.role_id = any($5)) and ($6::text[] = '{}' or m.status = any($6))
           ),
           paged as (select *, row_number() over (order by ${orders[sort]}) as place from listed order by place limit $7 offset $8)
           select (select count(*)::int from listed) as total,
             (select coalesce(jsonb_agg(to_jsonb(p) order by p.place), '[]') from paged p) as rows`,
    values: [
      ...[orgId, ledgerSize.epoch, ledgerSize.size, [...roleIds], role, status],
      ...[perPage, (page - 1) * perPage],
    ],
  });
  const rows = found?.rows ?? [];
  const entries = await entriesById(
    tx,
    orgId,
    ledgerSize,
    rows.map(({ entry }) => entry),
  );
  return { total: found?.total ?? 0, rows: rows.map((row) => itemOf(row, entries)) };
}

const noActions = Object.fromEntries(memberActions.map((action) => [action, false])) as MemberListItem['allowed'];

const itemOf = (row: RecordedMember, entries: Awaited<ReturnType<typeof entriesById>>): MemberListItem => ({
  id: row.id,
  user_id: row.id,
  invitation_id: null,
  name: row.name,
  email: row.email,
  picture: row.picture,
  image: row.picture,
  role: roleRefOf(row.role),
  status: row.status,
  createdAt: row.joined && new Date(row.joined).toISOString(),
  lastActivityAt: null,
  invitedBy: null,
  expiresAt: null,
  source: 'invite',
  delivery: null,
  allowed: noActions,
  blocked: {},
  recorded: {
    entry: (row.entry !== null && entries.get(row.entry)) || null,
    missing: [...(row.joined === null ? ['createdAt'] : []), 'lastActivityAt', 'invitedBy'],
  },
});
