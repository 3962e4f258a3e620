import type { listSnapshots } from '@sightline/contract/compliance/snapshots.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const snapshotCsvColumns: CsvColumns<RowOf<typeof listSnapshots>> = {
  name: ({ name }) => name,
  from: ({ period }) => period.from,
  to: ({ period }) => period.to,
  state: ({ state }) => state,
  controls: ({ controls }) => controls,
  passing: ({ results }) => results.filter(({ status }) => status === 'passing').map(({ id }) => id),
  failing: ({ results }) => results.filter(({ status }) => status === 'failing').map(({ id }) => id),
  'missing evidence': ({ results }) =>
    results.filter(({ status }) => status === 'missing_evidence').map(({ id }) => id),
  redaction: ({ redaction }) => redaction,
  'ledger size': ({ ledger }) => ledger?.evaluated,
  'SHA-256 of the bundle': ({ bundle }) => bundle?.sha256,
  supersedes: ({ supersedes }) => supersedes?.name,
  'created at': ({ createdAt }) => createdAt,
  'created by': ({ createdBy }) => createdBy.name,
  id: ({ id }) => id,
  link: ({ id }, link) => link(`/evidence/snapshots/${id}`),
};
