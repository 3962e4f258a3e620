import { listProviderRepos } from '@sightline/contract/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';

export interface RepositoryOption {
  value: string;
  label: string;
}

/** The enabled repositories, in the order of their names; empty until they are known. */
export function useRepositoryOptions(): readonly RepositoryOption[] {
  const { data } = useQuery({ ...ask(listProviderRepos, {}), meta: { quiet: true } });
  return Object.values(data?.providerRepos ?? {})
    .flatMap((byOwner) => Object.values(byOwner).flat())
    .filter(({ tracked }) => tracked)
    .map(({ id, fullName }) => ({ value: id, label: fullName }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'));
}
