import { type PermissionScope, repositoryPermissions } from '@sightline/contract/core/permissions.ts';
import { type Provider, providers } from '@sightline/contract/core/providers.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { containsText } from '#database/page.ts';

/** The reader of repositories. With reach `own`, a role sees only the repositories that this person has worked in. */
export type RepositoryReader = Pick<Actor, 'orgId' | 'personId' | 'reach'>;

// The permissions at the code host are unknown, but commits, pull requests and reviews are known.
const workedIn = (personId: string) => sql<boolean>`(
  exists (select from contributor w where w.org_id = repository.org_id and w.repository_id = repository.id and w.person_id = ${personId})
  or exists (select from pull_request w where w.org_id = repository.org_id and w.author_person = ${personId} and w.repository_id = repository.id)
  or exists (select from review w where w.org_id = repository.org_id and w.person_id = ${personId} and w.repository_id = repository.id))`;

const hostsOf = ({ reach }: Pick<RepositoryReader, 'reach'>, reachFilter: PermissionScope): Provider[] =>
  providers.filter((provider) => reach(repositoryPermissions[provider]) === reachFilter);

/** Whether a reader sees all repositories of every code host. */
export const seesAllRepositories = (reader: Pick<RepositoryReader, 'reach'>): boolean =>
  hostsOf(reader, 'all').length === providers.length;

/** Selects the visible repositories, with alias `repository`, by the reach of the permission per code host. */
export function visibleRepositories(tx: Tx, reader: RepositoryReader) {
  const [all, own] = [hostsOf(reader, 'all'), hostsOf(reader, 'own')];
  return tx.db
    .selectFrom('repository')
    .where('repository.org_id', '=', reader.orgId)
    .$if(!seesAllRepositories(reader), (query) =>
      query.where(
        own.length === providers.length
          ? workedIn(reader.personId)
          : sql<boolean>`(repository.provider = any(${all}::text[])
              or (repository.provider = any(${own}::text[]) and ${workedIn(reader.personId)}))`,
      ),
    );
}

/** The IDs of the repositories of the organization that a reader does not see. */
export async function listHiddenRepositories(tx: Tx, reader: RepositoryReader): Promise<string[]> {
  if (seesAllRepositories(reader)) return [];
  const rows = await tx.db
    .selectFrom('repository as r')
    .where('r.org_id', '=', reader.orgId)
    .where('r.id', 'not in', visibleRepositories(tx, reader).select('repository.id'))
    .select('r.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The visible enabled repositories with a name; several if several code hosts have one. */
export async function listRepositoriesByName(
  tx: Tx,
  reader: RepositoryReader,
  fullName: string,
): Promise<{ id: string; fullName: string; url: string }[]> {
  const rows = await visibleRepositories(tx, reader)
    .where(sql<boolean>`lower(full_name) = ${fullName.toLowerCase()}`)
    .where('tracked', '=', true)
    .select(['id', 'full_name', 'html_url'])
    .execute();
  return rows.map((row) => ({ id: row.id, fullName: row.full_name, url: row.html_url }));
}

/** Names of visible enabled repositories that contain the typed text, prefix matches first. */
export async function suggestRepositories(
  tx: Tx,
  reader: RepositoryReader,
  typed: string,
  limit: number,
): Promise<string[]> {
  const rows = await visibleRepositories(tx, reader)
    .where('tracked', '=', true)
    .where(containsText(sql.ref('full_name'), typed))
    .orderBy(sql`starts_with(lower(full_name), ${typed.toLowerCase()})`, 'desc')
    .orderBy('full_name')
    .limit(limit)
    .select('full_name')
    .execute();
  return rows.map((row) => row.full_name);
}

/** Owners of visible enabled repositories that contain the typed text, prefix matches first. */
export async function suggestOwners(tx: Tx, reader: RepositoryReader, typed: string, limit: number): Promise<string[]> {
  const rows = await visibleRepositories(tx, reader)
    .where('tracked', '=', true)
    .where(containsText(sql.ref('owner'), typed))
    .groupBy('owner')
    .orderBy(sql`starts_with(lower(owner), ${typed.toLowerCase()})`, 'desc')
    .orderBy('owner')
    .limit(limit)
    .select('owner')
    .execute();
  return rows.map((row) => row.owner);
}
