import type { FindingFilter } from '@sightline/contract/vulnerabilities/findings.ts';
import type { Tx } from '#database/database.ts';
import { type RepositoryReader, seesAllRepositories } from '../../organization/repository-access/queries.ts';
import { type RepositoryVisibility, readableRepositoryIds } from '../../sources/repositories/queries.ts';

/** The repositories of a list, and its titles if there is a search, before filters on lanes. */
export interface FindingScope extends RepositoryVisibility {
  orgId: string;
  titles: readonly string[] | undefined;
  /** Only findings discovered at or after this time, in ISO 8601. Stored counts do not apply to such a scope. */
  discoveredFrom?: string | undefined;
}

/** Returns the selected repositories in the reader's scope, and the titles that contain every word of the search. */
export async function findingScopeOf(
  tx: Tx,
  reader: RepositoryReader,
  { repository, search, discoveredFrom }: Pick<FindingFilter, 'repository' | 'search' | 'discoveredFrom'>,
): Promise<FindingScope> {
  const { orgId } = reader;
  const isNarrow =
    repository.length > 0 || reader.reach('read:vulnerabilities') !== 'all' || !seesAllRepositories(reader);
  return {
    orgId,
    only: isNarrow
      ? await readableRepositoryIds(tx, reader, repository.length > 0 ? repository : undefined)
      : undefined,
    except: isNarrow ? [] : await disabledWithFindings(tx, orgId),
    titles: search === '' ? undefined : await titlesWith(tx, orgId, search),
    discoveredFrom,
  };
}

async function disabledWithFindings(tx: Tx, orgId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'findings.disabled',
    text: `select r.id from repository r where r.org_id = $1 and not r.tracked and exists (
             select from finding_repository_count c where c.org_id = $1 and c.repository_id = r.id)`,
    values: [orgId],
  });
  return rows.map(({ id }) => id);
}

async function titlesWith(tx: Tx, orgId: string, search: string): Promise<string[]> {
  const words = search.split(/\s+/).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  const rows = await tx.query<{ id: string }>({
    name: 'findings.titles',
    text: `select id from finding_title where org_id = $1 and search like all (
             select lower(word) from unnest($2::text[]) word)`,
    values: [orgId, words],
  });
  return rows.map(({ id }) => id);
}
