import type { listScans } from '@sightline/contract/vulnerabilities/scans.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const scanCsvColumns: CsvColumns<RowOf<typeof listScans>> = {
  repository: ({ repository }) => repository.fullName,
  scanner: ({ tool }) => tool.name,
  version: ({ tool }) => tool.version,
  category: ({ category }) => category,
  ref: ({ ref }) => ref,
  commit: ({ commit }) => commit,
  state: ({ state }) => state,
  results: ({ received }) => received,
  new: ({ counts }) => counts?.new,
  fixed: ({ counts }) => counts?.fixed,
  reopened: ({ counts }) => counts?.reopened,
  rejected: ({ counts }) => counts?.rejected,
  incomplete: ({ incomplete }) => incomplete !== null,
  error: ({ error }) => error,
  'started by': ({ startedBy }) => startedBy,
  'received at': ({ receivedAt }) => receivedAt,
  'finished at': ({ finishedAt }) => finishedAt,
  id: ({ id }) => id,
};
