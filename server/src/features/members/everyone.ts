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
  /** Null, and the address too, where no names were asked for: they are the dearest part. */
  name: string | null;
  email: string | null;
  role_id: string | null;
  status: string;
  at: Date;
}

/**
 * Members, open invitations and the committers of enabled repositories who are neither: one after the other, each once.
 * An invitation knows its person by the address.
 */
export const everyone = ({ orgId, invitations }: Part, names: boolean): RawBuilder<Anybody> => sql`
  select 'member' as kind, m.account_id as id, ${names ? sql`a.name, a.email` : sql`null as name, null as email`},
    m.role_id, m.status, m.created_at as at
  from member m ${names ? sql`join account a on a.id = m.account_id` : sql``}
  where m.org_id = ${orgId}
  ${invitations ? sql`union all ${invited(orgId, names)}` : sql``}
  union all ${uninvited(orgId)}`;

const invited = (orgId: string, names: boolean) => sql`
  select 'invitation', i.id, ${names ? sql`coalesce(n.display, i.email)` : sql`null`}, i.email, i.role_id,
    case when i.expires_at > now() then 'pending' else 'outdated' end, i.created_at
  from invitation i
  ${names ? sql`left join identity n on n.org_id = i.org_id and n.kind = 'email' and n.value = i.email` : sql``}
  where i.org_id = ${orgId} and ${open}`;

const open = sql`i.accepted_at is null and i.declined_at is null and i.revoked_at is null`;

const uninvited = (orgId: string) => sql`
  select 'committer', c.person_id, c.name, c.email, null, 'uninvited', c.seen_at
  from committer c
  where c.org_id = ${orgId}
    and not exists (
      select from pull_request r where r.org_id = ${orgId} and r.author_is_agent and r.author_person = c.person_id
    )
    and not exists (select from member m where m.org_id = ${orgId} and m.account_id = c.account_id)
    and c.person_id not in (
      select n.person_id from invitation i
      join identity n on n.org_id = i.org_id and n.kind = 'email' and n.value = i.email
      where i.org_id = ${orgId} and ${open}
    )`;
