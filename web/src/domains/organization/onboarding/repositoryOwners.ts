import { type Provider, providers } from '@sightline/contract/core/providers.ts';
import type { enableRepositories, ProviderRepos } from '@sightline/contract/sources/repositories.ts';
import type { z } from 'zod';

export interface OfferedRepository {
  id: string;
  name: string;
  fullName: string;
  isPrivate: boolean;
  pushedAt: string | null;
}

export interface RepositoryOwner {
  provider: Provider;
  name: string;
  repositories: readonly OfferedRepository[];
}

/** Lists the offered repositories by owner: owners by name, repositories by last push. */
export const repositoryOwnersOf = (offered: ProviderRepos): RepositoryOwner[] =>
  providers.flatMap((provider) =>
    Object.entries(offered[provider] ?? {})
      .map(([name, repositories]) => ({ provider, name, repositories: [...repositories].sort(byLastPush) }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  );

/** Returns repositories whose full name contains the search text, without empty owners. */
export function filterOwners(owners: readonly RepositoryOwner[], search: string): RepositoryOwner[] {
  const searchText = search.trim().toLowerCase();
  return owners
    .map((owner) => ({
      ...owner,
      repositories: owner.repositories.filter(({ fullName }) => fullName.toLowerCase().includes(searchText)),
    }))
    .filter(({ repositories }) => repositories.length > 0);
}

type RepositoryChoice = z.input<typeof enableRepositories.body>['providerRepos'];

/** Returns the selected repositories only, because the endpoint changes only those it receives. */
export function selectionBodyOf(owners: readonly RepositoryOwner[], chosen: ReadonlySet<string>): RepositoryChoice {
  const choice: RepositoryChoice = {};
  for (const { provider, name, repositories } of owners) {
    const enabled = repositories.filter(({ id }) => chosen.has(id)).map(({ id }) => ({ id, tracked: true }));
    if (enabled.length > 0) choice[provider] = { ...choice[provider], [name]: enabled };
  }
  return choice;
}

// ISO 8601 times in UTC sort as text. Repositories without a push sort last.
const byLastPush = (a: OfferedRepository, b: OfferedRepository) =>
  (b.pushedAt ?? '').localeCompare(a.pushedAt ?? '') || a.fullName.localeCompare(b.fullName);
