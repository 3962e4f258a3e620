import type { listWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const waiverCsvColumns: CsvColumns<RowOf<typeof listWaivers>> = {
  control: ({ control }) => control,
  item: ({ subject }) => subject,
  vulnerability: ({ finding }) => finding?.title,
  severity: ({ finding }) => finding?.severity,
  repository: ({ repository }) => repository?.fullName,
  state: ({ state }) => state,
  reason: ({ reason }) => reason,
  'requested by': ({ requestedBy }) => requestedBy.name,
  'requested at': ({ requestedAt }) => requestedAt,
  until: ({ until }) => until,
  'decided by': ({ decidedBy }) => decidedBy?.name,
  'decided at': ({ decidedAt }) => decidedAt,
  'comment of the decision': ({ decision }) => decision,
  id: ({ id }) => id,
};
