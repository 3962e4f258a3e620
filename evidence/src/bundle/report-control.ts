import { definitions } from '../controls/catalog.ts';
import { frameworks } from '../controls/crosswalk.ts';
import type { EvaluatedRow } from '../controls/evidence-line.ts';
import { explainReason } from '../controls/reasons.ts';
import { drawSample, sampleSeed } from '../controls/sample.ts';
import { statusLabels } from '../controls/verdicts.ts';
import { isRecord, type Plain } from '../ledger/canonical.ts';
import { happenedAt, sampleSize } from './evaluated-rows.ts';
import type { ControlWithRows } from './packed-run.ts';
import type { Contents } from './scope.ts';

/** How many rows of a control stand in the report; the file of its evidence has all. */
export const mostRows = 1_000;

/** What the report says of a control: ready to be drawn, so that its rows need not be held until then. */
export function reportOfControl(
  { id, rows, run, settings }: ControlWithRows,
  { scope, evaluated }: Pick<Contents, 'scope' | 'evaluated'>,
): Plain {
  const definition = definitions.find((one) => one.id === id);
  const drawn = drawSample(
    rows.map(({ row }) => row),
    sampleSeed({ root: evaluated.root, control: id, period: scope.period }),
    sampleSize,
  );
  const shown = shownOf(rows);
  const codes = new Set(shown.flatMap(({ reasons }) => reasons));
  return {
    id,
    title: definition?.title ?? id,
    rule: definition?.rule ?? '',
    status: run.status,
    statusSays: statusLabels[run.status],
    counts: { ...run.counts },
    completeness: run.completeness.map(({ source, expected, found }) => [
      source,
      expected === null ? 'unknown' : String(expected),
      String(found),
    ]),
    settings: settingsOf(settings),
    requirements: Object.entries(definition?.crosswalk ?? {}).flatMap(([framework, ids]) =>
      ids === undefined || ids.length === 0
        ? []
        : [`${frameworks[framework as keyof typeof frameworks]}: ${(ids as readonly string[]).join(', ')}`],
    ),
    sample: drawn.map(({ leaf, subject }) => [leaf === null ? '' : String(leaf), subject]),
    rows: shown.map(({ row, verdict, reasons }) => [
      row.leaf === null ? '' : String(row.leaf),
      row.subject,
      happenedAt(id, row),
      verdict,
      reasons.join(' '),
    ]),
    left: rows.length - shown.length,
    reasons: [...new Map([...codes].flatMap((code) => wordsOf(code)))].map(([code, says]) => [code, says]),
  };
}

/** All rows where they are few; else those that did not pass, as many as there is place for. */
const shownOf = (rows: readonly EvaluatedRow[]): readonly EvaluatedRow[] =>
  rows.length <= mostRows ? rows : rows.filter(({ verdict }) => verdict !== 'pass').slice(0, mostRows);

function wordsOf(reason: string): (readonly [string, string])[] {
  const said = explainReason(reason);
  return said ? [[said.code, said.text]] : [];
}

/** What a control was set to, and since when; empty: by its defaults all the time. */
const settingsOf = (settings: readonly unknown[]): Plain =>
  settings.flatMap((one) => {
    const { version = 0, from = '', until = null, repositories = null, setting = {} } = one as { [key: string]: Plain };
    const said = isRecord(setting) ? Object.entries(setting).map(([name, value]) => `${name}: ${plainly(value)}`) : [];
    return [
      [
        String(version),
        `${String(from)} to ${until === null ? 'now' : String(until)}`,
        repositories === null ? 'All' : plainly(repositories),
        said.join('; '),
      ],
    ];
  });

const plainly = (value: Plain): string =>
  Array.isArray(value)
    ? value.map(plainly).join(', ') || 'none'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
