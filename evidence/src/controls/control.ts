import type { Crosswalk } from './crosswalk.ts';
import type { Parameters, SettingOf } from './parameters.ts';
import type { PopulationRow } from './rows.ts';
import type { SourceId } from './sources.ts';
import type { Evaluation } from './verdicts.ts';

/** What a control is to people: its definition in words. */
export interface ControlDefinition {
  readonly id: string;
  readonly title: string;
  readonly rule: string;
  /** What is evaluated, one row each. */
  readonly population: string;
  /** When a row is which verdict. An exception is *excepted* while somebody else's approved leave covers it. */
  readonly verdicts: { readonly pass: string; readonly fail: string; readonly missing_evidence: string };
  readonly parameters: Parameters;
  readonly crosswalk: Crosswalk;
  /** Whose facts it needs. */
  readonly sources: readonly SourceId[];
}

/** A definition with what evaluates by it: pure functions of a row and a setting, the same wherever they run. */
export interface Control<Row extends PopulationRow, P extends Parameters> extends ControlDefinition {
  readonly parameters: P;
  /** When the thing happened: the setting that was valid then evaluates it. */
  readonly happenedAt: (row: Row) => string;
  /** Whether the row is in the population under a setting. A row of which too little is known to say no, is. */
  readonly isInPopulation: (row: Row, setting: SettingOf<P>) => boolean;
  readonly evaluate: (row: Row, setting: SettingOf<P>) => Evaluation;
}

/** Infers what a control's parameters are. */
export const control =
  <Row extends PopulationRow>() =>
  <const P extends Parameters>(made: Control<Row, P>): Control<Row, P> =>
    made;
