import {
  evidenceDestinationKindNames,
  type listEvidenceDestinations,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const evidenceDestinationCsvColumns: CsvColumns<RowOf<typeof listEvidenceDestinations>> = {
  name: ({ name }) => name,
  kind: ({ kind }) => evidenceDestinationKindNames[kind],
  state: ({ state }) => state,
  'last delivery': ({ last }) => last?.state,
  'last snapshot': ({ last }) => last?.snapshot.name,
  'created by': ({ createdBy }) => createdBy.name,
  'created at': ({ createdAt }) => createdAt,
  id: ({ id }) => id,
};
