import { type PermissionScope, repositoryPermissions } from '@sightline/contract/core/permissions.ts';
import { type Provider, providers } from '@sightline/contract/core/providers.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { contains } from '#database/page.ts';

/** Who looks: a role whose reach is `own` sees the repositories this person has worked in, and no others. */
export type RepositoryReader = Pick<Actor, 'orgId' | 'personId' | 'reach'>;

// What a code host would show a member is not known here; what they wrote, opened or reviewed there is.
const workedIn = (personId: string) => sql<boolean>`(
  exists (select from contributor w where w.org_id = repository.org_id and w.repository_id = repository.id and w.person_id = ${personId})
  or exists (select from pull_request w where w.org_id = repository.org_id and w.author_person = ${personId} and w.repository_id = repository.id)
  or exists (select from review w where w.org_id = repository.org_id and w.person_id = ${personId} and w.repository_id = repository.id))`;

const hostsOf = ({ reach }: Pick<RepositoryReader, 'reach'>, wanted: PermissionScope): Provider[] =>
  providers.filter((provider) => reach(repositoryPermissions[provider]) === wanted);

/** Whether a reader sees the repositories of every code host, whoever works in them. */
export const seesEveryHost = (reader: Pick<RepositoryReader, 'reach'>): boolean =>
  hostsOf(reader, 'all').length === providers.length;

/** The repositories a reader sees, by the alias `repository`: of each code host as far as that host's permission reaches. */
export function visibleTo(tx: Tx, reader: RepositoryReader) {
  const [whole, own] = [hostsOf(reader, 'all'), hostsOf(reader, 'own')];
  return tx.db
    .selectFrom('repository')
    .where('repository.org_id', '=', reader.orgId)
    .$if(!seesEveryHost(reader), (query) =>
      query.where(
        own.length === providers.length
          ? workedIn(reader.personId)
          : sql<boolean>`(repository.provider = any(${whole}::text[])
              or (repository.provider = any(${own}::text[]) and ${workedIn(reader.personId)}))`,
      ),
    );
}

/** The repositories a reader does not see although other things of the organization are theirs to see. */
export async function listHidden(tx: Tx, reader: RepositoryReader): Promise<string[]> {
  if (seesEveryHost(reader)) return [];
  const rows = await tx.db
    .selectFrom('repository as r')
    .where('r.org_id', '=', reader.orgId)
    .where('r.id', 'not in', visibleTo(tx, reader).select('repository.id'))
    .select('r.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The enabled repositories of that name that a reader sees; several where several hosts have one. */
export async function listNamed(
  tx: Tx,
  reader: RepositoryReader,
  fullName: string,
): Promise<{ id: string; fullName: string; url: string }[]> {
  const rows = await visibleTo(tx, reader)
    .where(sql<boolean>`lower(full_name) = ${fullName.toLowerCase()}`)
    .where('tracked', '=', true)
    .select(['id', 'full_name', 'html_url'])
    .execute();
  return rows.map((row) => ({ id: row.id, fullName: row.full_name, url: row.html_url }));
}

/** Names of enabled repositories a reader sees that hold what is typed, those that begin with it first. */
export async function suggestRepositories(
  tx: Tx,
  reader: RepositoryReader,
  typed: string,
  most: number,
): Promise<string[]> {
  const rows = await visibleTo(tx, reader)
    .where('tracked', '=', true)
    .where(contains(sql.ref('full_name'), typed))
    .orderBy(sql`starts_with(lower(full_name), ${typed.toLowerCase()})`, 'desc')
    .orderBy('full_name')
    .limit(most)
    .select('full_name')
    .execute();
  return rows.map((row) => row.full_name);
}

/** The owners of the same repositories. */
export async function suggestOwners(tx: Tx, reader: RepositoryReader, typed: string, most: number): Promise<string[]> {
  const rows = await visibleTo(tx, reader)
    .where('tracked', '=', true)
    .where(contains(sql.ref('owner'), typed))
    .groupBy('owner')
    .orderBy(sql`starts_with(lower(owner), ${typed.toLowerCase()})`, 'desc')
    .orderBy('owner')
    .limit(most)
    .select('owner')
    .execute();
  return rows.map((row) => row.owner);
}
