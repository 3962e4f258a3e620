import { type Crosswalk, crosswalkOf } from './crosswalk.ts';
import type { Parameters, SettingOf } from './parameters.ts';
import type { PopulationRow } from './rows.ts';
import type { SourceId } from './sources.ts';
import type { Evaluation } from './verdicts.ts';

/** The definition of a control in words. */
export interface ControlDefinition {
  readonly id: string;
  readonly title: string;
  readonly rule: string;
  /** The evaluated items, one row each. */
  readonly population: string;
  /** The rule of each verdict. A failure is *waived* if an independently approved waiver covers it. */
  readonly verdicts: { readonly pass: string; readonly fail: string; readonly missing_evidence: string };
  readonly parameters: Parameters;
  readonly crosswalk: Crosswalk;
  /** The required data sources. */
  readonly sources: readonly SourceId[];
  /** The kinds of policies that can set its parameters. */
  readonly policies: readonly string[];
  /** Commit digests count its items, or also list each failing one for review. Others are in no digest. */
  readonly digest?: 'counted' | 'flagged';
  /** The events of its items in the timeline. Items such as days have none. */
  readonly events: readonly ItemEvent[];
  /** Other controls whose parameters it applies. */
  readonly appliesParametersOf?: readonly string[];
}

/** A kind of events; `merge` are pull request events of merges. */
export type ItemEvent = 'merge' | 'commit' | 'pull_request' | 'vulnerability' | 'exception' | 'tool' | 'member';

/** A definition with its pure functions of a row and a setting, which are the same wherever they run. */
export interface Control<Row extends PopulationRow, P extends Parameters> extends ControlDefinition {
  readonly parameters: P;
  /** The time of the item, which determines the applicable setting. */
  readonly happenedAt: (row: Row) => string;
  /** Whether the control is about the row under any setting. A row with too few facts to exclude it is included. */
  readonly isApplicable: (row: Row) => boolean;
  /** The parameters that exclude the row from the population, such as an exemption that matches it. */
  readonly excludedBy: (row: Row, setting: SettingOf<P>) => readonly (keyof P & string)[];
  readonly evaluate: (row: Row, setting: SettingOf<P>) => Evaluation;
}

/** Derived from the mappings of the frameworks. */
type Derived = 'crosswalk';

/** By default a control applies to every row, and no parameter excludes one. */
type Filters = 'isApplicable' | 'excludedBy';

/** Infers the type of the parameters. */
export const control =
  <Row extends PopulationRow>() =>
  <const P extends Parameters>(
    made: Omit<Control<Row, P>, Filters | Derived> & Partial<Pick<Control<Row, P>, Filters>>,
  ): Control<Row, P> => ({
    isApplicable: () => true,
    excludedBy: () => [],
    crosswalk: crosswalkOf(made.id),
    ...made,
  });
