import type { listErasures } from '@sightline/contract/organization/erasure.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const erasureCsvColumns: CsvColumns<RowOf<typeof listErasures>> = {
  person: ({ person }) => person.name,
  email: ({ person }) => person.email,
  state: ({ state }) => state,
  basis: ({ basis }) => basis,
  'requested at': ({ requestedAt }) => requestedAt,
  'requested by': ({ requestedBy }) => requestedBy?.name,
  'decided at': ({ decidedAt }) => decidedAt,
  'decided by': ({ decidedBy }) => decidedBy?.name,
  reason: ({ reason }) => reason,
  'deletes the account': ({ deletesAccount }) => deletesAccount,
  rows: ({ rows }) => rows,
  'finished at': ({ finishedAt }) => finishedAt,
  id: ({ id }) => id,
};
