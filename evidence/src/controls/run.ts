import { type Completeness, isComplete } from './completeness.ts';
import type { Control } from './control.ts';
import { type ExcludedItem, type Exclusion, exclusionsOf, isEmptiedBySettings } from './exclusions.ts';
import { byCodeUnits } from './order.ts';
import { defaultsOf, type Parameters, type SettingOf } from './parameters.ts';
import type { PopulationRow } from './rows.ts';
import { parseTime } from './times.ts';
import { countsOf, type Evaluation, type Status, statusOf, type VerdictTally } from './verdicts.ts';

/** The setting of a policy with the time in which it was in force. */
export interface SettingVersion<S> {
  /** Unique among the versions of a control. */
  readonly version: number;
  readonly from: string;
  /** Null: still in force. */
  readonly until: string | null;
  /** IDs of the repositories; null: all. */
  readonly repositories: readonly string[] | null;
  readonly setting: S;
}

export interface VerdictRow extends Evaluation {
  readonly subject: string;
  /** Ledger index of the entry that records the item; null without one in this epoch. */
  readonly leaf: number | null;
  /** Ledger indexes of all entries that the row depends on. */
  readonly leaves: readonly number[];
  /** The version of the applied setting; 0: the defaults. */
  readonly setting: number;
}

export interface ExcludedRow extends ExcludedItem {
  readonly subject: string;
}

export interface ControlRun {
  readonly control: string;
  /** By time of occurrence, then by subject. */
  readonly rows: readonly VerdictRow[];
  /** Rows that parameters excluded, in the same order. */
  readonly excluded: readonly ExcludedRow[];
  readonly exclusions: readonly Exclusion[];
  readonly counts: VerdictTally;
  readonly status: Status;
  readonly completeness: readonly Completeness[];
}

/** Evaluates a population incrementally and keeps only the verdicts. */
export interface Evaluator<Row> {
  /** Throws a RangeError for a duplicate subject or an invalid time. */
  add: (rows: readonly Row[]) => void;
  /** Number of rows in the population so far. */
  size: () => number;
  finish: (completeness: readonly Completeness[]) => ControlRun;
}

/**
 * Evaluates all rows of a population by the setting in force at the time of the item. The order of rows and versions
 * does not matter. An incomplete population never passes, and one that settings emptied is missing evidence. Throws a
 * RangeError for duplicate subjects, duplicate version numbers and invalid times.
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

/** The same for a population that is too large for memory. */
export function createEvaluator<Row extends PopulationRow, P extends Parameters>(
  control: Control<Row, P>,
  versions: readonly SettingVersion<SettingOf<P>>[],
): Evaluator<Row> {
  if (new Set(versions.map(({ version }) => version)).size < versions.length) {
    throw new RangeError('two have one version');
  }
  const subjects = new Set<string>();
  const defaults = defaultsOf(control.parameters);
  const evaluated: TimedRow<VerdictRow>[] = [];
  const excluded: TimedRow<ExcludedRow>[] = [];
  return {
    add(rows) {
      for (const row of rows) {
        const { subject, leaf, leaves } = row;
        if (subjects.has(subject)) throw new RangeError('two have one subject');
        subjects.add(subject);
        const at = parseTime(control.happenedAt(row));
        const { version, setting } = settingAt(control.parameters, versions, at, row.repository);
        if (!control.isApplicable(row)) continue;
        const parameters = control.excludedBy(row, setting);
        if (parameters.length > 0) {
          const isExcludedByDefault = control.excludedBy(row, defaults).length > 0;
          excluded.push({ at, row: { subject, setting: version, parameters, isExcludedByDefault } });
        } else {
          evaluated.push({ at, row: { subject, leaf, leaves, setting: version, ...control.evaluate(row, setting) } });
        }
      }
    },
    size: () => evaluated.length,
    finish(completeness) {
      const rows = inOrder(evaluated);
      const excludedRows = inOrder(excluded);
      const [counts, exclusions] = [countsOf(rows), exclusionsOf(excludedRows)];
      const status = statusWith(counts, exclusions, completeness);
      return { control: control.id, rows, excluded: excludedRows, exclusions, counts, status, completeness };
    },
  };
}

interface TimedRow<Row extends { readonly subject: string }> {
  readonly at: number;
  readonly row: Row;
}

const inOrder = <Row extends { readonly subject: string }>(timed: readonly TimedRow<Row>[]): readonly Row[] =>
  timed.toSorted((a, b) => a.at - b.at || byCodeUnits(a.row.subject, b.row.subject)).map(({ row }) => row);

/** The setting in force for a repository at a time; version 0: the defaults. */
export const settingAt = <P extends Parameters>(
  parameters: P,
  versions: readonly SettingVersion<SettingOf<P>>[],
  at: number,
  repository: string | null,
): { readonly version: number; readonly setting: SettingOf<P> } =>
  versionAt(versions, at, repository) ?? { version: 0, setting: defaultsOf(parameters) };

/** Prefers a version that names the repository over one for all, then the latest. */
function versionAt<S>(
  versions: readonly SettingVersion<S>[],
  at: number,
  repository: string | null,
): SettingVersion<S> | undefined {
  const valid = versions.filter(
    ({ from, until, repositories }) =>
      parseTime(from) <= at &&
      (until === null || at < parseTime(until)) &&
      (repositories === null || (repository !== null && repositories.includes(repository))),
  );
  const named = (version: SettingVersion<S>) => (version.repositories === null ? 0 : 1);
  return valid.toSorted(
    (a, b) => named(b) - named(a) || parseTime(b.from) - parseTime(a.from) || b.version - a.version,
  )[0];
}

function statusWith(
  counts: VerdictTally,
  exclusions: readonly Exclusion[],
  completeness: readonly Completeness[],
): Status {
  const status = statusOf(counts);
  if (isEmptiedBySettings(counts, exclusions)) return 'missing_evidence';
  return completeness.every(isComplete) || status === 'failing' ? status : 'missing_evidence';
}
