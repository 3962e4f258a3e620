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

/**
 * SQL that joins the leaf index of the entry of a fact as `<name>.leaf`, null in a closed epoch, and excludes facts
 * after the checkpoint. `fact` has `org_id` and the `entry` column; `epoch` and `size` are parameters such as `$2`. The
 * sum hides the epoch from the PostgreSQL planner, which would otherwise scan all entries up to the checkpoint for each
 * fact.
 */
export const entryJoinSql = (
  name: string,
  { fact, entry = 'entry_id', epoch, size }: { fact: string; entry?: string; epoch: string; size: string },
): string => `cross join lateral (
  select case when le.epoch = ${epoch}::int then le.leaf_index end as leaf from ledger_entry le
  where le.org_id = ${fact}.org_id and le.entry_id = ${fact}.${entry} and (le.epoch + 0, le.leaf_index) < (${epoch}::int, ${size}::bigint)
  order by le.epoch + 0, le.leaf_index limit 1
) ${name}`;
