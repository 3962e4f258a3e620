import type {
  ControlRun,
  ControlState,
  ControlTask,
  SettingWeakening,
  UnrecordedRepositories,
} from '@sightline/contract/compliance/control-runs.ts';
import type { ControlStatus } from '@sightline/contract/compliance/controls.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { type Period, quarterOf } from '@sightline/contract/core/periods.ts';
import { defaultsOf } from '@sightline/evidence/controls/parameters.ts';
import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import { Conflict, NotFound } from '#core/errors.ts';
import { parseLedgerSize } from '#core/ledger-size.ts';
import type { Tx } from '#database/database.ts';
import { findCheckpointAt } from '../../ledger/ledger/queries.ts';
import { controlOf, definitionOf, populationOf } from './catalog.ts';
import { loadEvaluatedItems } from './evaluated-items.ts';
import type { PopulationQuery } from './populations/population.ts';
import { parsePeriod, type RunSelector } from './run-selector.ts';
import { type RunRow, runColumnsSql, runFrom, trendOf } from './runs.ts';
import { settingsAtCheckpoint, waiversAtCheckpoint } from './settings-at-checkpoint.ts';
import { type TaskRow, taskColumnsSql, taskFrom } from './tasks.ts';
import { findUnrecorded } from './unrecorded-repositories.ts';
import { findWeakenings, withNames } from './weakenings.ts';

/** Lists every control with its newest result for a period. */
export async function listControlStates(tx: Tx, orgId: string, text: string | undefined): Promise<ControlState[]> {
  const period = parsePeriod(text);
  const [runs, trends, tasks] = [
    await latestRuns(tx, orgId, period),
    await trendOf(tx, orgId, period, controlIds),
    await openTasks(tx, orgId, period, controlIds),
  ];
  return controlIds.map((id) => ({
    ...definitionOf(id),
    period,
    isEvaluated: populationOf(id) !== undefined,
    result: runs.get(id) ?? null,
    trend: trends.get(id) ?? [],
    task: pendingTask(tasks.get(id), runs.get(id)),
  }));
}

/**
 * Returns a control with its result for a period, at the newest or a named checkpoint. Throws 404 for an unknown
 * checkpoint.
 */
export async function findControlState(
  tx: Tx,
  orgId: string,
  id: ControlId,
  which: RunSelector,
): Promise<ControlState & { unrecorded: UnrecordedRepositories | null; weakenings: SettingWeakening[] }> {
  const period = parsePeriod(which.period);
  const result = await maybeRun(tx, orgId, id, which);
  const trends = await trendOf(tx, orgId, period, [id]);
  const tasks = await openTasks(tx, orgId, period, [id]);
  return {
    ...definitionOf(id),
    period,
    isEvaluated: populationOf(id) !== undefined,
    result: result ? runFrom(result) : null,
    trend: trends.get(id) ?? [],
    task: pendingTask(tasks.get(id), result && runFrom(result)),
    unrecorded: result ? await findUnrecorded(tx, orgId, period, result) : null,
    weakenings: await withNames(tx, orgId, result?.weakenings ?? []),
  };
}

/** Returns the newest result of each control that was evaluated for a period. */
export async function latestRuns(tx: Tx, orgId: string, period: Period): Promise<ReadonlyMap<ControlId, ControlRun>> {
  const rows = await tx.query<RunRow>({
    name: 'controls.latest',
    text: `select r.* from unnest($2::text[]) as wanted(id) cross join lateral (
             select ${runColumnsSql} from control_run
             where org_id = $1 and control_id = wanted.id and period_from = $3 and period_to = $4
             order by as_of_epoch desc, as_of_size desc, run_at desc, id limit 1
           ) r`,
    values: [orgId, controlIds, period.from, period.to],
  });
  return new Map(rows.map((row) => [row.control, runFrom(row)]));
}

/** The status of a control at the end of a day (UTC). */
export interface DailyStatus {
  control: ControlId;
  day: string;
  status: ControlStatus;
}

/** Lists the last status of each day of a period on which a control was evaluated for the quarter of that day, oldest first. */
export function listDailyStatuses(
  tx: Tx,
  orgId: string,
  { from, to }: Period,
  ids: readonly ControlId[],
): Promise<DailyStatus[]> {
  const quarters: Period[] = [];
  for (let start = from; start < to; start = quarters.at(-1)?.to ?? to)
    quarters.push(parsePeriod(quarterOf(new Date(start))));
  return tx.query<DailyStatus & Record<string, unknown>>({
    name: 'controls.daily-statuses',
    text: `select distinct on (r.control_id, r.run_at::date) r.control_id as control, to_char(r.run_at::date, 'YYYY-MM-DD') as day, r.status
           from unnest($3::timestamptz[], $4::timestamptz[]) as q(period_from, period_to)
           join control_run r on r.org_id = $1 and r.control_id = any($2::text[]) and r.period_from = q.period_from and r.period_to = q.period_to
             and not r.is_reevaluation and r.run_at >= greatest(q.period_from, $5) and r.run_at < least(q.period_to, $6)
           order by r.control_id, r.run_at::date, r.as_of_epoch desc, r.as_of_size desc, r.run_at desc`,
    values: [orgId, ids, quarters.map((one) => one.from), quarters.map((one) => one.to), from, to],
  });
}

