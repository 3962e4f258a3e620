import type { listRemediations } from '@sightline/contract/compliance/remediations.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const remediationCsvColumns: CsvColumns<RowOf<typeof listRemediations>> = {
  control: ({ control }) => control,
  item: ({ subject }) => subject,
  title: ({ title }) => title,
  repository: ({ repository }) => repository?.fullName,
  state: ({ state }) => state,
  'failed at': ({ failure }) => failure.at,
  reasons: ({ failure }) => failure.reasons,
  owner: ({ owner }) => owner?.name,
  'due on': ({ dueOn }) => dueOn,
  ticket: ({ ticketUrl }) => ticketUrl,
  'remediated at': ({ remediatedAt }) => remediatedAt,
  'last retest at': ({ retests }) => retests.at(-1)?.at,
  'last retest result': ({ retests }) => retests.at(-1)?.result,
  summary: ({ text }) => text,
  notes: ({ notes }) => notes,
  id: ({ id }) => id,
};
