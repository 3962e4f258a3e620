import type { CallInput } from '@sightline/contract/core/endpoint.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import type { enableRepositories, ProviderRepos } from '@sightline/contract/sources/repositories.ts';

type Offer = NonNullable<ProviderRepos[Provider]>[string][number];

/** The repositories of one owner at one code host. */
export interface OwnerOffer {
  provider: Provider;
  owner: string;
  repositories: readonly Offer[];
}

/** Groups the repositories by provider and owner. With a search text, only those with a matching name. */
export function offersOf(providerRepos: ProviderRepos, words = ''): OwnerOffer[] {
  const searchText = words.trim().toLowerCase();
  return Object.entries(providerRepos)
    .flatMap(([provider, owners]) =>
      Object.entries(owners ?? {}).map(([owner, repositories]) => ({
        provider: provider as Provider,
        owner,
        repositories: repositories.filter(({ fullName }) => fullName.toLowerCase().includes(searchText)),
      })),
    )
    .filter(({ repositories }) => repositories.length > 0);
}

/** The IDs of the enabled repositories. */
export const enabledIdsOf = (providerRepos: ProviderRepos): Set<string> =>
  new Set(
    offersOf(providerRepos).flatMap(({ repositories }) =>
      repositories.filter(({ tracked }) => tracked).map(({ id }) => id),
    ),
  );

export type RepositorySelectionBody = CallInput<typeof enableRepositories>['body'];

/** Returns only the repositories with a changed state, as the request body. */
export function changedSelectionOf(providerRepos: ProviderRepos, chosen: ReadonlySet<string>): RepositorySelectionBody {
  const body: RepositorySelectionBody = { providerRepos: {} };
  for (const { provider, owner, repositories } of offersOf(providerRepos)) {
    const changed = repositories.filter(({ id, tracked }) => chosen.has(id) !== tracked);
    if (changed.length === 0) continue;
    body.providerRepos[provider] = {
      ...body.providerRepos[provider],
      [owner]: changed.map(({ id }) => ({ id, tracked: chosen.has(id) })),
    };
  }
  return body;
}
