import type { ControlId } from '../controls/catalog.ts';
import { catalogFile } from '../controls/catalog-file.ts';
import { isComplete } from '../controls/completeness.ts';
import { byCodeUnits } from '../controls/order.ts';
import { type CanonicalValue, canonicalJson } from '../ledger/canonical.ts';
import type { ChangeLink, ChangeLinks } from './change-links.ts';
import { csvOf } from './csv.ts';
import { happenedAt } from './evaluated-rows.ts';
import { type Names, namesCsv, namesPath } from './names.ts';
import type { ControlSummary, ControlWithRows } from './packed-run.ts';
import { type RemediationRecord, type RemediationTexts, remediatedAt, remediationKey } from './remediations.ts';

/**
 * Files about all controls that repeat the evidence in other forms. A verifier derives them again and detects
 * differences.
 */
export const derivedFiles = (
  all: readonly ControlSummary[],
  remediations: readonly RemediationRecord[],
  names: Names,
): readonly (readonly [path: string, text: string])[] => [
  ['controls/catalog.json', catalogFile()],
  ['csv/controls.csv', csvOf(summary(all))],
  ['csv/excluded.csv', csvOf(exclusionTable(all))],
  [namesPath, namesCsv(names)],
  ['csv/remediations.csv', csvOf(remediationTable(remediations))],
  ['csv/weakenings.csv', csvOf(weakeningTable(all))],
  ['missing-evidence.json', canonicalJson(all.flatMap(({ missingEvidence }) => missingEvidence))],
];

/** What the rows of a control show besides their facts. */
export interface RowNotes {
  readonly links: ChangeLinks;
  readonly remediations: RemediationTexts;
}

/** The rows of one control as CSV. */
export const controlCsv = (control: ControlWithRows, notes: RowNotes): readonly [path: string, text: string] => [
  `csv/${control.id}.csv`,
  csvOf(table(control, notes)),
];

const summary = (controls: readonly ControlSummary[]) => [
  ['control', 'status', 'population', 'pass', 'fail', 'waived', 'missing_evidence'],
  ...controls.map(({ id, run: { status, counts } }) => [
    id,
    status,
    counts.population,
    counts.pass,
    counts.fail,
    counts.waived,
    counts.missing_evidence,
  ]),
];

const exclusionTable = (controls: readonly ControlSummary[]) => [
  ['control', 'parameter', 'setting', 'items', 'by_default'],
  ...controls.flatMap(({ id, run: { exclusions } }) =>
    exclusions.map(({ parameter, setting, items, byDefault }) => [id, parameter, setting, items, byDefault]),
  ),
];

const weakeningTable = (controls: readonly ControlSummary[]) => [
  [
    'control',
    'at',
    'policy',
    'version',
    'parameter',
    'repositories',
    'before',
    'after',
    'author',
    'approver',
    'self_approved',
    'ledger_index',
  ],
  ...controls.flatMap(({ id, weakenings }) =>
    weakenings.map((one) => [
      ...[id, one.at, one.policy, one.version, one.parameter, one.repositories, one.before, one.after],
      ...[one.author, one.approver, one.selfApproved ? 'yes' : 'no', one.entry],
    ]),
  ),
];

/** One line for each retest, or one for a remediation without retests. */
const remediationTable = (remediations: readonly RemediationRecord[]) => [
  [
    ...['control', 'subject', 'repository', 'failed_at', 'period_from', 'period_to', 'reasons', 'owner', 'due_on'],
    ...['ticket', 'remediated_at', 'retested_at', 'retest_result', 'retested_by', 'result', 'ledger_index'],
  ],
  ...remediations.flatMap((one) => {
    const { control, subject, repository, failure, changes, retests, result } = one;
    const last = changes.at(-1);
    const { at, period } = failure.evaluation;
    return (retests.length > 0 ? retests : [null]).map((retest) => [
      ...[control, subject, repository, at, period.from, period.to, failure.reasons.join(' ')],
      ...[last?.owner ?? null, last?.dueOn ?? null, last?.ticketUrl ?? null, remediatedAt(one)],
      ...[retest?.at ?? null, retest?.result ?? null, retest?.by ?? null, result],
      retest?.entry ?? last?.entry ?? null,
    ]);
  }),
];

const table = ({ id, rows }: ControlWithRows, { links, remediations }: RowNotes) => [
  [
    ...[
      'subject',
      'repository',
      'happened_at',
      'verdict',
      'reasons',
      'setting',
      'ledger_index',
      'pull_request',
      'link',
    ],
    'remediation',
  ],
  ...rows.map(({ row, verdict, reasons, setting }) => [
    row.subject,
    row.repository,
    happenedAt(id, row),
    verdict,
    reasons.join(' '),
    setting,
    row.leaf,
    ...linkCells(row.leaf === null ? undefined : links.get(row.leaf)),
    remediations.get(remediationKey(id, row.subject)) ?? null,
  ]),
];

const linkCells = (link: ChangeLink | undefined) => (link ? [link.name, link.url] : [null, null]);

/** IDs of the repositories of the rows, in their order. */
export const repositoriesOfRows = ({ rows }: Pick<ControlWithRows, 'rows'>): readonly string[] =>
  [...new Set(rows.flatMap(({ row }) => row.repository ?? []))].toSorted(byCodeUnits);

/** Number of failing rows without a remediation. */
export const unassignedFailuresOf = ({ id, rows }: ControlWithRows, remediations: RemediationTexts): number =>
  rows.filter(({ row, verdict }) => verdict === 'fail' && !remediations.has(remediationKey(id, row.subject))).length;

/**
 * Missing evidence of a control: number and time range of rows per reason, incomplete sources of its population, and
 * parameters that excluded all of it.
 */
export function missingEvidenceOf({ id, rows, run }: ControlWithRows): readonly CanonicalValue[] {
  const causes = new Map<string, { rows: number; from: string; to: string }>();
  for (const { row, verdict, reasons } of rows) {
    if (verdict !== 'missing_evidence') continue;
    const at = happenedAt(id, row);
    for (const reason of reasons) {
      const cause = causes.get(reason);
      if (!cause) causes.set(reason, { rows: 1, from: at, to: at });
      else {
        cause.rows += 1;
        if (at < cause.from) cause.from = at;
        if (at > cause.to) cause.to = at;
      }
    }
  }
  const short = run.completeness.filter((one) => !isComplete(one));
  return [
    ...[...causes]
      .toSorted(([one], [other]) => byCodeUnits(one, other))
      .map(([cause, span]) => ({ control: id, cause, ...span })),
    ...short.map(({ source, expected, found }) => ({ control: id, cause: 'rows_missing', source, expected, found })),
    ...(run.counts.population > 0 ? [] : run.exclusions)
      .filter(({ items, byDefault }) => items > byDefault)
      .map((one) => ({ control: id, cause: 'all_rows_excluded', ...one })),
  ];
}

export const derivedPaths = (ids: readonly ControlId[]): readonly string[] => [
  'controls/catalog.json',
  'csv/controls.csv',
  'csv/excluded.csv',
  namesPath,
  'csv/remediations.csv',
  'csv/weakenings.csv',
  ...ids.map((id) => `csv/${id}.csv`),
  'missing-evidence.json',
];
