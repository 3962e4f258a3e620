import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Parameters, SettingOf } from '@sightline/evidence/controls/parameters.ts';
import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import type { Completeness, SettingVersion } from '@sightline/evidence/controls/run.ts';
import type { Tx } from '#database/database.ts';

/** A setting of a control, for the time it was valid. */
export type Setting = SettingVersion<SettingOf<Parameters>>;

export interface PopulationQuery {
  orgId: string;
  /** RFC 3339 in UTC with milliseconds; `to` is the first moment after it and may lie ahead. */
  period: { from: string; to: string };
  /** A checkpoint: facts behind it are not looked at. `at` is when it was signed, and stands for "now". */
  asOf: { epoch: number; size: number; at: string };
  /** In a simulation: the settings of every control, instead of those that the ledger held. */
  proposed?: ReadonlyMap<ControlId, readonly Setting[]>;
}

/** Up to when facts can count: the end of the period, or when the checkpoint was signed. */
export function untilOf({ period, asOf }: PopulationQuery): string {
  if (period.to < asOf.at) return period.to;
  return asOf.at;
}

/**
 * What a control evaluates, made of the facts that the ledger held as of a checkpoint: the same whenever it is asked again.
 * `rows` gives them by batches of at most 5 000, in any order, each subject once; their `approved` holds only what stands
 * elsewhere than in `control_waiver`, which is added to every row.
 */
export interface Population<Row extends PopulationRow> {
  rows: (tx: Tx, asked: PopulationQuery) => AsyncIterable<readonly Row[]>;
  /** How many rows, or what they are made of, there should be by another count, and how many there are. */
  completeness: (tx: Tx, asked: PopulationQuery) => Promise<readonly Completeness[]>;
}

/**
 * Of SQL: joins the place of a fact's entry as `<name>.leaf`, null in an epoch that is over, and leaves out facts that the ledger did not
 * hold then. `fact` has `org_id` and the `entry` column; `epoch` and `size` are parameters such as `$2`. The epoch is hidden from
 * PostgreSQL by a sum: it would look through all entries up to the checkpoint in their order, for each fact again.
 */
export const heldAs = (
  name: string,
  { fact, entry = 'entry_id', epoch, size }: { fact: string; entry?: string; epoch: string; size: string },
): string => `cross join lateral (
  select case when le.epoch = ${epoch}::int then le.leaf_index end as leaf from ledger_entry le
  where le.org_id = ${fact}.org_id and le.entry_id = ${fact}.${entry} and (le.epoch + 0, le.leaf_index) < (${epoch}::int, ${size}::bigint)
  order by le.epoch + 0, le.leaf_index limit 1
) ${name}`;
