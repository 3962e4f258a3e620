import { setImmediate as turn } from 'node:timers/promises';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import { type ControlRun, createEvaluator } from '@sightline/evidence/controls/run.ts';
import { Conflict } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { controlOf, populationOf } from './catalog.ts';
import type { PopulationQuery } from './populations/population.ts';
import { leaveOf, settingsOf } from './settings.ts';

export interface EvaluatedControl {
  run: ControlRun;
  /** Of each subject that is about a repository, its id. */
  repositories: ReadonlyMap<string, string>;
}

/** Rows that are evaluated before others have their turn. */
const slice = 250;

/**
 * Evaluates the population of a control as of a checkpoint, by the settings it holds or by proposed ones. The same question
 * has the same answer for ever. `onRows` hears how many were evaluated. Throws 409 for a control that has no population here.
 */
export async function evaluatePopulation(
  tx: Tx,
  asked: PopulationQuery,
  id: ControlId,
  {
    seen = (row) => row,
    onRows,
  }: {
    /** A row as it would have been. */
    seen?: (row: PopulationRow) => PopulationRow;
    onRows?: (evaluated: number) => Promise<void>;
  } = {},
): Promise<EvaluatedControl> {
  const population = populationOf(id);
  if (!population) throw Conflict('No data source of this control is connected, so it cannot be evaluated.');
  const leave = await leaveOf(tx, asked, id);
  const evaluated = createEvaluator(controlOf(id), await settingsOf(tx, asked, id));
  const repositories = new Map<string, string>();
  const ids = new Map<string, string>();
  for await (const batch of population.rows(tx, asked)) {
    for (let at = 0; at < batch.length; at += slice) {
      const rows = batch.slice(at, at + slice).map((row) => excusable(seen(row), leave.get(row.subject)));
      evaluated.add(rows);
      for (const { subject, repository } of rows) {
        if (repository !== null) repositories.set(subject, same(ids, repository));
      }
      await turn();
    }
    await onRows?.(evaluated.size());
  }
  return { run: evaluated.finish(await population.completeness(tx, asked)), repositories };
}

const excusable = (row: PopulationRow, leave: PopulationRow['waivers'] | undefined): PopulationRow =>
  leave ? { ...row, waivers: [...row.waivers, ...leave] } : row;

/** One string for all that are equal: a repository has many rows. */
function same(known: Map<string, string>, value: string): string {
  const found = known.get(value);
  if (found !== undefined) return found;
  known.set(value, value);
  return value;
}
