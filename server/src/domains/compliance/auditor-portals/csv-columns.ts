import type { listPortals } from '@sightline/contract/compliance/auditor-portals.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const portalCsvColumns: CsvColumns<RowOf<typeof listPortals>> = {
  name: ({ name }) => name,
  auditor: ({ auditor }) => auditor.name,
  'email of the auditor': ({ auditor }) => auditor.email,
  snapshots: ({ snapshots }) => snapshots.map(({ name }) => name),
  state: ({ state }) => state,
  'created at': ({ createdAt }) => createdAt,
  'created by': ({ createdBy }) => createdBy.name,
  'expires at': ({ expiresAt }) => expiresAt,
  'revoked at': ({ revokedAt }) => revokedAt,
  views: ({ views }) => views,
  'last view': ({ lastViewAt }) => lastViewAt,
  requests: ({ requests }) => requests,
  'open requests': ({ openRequests }) => openRequests,
  'overdue requests': ({ overdueRequests }) => overdueRequests,
  id: ({ id }) => id,
  link: ({ id }, link) => link(`/evidence/auditor-portals/${id}`),
};
