import { type Provider, providers } from '@sightline/contract/core/providers.ts';
import type { chooseRepositories, ProviderRepos } from '@sightline/contract/sources/repositories.ts';
import type { z } from 'zod';

export interface Offered {
  id: string;
  name: string;
  fullName: string;
  isPrivate: boolean;
  pushedAt: string | null;
}

export interface Owner {
  provider: Provider;
  name: string;
  repositories: readonly Offered[];
}

/** Lists the offered repositories by owner: owners by name, repositories by last push. */
export const ownersOf = (offered: ProviderRepos): Owner[] =>
  providers.flatMap((provider) =>
    Object.entries(offered[provider] ?? {})
      .map(([name, repositories]) => ({ provider, name, repositories: [...repositories].sort(byLastPush) }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  );

/** Returns repositories whose full name contains the search text, without empty owners. */
export function matching(owners: readonly Owner[], search: string): Owner[] {
  const searchText = search.trim().toLowerCase();
  return owners
    .map((owner) => ({
      ...owner,
      repositories: owner.repositories.filter(({ fullName }) => fullName.toLowerCase().includes(searchText)),
    }))
    .filter(({ repositories }) => repositories.length > 0);
}

type RepositoryChoice = z.input<typeof chooseRepositories.body>['providerRepos'];

/** Returns the selected repositories only, because the endpoint changes only those it receives. */
export function toChoice(owners: readonly Owner[], chosen: ReadonlySet<string>): RepositoryChoice {
  const choice: RepositoryChoice = {};
  for (const { provider, name, repositories } of owners) {
    const enabled = repositories.filter(({ id }) => chosen.has(id)).map(({ id }) => ({ id, tracked: true }));
    if (enabled.length > 0) choice[provider] = { ...choice[provider], [name]: enabled };
  }
  return choice;
}

// ISO 8601 times in UTC sort as text. Repositories without a push sort last.
const byLastPush = (a: Offered, b: Offered) =>
  (b.pushedAt ?? '').localeCompare(a.pushedAt ?? '') || a.fullName.localeCompare(b.fullName);
