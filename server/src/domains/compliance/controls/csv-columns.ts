import type { listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const controlRowCsvColumns: CsvColumns<RowOf<typeof listControlRows>> = {
  item: ({ subject }) => subject,
  title: ({ item }) => item?.title,
  repository: ({ repository }) => repository?.fullName,
  verdict: ({ verdict }) => verdict,
  reasons: ({ explanations }) => explanations.map(({ text }) => text),
  severity: ({ item }) => item?.severity,
  due: ({ item }) => item?.dueAt,
  remediation: ({ remediation }) => remediation?.text,
  'ledger entry': ({ leaf }) => leaf,
  'version of the parameters': ({ setting }) => setting,
};
