import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import {
  type MemberActionContext,
  type MemberStatus,
  memberActionsOn,
} from '@sightline/contract/organization/member-actions.ts';
import type { MemberListItem } from '@sightline/contract/organization/members.ts';
import { roleRefOf } from '@sightline/contract/organization/roles.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { type MemberScope, memberListSourceSql } from './all-members-sql.ts';

export interface MemberListView {
  part: MemberScope;
  scene: MemberActionContext;
}

export interface MemberListSelection {
  where: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  /** Whether `where` or `order` uses names or addresses. */
  names: boolean;
  limit: number;
  offset: number;
}

/**
 * Selects all rows once, for the page and the total. Columns that only a page shows are joined for the page. `where`
 * and `order` use the columns of Anybody.
 */
export async function readMemberList(
  tx: Tx,
  { part, scene }: MemberListView,
  { where, order, names, limit, offset }: MemberListSelection,
): Promise<Page<MemberListItem[]>> {
  const { orgId } = part;
  const { rows } = await sql<{ total: number; rows: MemberListRow[] }>`
    with listed as materialized (select * from (${memberListSourceSql(part, names)}) e ${where}),
    paged as materialized (select * from listed order by ${order} limit ${limit} offset ${offset})
    select (select count(*)::int from listed) as total, coalesce(jsonb_agg(to_jsonb(d) order by ${order}), '[]') as rows
    from (
      select p.*, coalesce(a.name, v.email, c.name) as name,
        coalesce(a.email, v.email, case when ${hasAddress} then c.email end) as email, a.picture, m.last_activity_at,
        i.expires_at, i.mailed_at, i.mail_failed_at, inviter.id as inviter_id, inviter.name as inviter_name,
        p.kind = 'member' and exists (
          select from directory_user u where u.org_id = ${orgId} and u.account_id = p.id) as from_directory
      from paged p
      left join account a on p.kind = 'member' and a.id = p.id
      left join member m on p.kind = 'member' and m.org_id = ${orgId} and m.account_id = p.id
      left join invitation v on p.kind = 'invitation' and v.org_id = ${orgId} and v.id = p.id
      left join committer c on p.kind = 'committer' and c.org_id = ${orgId} and c.person_id = p.id
      left join lateral (
        select v.expires_at, v.mailed_at, v.mail_failed_at, v.invited_by where v.id is not null
        union all (
          select j.expires_at, j.mailed_at, j.mail_failed_at, j.invited_by from invitation j
          where j.org_id = ${orgId} and j.email = lower(a.email) and j.accepted_at is not null
          order by j.accepted_at desc limit 1
        )
      ) i on true
      left join visible_account inviter on inviter.id = i.invited_by
    ) d`.execute(tx.db);
  const [found] = rows;
  return { total: found?.total ?? 0, rows: (found?.rows ?? []).map((row) => itemOf(row, scene)) };
}

// Excludes placeholder addresses of code hosts and of machines without a configured address.
const hasAddress = sql`(c.email like '%_@_%._%' and c.email not ilike '%@users.noreply.%' and c.email not ilike '%.local')`;

interface MemberListRow {
  kind: 'member' | 'invitation' | 'committer';
  id: string;
  name: string;
  email: string | null;
  role_id: RoleId | null;
  status: MemberStatus;
  at: string;
  picture: string | null;
  last_activity_at: string | null;
  expires_at: string | null;
  mailed_at: string | null;
  mail_failed_at: string | null;
  inviter_id: string | null;
  inviter_name: string | null;
  /** The directory manages the member. */
  from_directory: boolean;
}

function itemOf(row: MemberListRow, scene: MemberActionContext): MemberListItem {
  const ids = {
    userId: row.kind === 'member' ? row.id : null,
    invitationId: row.kind === 'invitation' ? row.id : null,
  };
  const subject = { ...ids, email: row.email, roleId: row.role_id, status: row.status };
  return {
    id: row.id,
    user_id: ids.userId,
    invitation_id: ids.invitationId,
    name: row.name,
    email: row.email,
    picture: row.picture,
    image: row.picture,
    role: row.role_id && roleRefOf(row.role_id),
    status: row.status,
    createdAt: new Date(row.at).toISOString(),
    lastActivityAt: row.last_activity_at && new Date(row.last_activity_at).toISOString(),
    invitedBy:
      row.inviter_id === null || row.inviter_name === null ? null : { user_id: row.inviter_id, name: row.inviter_name },
    expiresAt: ids.invitationId === null || row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    source: row.kind === 'committer' ? 'git' : row.from_directory ? 'scim' : 'invite',
    delivery: ids.invitationId === null ? null : deliveryOf(row),
    ...memberActionsOn(subject, scene),
  };
}

const deliveryOf = ({ mailed_at, mail_failed_at }: MemberListRow): MemberListItem['delivery'] =>
  mailed_at !== null ? 'sent' : mail_failed_at !== null ? 'failed' : 'queued';
