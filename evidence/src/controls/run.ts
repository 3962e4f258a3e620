import type { Control } from './control.ts';
import { byCodeUnits } from './order.ts';
import { defaultsOf, type Parameters, type SettingOf } from './parameters.ts';
import type { PopulationRow } from './rows.ts';
import type { SourceId } from './sources.ts';
import { timeOf } from './times.ts';
import { countsOf, type Evaluation, type Status, statusOf, type VerdictTally } from './verdicts.ts';

/** What a policy set, for the time it was valid. */
export interface SettingVersion<S> {
  /** Unique among the versions of a control. */
  readonly version: number;
  readonly from: string;
  /** Null: it holds on. */
  readonly until: string | null;
  /** Ids of the repositories it is about; null: all. */
  readonly repositories: readonly string[] | null;
  readonly setting: S;
}

/** How many rows a source must give, counted elsewhere, and how many came. `expected` null: nobody could count. */
export interface Completeness {
  readonly source: SourceId;
  readonly expected: number | null;
  readonly found: number;
}

export interface VerdictRow extends Evaluation {
  readonly subject: string;
  readonly leaf: number | null;
  readonly leaves: readonly number[];
  /** The version of the setting that evaluated it; 0: what holds until somebody sets anything. */
  readonly setting: number;
}

export interface ControlRun {
  readonly control: string;
  /** By when it happened, then by subject. */
  readonly rows: readonly VerdictRow[];
  readonly counts: VerdictTally;
  readonly status: Status;
  readonly completeness: readonly Completeness[];
}

/** A population that is evaluated as it comes: of what was evaluated only the verdicts are kept. */
export interface Evaluator<Row> {
  /** Throws a RangeError where a row has the subject of an earlier one, or a time is none. */
  add: (rows: readonly Row[]) => void;
  /** How many rows are in the population so far. */
  size: () => number;
  finish: (completeness: readonly Completeness[]) => ControlRun;
}

/**
 * Evaluates every row of a population by the setting that was valid when the thing happened. The order of rows and versions
 * changes nothing. A population that may lack rows is never met, whatever the rows that are there say. Throws a RangeError
 * where two rows have one subject, two versions one number, or a time is none.
 */
export function runControl<Row extends PopulationRow, P extends Parameters>(
  control: Control<Row, P>,
  rows: readonly Row[],
  versions: readonly SettingVersion<SettingOf<P>>[],
  completeness: readonly Completeness[],
): ControlRun {
  const population = createEvaluator(control, versions);
  population.add(rows);
  return population.finish(completeness);
}

/** The same for a population that is too large to be held at once. */
export function createEvaluator<Row extends PopulationRow, P extends Parameters>(
  control: Control<Row, P>,
  versions: readonly SettingVersion<SettingOf<P>>[],
): Evaluator<Row> {
  if (new Set(versions.map(({ version }) => version)).size < versions.length) {
    throw new RangeError('two have one version');
  }
  const subjects = new Set<string>();
  const evaluated: { at: number; row: VerdictRow }[] = [];
  return {
    add(rows) {
      for (const row of rows) {
        const { subject, leaf, leaves } = row;
        if (subjects.has(subject)) throw new RangeError('two have one subject');
        subjects.add(subject);
        const at = timeOf(control.happenedAt(row));
        const { version, setting } = settingAt(control.parameters, versions, at, row.repository);
        if (!control.isInPopulation(row, setting)) continue;
        evaluated.push({ at, row: { subject, leaf, leaves, setting: version, ...control.evaluate(row, setting) } });
      }
    },
    size: () => evaluated.length,
    finish(completeness) {
      evaluated.sort((a, b) => a.at - b.at || byCodeUnits(a.row.subject, b.row.subject));
      const rows = evaluated.map(({ row }) => row);
      const counts = countsOf(rows);
      return { control: control.id, rows, counts, status: statusWith(counts, completeness), completeness };
    },
  };
}

/** What held for a repository at a moment; version 0: the defaults. */
export const settingAt = <P extends Parameters>(
  parameters: P,
  versions: readonly SettingVersion<SettingOf<P>>[],
  at: number,
  repository: string | null,
): { readonly version: number; readonly setting: SettingOf<P> } =>
  versionAt(versions, at, repository) ?? { version: 0, setting: defaultsOf(parameters) };

/** Of the versions valid then, one that names the repository before one for all, and then the latest. */
function versionAt<S>(
  versions: readonly SettingVersion<S>[],
  at: number,
  repository: string | null,
): SettingVersion<S> | undefined {
  const valid = versions.filter(
    ({ from, until, repositories }) =>
      timeOf(from) <= at &&
      (until === null || at < timeOf(until)) &&
      (repositories === null || (repository !== null && repositories.includes(repository))),
  );
  const named = (version: SettingVersion<S>) => (version.repositories === null ? 0 : 1);
  return valid.toSorted((a, b) => named(b) - named(a) || timeOf(b.from) - timeOf(a.from) || b.version - a.version)[0];
}

function statusWith(counts: VerdictTally, completeness: readonly Completeness[]): Status {
  const status = statusOf(counts);
  const isWhole = completeness.every(({ expected, found }) => expected !== null && found >= expected);
  return isWhole || status === 'failing' ? status : 'missing_evidence';
}
