import { listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';

export interface RepositoryOption {
  value: string;
  label: string;
}

/** The enabled repositories by name; undefined while loading, empty if they cannot be read. */
export function useRepositoryOptions(): readonly RepositoryOption[] | undefined {
  const { data, isPending } = useQuery({ ...endpointQuery(listProviderRepos, {}), meta: { quiet: true } });
  if (isPending) return undefined;
  return Object.values(data?.providerRepos ?? {})
    .flatMap((byOwner) => Object.values(byOwner).flat())
    .filter(({ tracked }) => tracked)
    .map(({ id, fullName }) => ({ value: id, label: fullName }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'));
}
