import type { listAuditStreams } from '@sightline/contract/organization/audit-streams.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const auditStreamCsvColumns: CsvColumns<RowOf<typeof listAuditStreams>> = {
  name: ({ name }) => name,
  kind: ({ kind }) => kind,
  state: ({ state }) => state,
  'last delivered at': ({ lastDeliveredAt }) => lastDeliveredAt,
  'entries not delivered': ({ behind }) => behind,
  failure: ({ failure }) => failure?.reason,
  'created by': ({ createdBy }) => createdBy.name,
  'created at': ({ createdAt }) => createdAt,
  id: ({ id }) => id,
};
