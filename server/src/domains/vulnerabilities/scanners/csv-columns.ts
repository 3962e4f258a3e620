import type { listScannerProjects } from '@sightline/contract/sources/integrations.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const scannerProjectCsvColumns: CsvColumns<RowOf<typeof listScannerProjects>> = {
  name: ({ name }) => name,
  'repository URL': ({ repoUrl }) => repoUrl,
  repository: ({ repository }) => repository?.fullName,
  'matched by': ({ matchedBy }) => matchedBy,
  'last scan': ({ lastScanAt }) => lastScanAt,
  id: ({ id }) => id,
};
