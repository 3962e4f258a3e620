import type { Provider } from '@sightline/contract/repositories.ts';
import type { Tx } from '#database/database.ts';

/** The number or UUID of an account of a person on a code host. */
export interface HostAccount {
  person: string;
  hostId: string;
}

/** The accounts of persons on a host. */
export const accountsOf = (
  tx: Tx,
  orgId: string,
  provider: Provider,
  persons: readonly string[],
): Promise<HostAccount[]> =>
  tx.query<HostAccount & Record<string, unknown>>({
    name: 'changes.accounts',
    text: `select distinct person_id as person, host_id as "hostId" from identity
           where org_id = $1 and kind = $2 and person_id = any($3::uuid[]) and host_id is not null order by 1, 2`,
    values: [orgId, provider, persons],
  });

/** For each entry of a change, the accounts of those whom its record names, also of persons who became another one since. */
export const accountsOfChanges = (
  tx: Tx,
  orgId: string,
  entryIds: readonly string[],
): Promise<(HostAccount & { entryId: string })[]> =>
  tx.query<HostAccount & { entryId: string } & Record<string, unknown>>({
    name: 'changes.accounts-of-entries',
    text: `select distinct c.entry_id as "entryId", named.person, i.host_id as "hostId"
           from change_record c
           join repository r on r.org_id = c.org_id and r.id = c.repository_id
           cross join lateral unnest(c.persons) as named(person)
           left join person p on p.org_id = c.org_id and p.id = named.person
           join identity i on i.org_id = c.org_id and i.person_id = coalesce(p.merged_into, named.person)
             and i.kind = r.provider and i.host_id is not null
           where c.org_id = $1 and c.entry_id = any($2::uuid[]) order by 1, 2, 3`,
    values: [orgId, entryIds],
  });
