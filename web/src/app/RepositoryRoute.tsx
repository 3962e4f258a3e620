import { lazy } from 'react';
import { RepositoryLayout, type RepositoryPages } from '#domains/sources/repositories/RepositoryLayout.tsx';

/**
 * A repository with all its tabs. Located here, since tabs belong to several features, which never import each other.
 */
export const RepositoryRoute = () => <RepositoryLayout pages={pages} />;

const pages: RepositoryPages = {
  'pull-requests': lazy(async () => ({
    default: (await import('#domains/sources/repositories/PullRequestsPage.tsx')).PullRequestsPage,
  })),
  vulnerabilities: lazy(async () => ({
    default: (await import('./RepositoryFindings.tsx')).RepositoryFindings,
  })),
  scans: lazy(async () => ({
    default: (await import('./RepositoryScans.tsx')).RepositoryScans,
  })),
  tools: lazy(async () => ({
    default: (await import('#domains/tools/tools/RepositoryToolsPage.tsx')).RepositoryToolsPage,
  })),
  contributors: lazy(async () => ({
    default: (await import('#domains/sources/repositories/ContributorsPage.tsx')).ContributorsPage,
  })),
  settings: lazy(async () => ({
    default: (await import('#domains/sources/repositories/RepositorySettingsPage.tsx')).RepositorySettingsPage,
  })),
};
