import { setImmediate as turn } from 'node:timers/promises';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Weakening } from '@sightline/evidence/bundle/weakening.ts';
import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import { type ControlRun, createEvaluator } from '@sightline/evidence/controls/run.ts';
import { Conflict } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { controlOf, populationOf } from './catalog.ts';
import type { PopulationQuery } from './populations/population.ts';
import { settingsAtCheckpoint, waiversAtCheckpoint } from './settings-at-checkpoint.ts';
import { findWeakenings } from './weakenings.ts';

export interface EvaluatedControl {
  run: ControlRun;
  weakenings: readonly Weakening[];
  /** The repository id of each subject that has one. */
  repositories: ReadonlyMap<string, string>;
}

/** Items per slice; other work continues between slices. */
const SLICE_SIZE = 250;

/**
 * Evaluates the population of a control at a checkpoint, with the settings recorded there or with proposed ones. The
 * same query always has the same result. `onRows` receives the number of evaluated items. Throws 409 for a control
 * without data sources.
 */
export async function evaluatePopulation(
  tx: Tx,
  query: PopulationQuery,
  id: ControlId,
  {
    seen = (row) => row,
    onRows,
  }: {
    /** Replaces an item in a simulation. */
    seen?: (row: PopulationRow) => PopulationRow;
    onRows?: (evaluated: number) => Promise<void>;
  } = {},
): Promise<EvaluatedControl> {
  const population = populationOf(id);
  if (!population) throw Conflict('No data source of this control is connected, so it cannot be evaluated.');
  const waivers = await waiversAtCheckpoint(tx, query, id);
  const evaluated = createEvaluator(controlOf(id), await settingsAtCheckpoint(tx, query, id));
  const repositories = new Map<string, string>();
  const ids = new Map<string, string>();
  for await (const batch of population.rows(tx, query)) {
    for (let at = 0; at < batch.length; at += SLICE_SIZE) {
      const rows = batch.slice(at, at + SLICE_SIZE).map((row) => withWaivers(seen(row), waivers.get(row.subject)));
      evaluated.add(rows);
      for (const { subject, repository } of rows) {
        if (repository !== null) repositories.set(subject, shared(ids, repository));
      }
      await turn();
    }
    await onRows?.(evaluated.size());
  }
  const run = evaluated.finish(await population.completeness(tx, query));
  return { run, weakenings: await findWeakenings(tx, query, id), repositories };
}

const withWaivers = (row: PopulationRow, waivers: PopulationRow['waivers'] | undefined): PopulationRow =>
  waivers ? { ...row, waivers: [...row.waivers, ...waivers] } : row;

/** Returns one shared string for equal values, because a repository has many items. */
function shared(known: Map<string, string>, value: string): string {
  const found = known.get(value);
  if (found !== undefined) return found;
  known.set(value, value);
  return value;
}
