import { providers } from '@sightline/contract/core/providers.ts';
import type { NamedPerson } from '@sightline/contract/timeline/events.ts';
import type { Database } from '#database/database.ts';

/**
 * The persons with these logins or email addresses, by these in lower case. Events store the login or address at their
 * time, so one person has several. Identifiers of two persons are omitted.
 */
export async function peopleOfUsers(
  database: Database,
  orgId: string,
  users: ReadonlySet<string>,
): Promise<Record<string, NamedPerson>> {
  if (users.size === 0) return {};
  const idents = [...new Set(Array.from(users, (ident) => ident.toLowerCase()))];
  const found = await database.onceWithOrg<NamedPerson & { ident: string }>(orgId, {
    name: 'events.people',
    text: peopleSql,
    values: [idents],
  });
  return Object.fromEntries(found.map(({ ident, ...person }) => [ident, person]));
}

const peopleSql = ` select found.* from tenant cross join lateral (
  with named as (
    select i.value as ident, (array_agg(distinct coalesce(p.merged_into, p.id)))[1] as id
    from identity i join person p on p.org_id = i.org_id and p.id = i.person_id
    where i.org_id = tenant.org and i.kind = any('{email,${providers.join(',')}}') and i.value = any($2::text[])
    group by i.value having count(distinct coalesce(p.merged_into, p.id)) = 1
  )
  select n.ident, n.id, coalesce(d.name, n.ident) as name, d.picture
  from named n cross join lateral person_display(tenant.org, n.id) d offset 0) found`;
