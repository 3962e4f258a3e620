import { type RawBuilder, sql } from 'kysely';

export interface Part {
  orgId: string;
  /** Without the right to read them, invitations are not there. */
  invitations: boolean;
}

/** A row of `everyone`, which holds no more than what a list is filtered and sorted by. */
export interface Anybody {
  kind: 'member' | 'invitation' | 'committer';
  id: string;
  name: string;
  email: string | null;
  role_id: string | null;
  status: string;
  at: Date;
}

/**
 * Members, open invitations and the committers of enabled repositories who are neither: one after the other, each once.
 * An invitation knows its person by the address; a person who was merged into another one is that one.
 */
export const everyone = ({ orgId, invitations }: Part): RawBuilder<Anybody> => sql`
  select 'member' as kind, m.account_id as id, a.name, a.email, m.role_id, m.status, m.created_at as at
  from member m join account a on a.id = m.account_id
  where m.org_id = ${orgId}
  ${invitations ? sql`union all ${invited(orgId)}` : sql``}
  union all ${uninvited(orgId)}`;

const invited = (orgId: string) => sql`
  select 'invitation', i.id, coalesce(n.display, i.email), i.email, i.role_id,
    case when i.expires_at > now() then 'pending' else 'outdated' end, i.created_at
  from invitation i
  left join identity n on n.org_id = i.org_id and n.kind = 'email' and n.value = i.email
  where i.org_id = ${orgId} and ${open}`;

const open = sql`i.accepted_at is null and i.declined_at is null and i.revoked_at is null`;

const uninvited = (orgId: string) => sql`
  select 'committer', c.person_id, c.name, case when ${takesMail(sql`c.email`)} then c.email end, null, 'uninvited',
    p.created_at
  from (
    select distinct on (coalesce(p.merged_into, p.id)) coalesce(p.merged_into, p.id) as person_id, c.name, c.email, c.login
    from contributor c
    join repository r on r.org_id = c.org_id and r.id = c.repository_id and r.tracked
    join person p on p.org_id = c.org_id and p.id = c.person_id and p.erased_at is null
    where c.org_id = ${orgId}
    order by coalesce(p.merged_into, p.id), ${takesMail(sql`c.email`)} desc, c.last_commit desc
  ) c
  join person p on p.org_id = ${orgId} and p.id = c.person_id
  where c.name not ilike '%[bot]' and coalesce(c.login, '') not ilike '%[bot]' and c.email !~* ${robots}
    and not exists (
      select from pull_request r where r.org_id = ${orgId} and r.author_is_agent and r.author_person = c.person_id
    )
    and c.person_id not in (
      select coalesce(p.merged_into, p.id) from member m
      join identity n on n.org_id = m.org_id and n.kind = 'account' and n.value = m.account_id::text
      join person p on p.org_id = n.org_id and p.id = n.person_id
      where m.org_id = ${orgId}
    )
    and c.person_id not in (
      select coalesce(p.merged_into, p.id) from invitation i
      join identity n on n.org_id = i.org_id and n.kind = 'email' and n.value = i.email
      join person p on p.org_id = n.org_id and p.id = n.person_id
      where i.org_id = ${orgId} and ${open}
    )`;

// What code hosts put in the place of an address, and machines that were never given one.
const takesMail = (email: RawBuilder<unknown>) =>
  sql`(${email} like '%_@_%._%' and ${email} not ilike '%@users.noreply.%' and ${email} not ilike '%.local')`;

// Agents and robots that commit under an address of their own.
const robots = '(\\[bot\\]@|^(no-?reply|bot|actions?)@)';