/** Finds the newest run, or the run at a checkpoint. Throws 404 for an unknown checkpoint. */
async function maybeRun(tx: Tx, orgId: string, id: ControlId, which: RunSelector): Promise<RunRow | undefined> {
  const period = parsePeriod(which.period);
  const asOf = which.asOf === undefined ? undefined : await findCheckpointAt(tx, orgId, parseLedgerSize(which.asOf));
  const [row] = await tx.query<RunRow>({
    name: 'controls.run',
    text: `select ${runColumnsSql} from control_run
           where org_id = $1 and control_id = $2 and period_from = $3 and period_to = $4
             and ($5::int is null or as_of_epoch = $5) and ($6::bigint is null or as_of_size = $6)
           order by as_of_epoch desc, as_of_size desc, run_at desc, id limit 1`,
    values: [orgId, id, period.from, period.to, asOf?.epoch ?? null, asOf?.size ?? null],
  });
  return row;
}

/** Finds a run. Throws 404 if the control was not evaluated for the period, or not at the checkpoint. */
export async function findControlRun(tx: Tx, orgId: string, id: ControlId, which: RunSelector): Promise<RunRow> {
  const row = await maybeRun(tx, orgId, id, which);
  if (!row) throw NotFound('A result of this control for the period');
  return row;
}

export async function listRuns(
  tx: Tx,
  orgId: string,
  id: ControlId,
  { period: text, page, perPage }: { period?: string | undefined; page: number; perPage: number },
): Promise<Page<ControlRun[]>> {
  const period = parsePeriod(text);
  const values = [orgId, id, period.from, period.to];
  const where = 'org_id = $1 and control_id = $2 and period_from = $3 and period_to = $4';
  const rows = await tx.query<RunRow>({
    name: 'controls.runs',
    text: `select ${runColumnsSql} from control_run where ${where}
           order by as_of_epoch desc, as_of_size desc, run_at desc, id limit $5 offset $6`,
    values: [...values, perPage, (page - 1) * perPage],
  });
  const [counted] = await tx.query<{ total: number }>({
    name: 'controls.count-runs',
    text: `select count(*)::int as total from control_run where ${where}`,
    values,
  });
  return { rows: rows.map(runFrom), total: counted?.total ?? 0 };
}

export async function findControlTask(tx: Tx, orgId: string, control: ControlId, id: string): Promise<ControlTask> {
  const [row] = await tx.query<TaskRow>({
    name: 'controls.task',
    text: `select ${taskColumnsSql} from control_task where org_id = $1 and id = $2 and control_id = $3`,
    values: [orgId, id, control],
  });
  if (!row) throw NotFound('Evaluation');
  return taskFrom(row);
}

/** Lists the settings of a control, newest first, ending with the defaults. */
export async function listSettings(tx: Tx, orgId: string, id: ControlId) {
  const rows = await tx.query<{
    version: number;
    setting: Record<string, number | boolean | string[]>;
    repositories: string[] | null;
    from: Date;
    until: Date | null;
    policyId: string | null;
    policyVersion: number | null;
  }>({
    name: 'controls.setting-history',
    text: `select version, setting, repositories, valid_from as from, valid_until as until, policy_id as "policyId",
             policy_version as "policyVersion"
           from control_setting where org_id = $1 and control_id = $2 order by version desc limit 500`,
    values: [orgId, id],
  });
  const set = rows.map(({ version, setting, repositories, from, until, policyId, policyVersion }) => ({
    version,
    setting,
    repositories,
    from: from.toISOString(),
    until: until?.toISOString() ?? null,
    policy: policyId === null ? null : { id: policyId, version: policyVersion ?? 1 },
  }));
  const defaults = defaultsOf(controlOf(id).parameters) as (typeof set)[number]['setting'];
  return [...set, { version: 0, setting: defaults, repositories: null, from: null, until: null, policy: null }];
}

/** Finds the last requested task of each control. */
async function openTasks(
  tx: Tx,
  orgId: string,
  period: Period,
  ids: readonly ControlId[],
): Promise<ReadonlyMap<ControlId, TaskRow>> {
  const rows = await tx.query<TaskRow>({
    name: 'controls.tasks',
    text: `select t.* from unnest($2::text[]) as wanted(id) cross join lateral (
             select ${taskColumnsSql} from control_task
             where org_id = $1 and control_id = wanted.id and period_from = $3 and period_to = $4
             order by requested_at desc, id limit 1
           ) t`,
    values: [orgId, ids, period.from, period.to],
  });
  return new Map(rows.map((row) => [row.control, row]));
}

/** Hides a done task, and a failed one if a later evaluation succeeded. */
function pendingTask(task: TaskRow | undefined, run: ControlRun | undefined): ControlTask | null {
  if (!task || task.state === 'done') return null;
  const isOver = task.state === 'failed' && run !== undefined && Date.parse(run.runAt) >= task.askedAt.getTime();
  return isOver ? null : taskFrom(task);
}

/**
 * Returns the population of a control at a checkpoint, as a snapshot evaluates it: items with their waivers, settings,
 * weakenings and completeness. Throws 409 for a control without data sources.
 */
export async function findPopulation(tx: Tx, query: PopulationQuery, id: ControlId) {
  const population = populationOf(id);
  if (!population) throw Conflict(`No data source of ${id} is connected, so it cannot be evaluated.`);
  const waivers = await waiversAtCheckpoint(tx, query, id);
  const rows: PopulationRow[] = [];
  for await (const batch of population.rows(tx, query)) {
    for (const row of batch) {
      rows.push({ ...row, waivers: [...row.waivers, ...(waivers.get(row.subject) ?? [])] });
    }
  }
  const settings = await settingsAtCheckpoint(tx, query, id);
  const completeness = await population.completeness(tx, query);
  return { rows, settings, completeness, weakenings: await findWeakenings(tx, query, id) };
}

export { loadEvaluatedItems };

/** Whether a control has data sources, so that a snapshot can include it. */
export const hasPopulation = (id: ControlId): boolean => populationOf(id) !== undefined;
