import { type ControlId, catalogVersion } from '../controls/catalog.ts';
import type { Completeness } from '../controls/completeness.ts';
import type { Control } from '../controls/control.ts';
import { controls } from '../controls/control-list.ts';
import {
  type EvaluatedRow,
  type ExcludedPopulationRow,
  evidenceLine,
  excludedLine,
  rowsHash,
} from '../controls/evidence-line.ts';
import type { Parameters, SettingOf } from '../controls/parameters.ts';
import type { PopulationRow } from '../controls/rows.ts';
import { type ControlRun, runControl, type SettingVersion } from '../controls/run.ts';
import { drawSample, sampleSeed } from '../controls/sample.ts';
import { toHex } from '../ledger/bytes.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';
import { textsOf } from './lines.ts';
import { type RunFacts, runSubject } from './run-entry.ts';
import type { BundleRun, BundleScope, Tree } from './scope.ts';

/** Path of the rows that parameters excluded from the population of a control. */
export const excludedPath = (id: string): string => `excluded/${id}.jsonl`;

/** Number of rows in the sample for auditors. */
export const SAMPLE_SIZE = 25;

/** The result of an evaluation: the run, each row with its verdict, and each excluded row, in the order of the run. */
export interface EvaluatedRows {
  readonly run: ControlRun;
  readonly rows: readonly EvaluatedRow[];
  readonly excluded: readonly ExcludedPopulationRow[];
}

/** Evaluates rows of the given control. Throws as `runControl` does, and for rows of another control. */
export function evaluateRows(
  id: ControlId,
  rows: readonly PopulationRow[],
  settings: readonly SettingVersion<unknown>[],
  completeness: readonly Completeness[],
): EvaluatedRows {
  // The types cannot relate a control ID to its rows. `evaluate` throws for a row of another control.
  const control = controls[id] as unknown as Control<PopulationRow, Parameters>;
  const run = runControl(control, rows, settings as readonly SettingVersion<SettingOf<Parameters>>[], completeness);
  const bySubject = new Map(rows.map((row) => [row.subject, row]));
  const evaluated = run.rows.flatMap(({ subject, verdict, reasons, setting }) => {
    const row = bySubject.get(subject);
    return row ? [{ row, verdict, reasons, setting }] : [];
  });
  const excluded = run.excluded.flatMap(({ subject, ...item }) => {
    const row = bySubject.get(subject);
    return row ? [{ row, ...item }] : [];
  });
  return { run, rows: evaluated, excluded };
}

export const happenedAt = (id: ControlId, row: PopulationRow): string =>
  (controls[id] as unknown as Control<PopulationRow, Parameters>).happenedAt(row);

/** Returns the content of the ledger entry of a run. */
export function runFactsOf(
  scope: Pick<BundleScope, 'period' | 'repositories'>,
  evaluated: RunFacts['evaluated'],
  { control, settings, completeness, rows, excluded, weakenings }: Omit<BundleRun, 'leaf'>,
  { counts, exclusions, status }: Pick<ControlRun, 'counts' | 'exclusions' | 'status'>,
): RunFacts {
  const { period, repositories } = scope;
  return {
    control,
    period,
    repositories,
    evaluated,
    settings,
    completeness,
    counts,
    exclusions,
    weakenings,
    status,
    rowsSha256: hashOfLines(textsOf(rows, evidenceLine)),
    excludedSha256: hashOfLines(textsOf(excluded, excludedLine)),
  };
}

function hashOfLines(lines: Iterable<string>): string {
  const hash = rowsHash();
  for (const line of lines) hash.add(line);
  return toHex(hash.digest());
}

/** Builds `controls/<id>.json`. */
export function controlFile(
  facts: RunFacts,
  leaf: number,
  rows: readonly EvaluatedRow[],
  evaluated: Tree,
): CanonicalValue {
  const seed = sampleSeed({ root: evaluated.root, control: facts.control, period: facts.period });
  const sample = drawSample(
    rows.map(({ row }) => row),
    seed,
    SAMPLE_SIZE,
  );
  return {
    ...runSubject(facts),
    id: facts.control,
    catalog: catalogVersion,
    settings: facts.settings as unknown as CanonicalValue,
    run: leaf,
    evidence: `evidence/${facts.control}.jsonl`,
    excluded: excludedPath(facts.control),
    sample: { seed, size: SAMPLE_SIZE, rows: sample.map(({ leaf: of, subject }) => ({ leaf: of, subject })) },
  };
}
