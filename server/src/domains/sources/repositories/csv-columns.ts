import type { listRepositories } from '@sightline/contract/sources/repositories.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const repositoryCsvColumns: CsvColumns<RowOf<typeof listRepositories>> = {
  'code host': ({ provider }) => provider,
  repository: ({ fullName }) => fullName,
  'default branch': ({ defaultBranch }) => defaultBranch,
  private: ({ isPrivate }) => isPrivate,
  'last change': ({ lastChange }) => lastChange,
  'open pull requests': ({ openPullRequests }) => openPullRequests,
  scanners: ({ scannerStatus }) => scannerStatus,
  critical: ({ severityCounts }) => severityCounts?.critical,
  high: ({ severityCounts }) => severityCounts?.high,
  medium: ({ severityCounts }) => severityCounts?.medium,
  low: ({ severityCounts }) => severityCounts?.low,
  import: (repository) => repository.import?.state,
  id: ({ id }) => id,
  url: ({ url }) => url,
};
