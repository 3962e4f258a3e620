import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Completeness } from '@sightline/evidence/controls/completeness.ts';
import type { Parameters, SettingOf } from '@sightline/evidence/controls/parameters.ts';
import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import type { SettingVersion } from '@sightline/evidence/controls/run.ts';
import type { Tx } from '#database/database.ts';

/** A setting of a control with its validity. */
export type Setting = SettingVersion<SettingOf<Parameters>>;

export interface PopulationQuery {
  orgId: string;
  /** RFC 3339 in UTC with milliseconds; `to` is the first moment after it and may lie ahead. */
  period: { from: string; to: string };
  /** A checkpoint: later facts are excluded. `at` is its signing time, and replaces the current time. */
  asOf: { epoch: number; size: number; at: string };
  /** In a simulation: the proposed settings of every control, instead of the recorded ones. */
  proposed?: ReadonlyMap<ControlId, readonly Setting[]>;
}

/** The latest time of facts: the end of the period, or the signing time of the checkpoint. */
export function endOfFacts({ period, asOf }: PopulationQuery): string {
  if (period.to < asOf.at) return period.to;
  return asOf.at;
}

/**
 * The items that a control evaluates, from facts in the ledger at a checkpoint: the same for every query. `rows`
 * returns batches of at most 5 000, in any order, each subject once. Their `waivers` exclude `control_waiver`, which is
 * added to every item.
 */
export interface Population<Row extends PopulationRow> {
  rows: (tx: Tx, query: PopulationQuery) => AsyncIterable<readonly Row[]>;
  /** The number of items, or of their sources, that an independent count expects, and the number found. */
  completeness: (tx: Tx, query: PopulationQuery) => Promise<readonly Completeness[]>;
}
