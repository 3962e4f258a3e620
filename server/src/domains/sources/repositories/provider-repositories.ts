import type { Provider } from '@sightline/contract/core/providers.ts';
import type { ProviderRepos } from '@sightline/contract/sources/repositories.ts';
import type { Tx } from '#database/database.ts';
import { type RepositoryReader, visibleRepositories } from '../../organization/repository-access/queries.ts';

/** The repositories of the connected code hosts that the reader may see, grouped by provider and owner. */
export async function listProviderRepos(tx: Tx, reader: RepositoryReader): Promise<{ providerRepos: ProviderRepos }> {
  const rows = await visibleRepositories(tx, reader)
    .where('removed_at', 'is', null)
    .select(['id', 'provider', 'owner', 'name', 'full_name', 'is_private', 'default_branch', 'pushed_at', 'tracked'])
    .orderBy('full_name')
    .orderBy('id')
    .execute();
  const byProvider = Map.groupBy(rows, (row) => row.provider as Provider);
  const providerRepos: ProviderRepos = Object.fromEntries(
    [...byProvider].map(([provider, repositories]) => {
      const byOwner = Map.groupBy(repositories, (row) => row.owner);
      return [provider, Object.fromEntries([...byOwner].map(([owner, list]) => [owner, list.map(selectableOf)]))];
    }),
  );
  return { providerRepos };
}

interface SelectableRow {
  id: string;
  name: string;
  full_name: string;
  is_private: boolean;
  default_branch: string;
  pushed_at: Date | null;
  tracked: boolean;
}

const selectableOf = (row: SelectableRow) => ({
  id: row.id,
  name: row.name,
  fullName: row.full_name,
  isPrivate: row.is_private,
  private: row.is_private,
  defaultBranch: row.default_branch,
  pushedAt: row.pushed_at?.toISOString() ?? null,
  tracked: row.tracked,
});
