import { type Provider, provider } from '@sightline/contract/core/providers.ts';
import { useParams } from '@tanstack/react-router';
import { type RepositoryTab, repositoryTabs } from '#lib/repository-href.ts';

export interface RepositoryAddress {
  provider: Provider;
  /** `owner/name`, with more segments for nested groups. */
  repoPath: string;
  tab: RepositoryTab;
}

/** Parses a path from `repositoryHref`; undefined for anything that cannot name a repository. */
export function parseRepositoryAddress(host: string, path: string): RepositoryAddress | undefined {
  const known = provider.safeParse(host);
  const parts = path.split('/').filter((part) => part !== '');
  const tab = tabAt(parts);
  const repoPath = (tab ? parts.slice(0, -2) : parts).join('/');
  if (!known.success || !repoPath.includes('/')) return undefined;
  return { provider: known.data, repoPath, tab: tab ?? repositoryTabs[0] };
}

/** The repository in the address. */
export function useRepositoryAddress(): RepositoryAddress | undefined {
  const params: { provider?: string; owner?: string; _splat?: string } = useParams({ strict: false });
  return parseRepositoryAddress(params.provider ?? '', `${params.owner ?? ''}/${params._splat ?? ''}`);
}

// Groups nest to any depth and may be named 'settings', so a `-` segment separates the tab from the path.
function tabAt(parts: readonly string[]): RepositoryTab | undefined {
  if (parts.length < 4 || parts.at(-2) !== '-') return undefined;
  return repositoryTabs.find((tab) => tab === parts.at(-1));
}
