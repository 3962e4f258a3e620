import { definitions } from '../controls/catalog.ts';
import { expectedText } from '../controls/completeness.ts';
import { frameworks } from '../controls/crosswalk.ts';
import type { EvaluatedRow } from '../controls/evidence-line.ts';
import { explainReason } from '../controls/reasons.ts';
import { drawSample, sampleSeed } from '../controls/sample.ts';
import { statusLabels } from '../controls/verdicts.ts';
import { type CanonicalValue, isRecord } from '../ledger/canonical.ts';
import type { RowNotes } from './derived-files.ts';
import { happenedAt, SAMPLE_SIZE } from './evaluated-rows.ts';
import type { ControlWithRows } from './packed-run.ts';
import { remediationKey } from './remediations.ts';
import type { BundleScope, Tree } from './scope.ts';
import { approvalText } from './weakening.ts';

/** Maximum number of rows of a control in the report. The evidence file contains all rows. */
export const MAX_REPORT_ROWS = 1_000;

/** Builds the report data of a control, so that its rows can be released before rendering. */
export function reportOfControl(
  { id, rows, run, settings, weakenings }: ControlWithRows,
  {
    scope,
    evaluated,
    links,
    remediations,
  }: RowNotes & {
    readonly scope: Pick<BundleScope, 'period'>;
    readonly evaluated: Pick<Tree, 'root'>;
  },
): CanonicalValue {
  const definition = definitions.find((one) => one.id === id);
  const drawn = drawSample(
    rows.map(({ row }) => row),
    sampleSeed({ root: evaluated.root, control: id, period: scope.period }),
    SAMPLE_SIZE,
  );
  const textOf = ({ row }: EvaluatedRow) => remediations.get(remediationKey(id, row.subject));
  const shown = shownOf(rows, (row) => textOf(row) !== undefined);
  const codes = new Set(shown.flatMap(({ reasons }) => reasons));
  return {
    id,
    title: definition?.title ?? id,
    rule: definition?.rule ?? '',
    status: run.status,
    statusText: statusLabels[run.status],
    counts: { ...run.counts },
    completeness: run.completeness.map((one) => [one.source, expectedText(one), String(one.found)]),
    exclusions: run.exclusions.map(({ parameter, setting, items, byDefault }) => [
      (definition?.parameters[parameter] ?? { title: parameter }).title,
      String(setting),
      String(items),
      String(byDefault),
    ]),
    weakenings: weakenings.map((one) => [
      one.at,
      `${one.policy} version ${one.version}`,
      (definition?.parameters[one.parameter] ?? { title: one.parameter }).title,
      one.before,
      one.after,
      `${approvalText(one)}. Author: ${one.author ?? 'unknown'}${one.approver === null ? '' : `, approver: ${one.approver}`}`,
    ]),
    settings: settingsOf(settings),
    requirements: Object.entries(definition?.crosswalk ?? {}).flatMap(([framework, ids]) =>
      ids === undefined || ids.length === 0
        ? []
        : [`${frameworks[framework as keyof typeof frameworks]}: ${(ids as readonly string[]).join(', ')}`],
    ),
    sample: drawn.map(({ leaf, subject }) => [leaf === null ? '' : String(leaf), subject]),
    // A row that failed in the period has its original result, also if it passes now.
    rows: shown.map((one) => [
      one.row.leaf === null ? '' : String(one.row.leaf),
      one.row.subject,
      happenedAt(id, one.row),
      textOf(one) ?? one.verdict,
      one.reasons.join(' '),
    ]),
    // Of each row, in the same order.
    links: shown.map(({ row: { leaf } }) => {
      const link = leaf === null ? undefined : links.get(leaf);
      return link ? { ...link } : null;
    }),
    left: rows.length - shown.length,
    reasons: [...new Map([...codes].flatMap((code) => wordsOf(code)))].map(([code, text]) => [code, text]),
  };
}

/** All rows if few, otherwise the rows that did not pass or failed before, up to the maximum. */
const shownOf = (rows: readonly EvaluatedRow[], hasFailed: (row: EvaluatedRow) => boolean): readonly EvaluatedRow[] =>
  rows.length <= MAX_REPORT_ROWS
    ? rows
    : rows.filter((one) => one.verdict !== 'pass' || hasFailed(one)).slice(0, MAX_REPORT_ROWS);

function wordsOf(reason: string): (readonly [string, string])[] {
  const explained = explainReason(reason);
  return explained ? [[explained.code, explained.text]] : [];
}

/** The parameters of a control with their start; empty: the defaults at all times. */
const settingsOf = (settings: readonly unknown[]): CanonicalValue =>
  settings.flatMap((one) => {
    const {
      version = 0,
      from = '',
      until = null,
      repositories = null,
      setting = {},
    } = one as { [key: string]: CanonicalValue };
    const parameters = isRecord(setting)
      ? Object.entries(setting).map(([name, value]) => `${name}: ${formatPlain(value)}`)
      : [];
    return [
      [
        String(version),
        `${String(from)} to ${until === null ? 'now' : String(until)}`,
        repositories === null ? 'All' : formatPlain(repositories),
        parameters.join('; '),
      ],
    ];
  });

const formatPlain = (value: CanonicalValue): string =>
  Array.isArray(value)
    ? value.map(formatPlain).join(', ') || 'none'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
