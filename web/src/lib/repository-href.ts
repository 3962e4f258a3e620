import type { Provider } from '@sightline/contract/core/providers.ts';

/** The parts of a repository's page. The first one has the bare address. */
export const repositoryTabs = [
  'pull-requests',
  'vulnerabilities',
  'scans',
  'tools',
  'contributors',
  'settings',
] as const;
export type RepositoryTab = (typeof repositoryTabs)[number];

/** Where a repository is shown: `/repository/github/acme/api`, and `…/-/contributors` for its other parts. */
export function repositoryHref(repository: { provider: Provider; fullName: string }, tab?: RepositoryTab): string {
  const path = repository.fullName.split('/').map(encodeURIComponent).join('/');
  const rest = tab === undefined || tab === repositoryTabs[0] ? '' : `/-/${tab}`;
  return `/repository/${repository.provider}/${path}${rest}`;
}
