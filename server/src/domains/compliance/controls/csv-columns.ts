import type { listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import type { listControls } from '@sightline/contract/compliance/control-runs.ts';
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

export const controlCsvColumns: CsvColumns<RowOf<typeof listControls>> = {
  control: ({ id }) => id,
  title: ({ title }) => title,
  frameworks: ({ crosswalk }) => crosswalk.map(({ framework }) => framework),
  status: ({ result }) => result?.status ?? 'not_evaluated',
  passing: ({ result }) => result?.counts.pass,
  failing: ({ result }) => result?.counts.fail,
  waived: ({ result }) => result?.counts.waived,
  'missing evidence': ({ result }) => result?.counts.missing_evidence,
  link: ({ id }, link) => link(`/evidence/controls/${id}`),
};
