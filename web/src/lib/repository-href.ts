import type { Provider } from '@sightline/contract/core/providers.ts';

/** The tabs of a repository's page. The first one has no suffix. */
export const repositoryTabs = [
  'pull-requests',
  'vulnerabilities',
  'scans',
  'tools',
  'contributors',
  'settings',
] as const;
export type RepositoryTab = (typeof repositoryTabs)[number];

/** The URL of a repository: `/repository/github/acme/api`, and `…/-/contributors` for its other tabs. */
export function repositoryHref(repository: { provider: Provider; fullName: string }, tab?: RepositoryTab): string {
  const path = repository.fullName.split('/').map(encodeURIComponent).join('/');
  const suffix = tab === undefined || tab === repositoryTabs[0] ? '' : `/-/${tab}`;
  return `/repository/${repository.provider}/${path}${suffix}`;
}
