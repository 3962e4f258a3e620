import { providers } from '@sightline/contract/core/providers.ts';
import type { NamedPerson, Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import type { Database } from '#database/database.ts';
import type { EventPageRow } from './store/pages.ts';

/**
 * The persons in these sentences, by their login or email address there, in lower case. Events store the login or
 * address at their time, so one person has several. Identifiers of two persons are omitted.
 */
export async function peopleInSummaries(
  database: Database,
  orgId: string,
  rows: readonly EventPageRow[],
): Promise<Record<string, NamedPerson>> {
  const idents = new Set(rows.flatMap(({ summary }) => identsIn(JSON.parse(summary) as Summary)));
  if (idents.size === 0) return {};
  const found = await database.withOrg(orgId, (tx) =>
    tx.query<NamedPerson & { ident: string }>({ name: 'events.people', text: peopleSql, values: [orgId, [...idents]] }),
  );
  return Object.fromEntries(found.map(({ ident, ...person }) => [ident, person]));
}

const identsIn = ({ parameters }: Summary): string[] =>
  parameters.filter(isNamed).map(({ ident }) => ident.toLowerCase());
const isNamed = ({ kind, ident }: Parameter) => kind === 'user' && ident !== '';

const peopleSql = `
  with named as (
    select i.value as ident, (array_agg(distinct coalesce(p.merged_into, p.id)))[1] as id
    from identity i join person p on p.org_id = i.org_id and p.id = i.person_id
    where i.org_id = $1 and i.kind = any('{email,${providers.join(',')}}') and i.value = any($2::text[])
    group by i.value having count(distinct coalesce(p.merged_into, p.id)) = 1
  )
  select n.ident, n.id, coalesce(d.name, n.ident) as name, d.picture
  from named n cross join lateral person_display($1, n.id) d`;
