import type { CallInput } from '@sightline/contract/core/endpoint.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import type { chooseRepositories, ProviderRepos } from '@sightline/contract/sources/repositories.ts';

type Offer = NonNullable<ProviderRepos[Provider]>[string][number];

/** What one owner offers at one code host. */
export interface OwnerOffer {
  provider: Provider;
  owner: string;
  repositories: readonly Offer[];
}

/** The offer as groups, by provider and owner; with words, only what has them in its name. */
export function offersOf(providerRepos: ProviderRepos, words = ''): OwnerOffer[] {
  const wanted = words.trim().toLowerCase();
  return Object.entries(providerRepos)
    .flatMap(([provider, owners]) =>
      Object.entries(owners ?? {}).map(([owner, repositories]) => ({
        provider: provider as Provider,
        owner,
        repositories: repositories.filter(({ fullName }) => fullName.toLowerCase().includes(wanted)),
      })),
    )
    .filter(({ repositories }) => repositories.length > 0);
}

/** The ids of what is enabled now. */
export const trackedIn = (providerRepos: ProviderRepos): Set<string> =>
  new Set(
    offersOf(providerRepos).flatMap(({ repositories }) =>
      repositories.filter(({ tracked }) => tracked).map(({ id }) => id),
    ),
  );

export type ChoiceBody = CallInput<typeof chooseRepositories>['body'];

/** The part of the offer whose state would change, as the call wants it. */
export function changesOf(providerRepos: ProviderRepos, chosen: ReadonlySet<string>): ChoiceBody {
  const body: ChoiceBody = { providerRepos: {} };
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
