import { type RawBuilder, sql } from 'kysely';

export interface MemberScope {
  orgId: string;
  /** False for actors without the permission to read invitations, which are then omitted. */
  invitations: boolean;
}

/** A row of `everyone`, with only the columns for filters and sorting. */
export interface MemberListSourceRow {
  kind: 'member' | 'invitation' | 'committer';
  id: string;
  /** Name and address in lower case; null if not requested, since they are the most expensive. */
  search: string | null;
  role_id: string | null;
  status: string;
  at: Date;
}

/** Members, open invitations, and the committers of enabled repositories who are neither; each once. */
export const memberListSourceSql = (
  { orgId, invitations }: MemberScope,
  names: boolean,
): RawBuilder<MemberListSourceRow> => sql`
  select 'member' as kind, m.account_id as id, ${names ? sql`a.search` : sql`null`} as search,
    m.role_id, m.status, m.created_at as at
  from member m ${names ? sql`join account a on a.id = m.account_id` : sql``}
  where m.org_id = ${orgId}
  ${invitations ? sql`union all ${invited(orgId)}` : sql``}
  union all ${uninvited(orgId)}`;

const invited = (orgId: string) => sql`
  select 'invitation', i.id, i.email, i.role_id, case when i.expires_at > now() then 'pending' else 'outdated' end,
    i.created_at
  from invitation i
  where i.org_id = ${orgId} and i.accepted_at is null and i.declined_at is null and i.revoked_at is null`;

// Pull requests, which may arrive after the commits, also identify agents.
const uninvited = (orgId: string) => sql`
  select 'committer', c.person_id, c.search, null, 'uninvited', c.seen_at
  from committer c
  where c.org_id = ${orgId} and c.uninvited and not exists (
    select from pull_request r where r.org_id = ${orgId} and r.author_is_agent and r.author_person = c.person_id
  )`;
