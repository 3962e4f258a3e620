import type { ControlTask } from '@sightline/contract/compliance/control-runs.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Period } from '@sightline/contract/core/periods.ts';
import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';

/** A request to evaluate a control. Without `checkpoint`, a new checkpoint is signed for it. */
export interface EvaluationRequest {
  control: ControlId;
  period: Period;
  checkpoint?: { epoch: number; size: number } | undefined;
}

export interface TaskRow extends Record<string, unknown> {
  id: string;
  control: ControlId;
  from: Date;
  to: Date;
  state: ControlTask['state'];
  evaluated: number;
  failure: string | null;
  runId: string | null;
  askedAt: Date;
  endedAt: Date | null;
  askedSize: number | null;
  epoch: number | null;
  size: number | null;
}

export const taskColumnsSql = `id, control_id as control, period_from as "from", period_to as "to", state, evaluated, failure, run_id as "runId",
  requested_at as "askedAt", ended_at as "endedAt", requested_size as "askedSize", as_of_epoch as epoch, as_of_size as size`;

export const taskFrom = ({
  id,
  control,
  from,
  to,
  state,
  evaluated,
  failure,
  runId,
  askedAt,
  endedAt,
}: TaskRow): ControlTask => ({
  id,
  control,
  period: { from: from.toISOString(), to: to.toISOString() },
  state,
  evaluated,
  failure,
  runId,
  requestedAt: askedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
});

/** Adds a task, or returns an equal task that is queued or running. */
export async function addTask(
  tx: Tx,
  orgId: string,
  { control, period, checkpoint }: EvaluationRequest,
  by: string | null,
): Promise<TaskRow & { isNew: boolean }> {
  const [row] = await tx.query<TaskRow & { isNew: boolean }>({
    name: 'controls.add-task',
    // The existing row is updated, so that it is returned.
    text: `insert into control_task (org_id, id, control_id, period_from, period_to, requested_epoch, requested_size, as_of_epoch, as_of_size, requested_by)
           values ($1, $2, $3, $4, $5, $6, $7, $6, $7, $8)
           on conflict (org_id, control_id, period_from, period_to, coalesce(requested_epoch, 0), coalesce(requested_size, 0))
             where state in ('queued', 'running')
             do update set state = control_task.state
           returning ${taskColumnsSql}, id = $2 as "isNew"`,
    values: [orgId, newId(), control, period.from, period.to, checkpoint?.epoch ?? null, checkpoint?.size ?? null, by],
  });
  if (!row) throw new Error('The task was neither added nor found');
  return row;
}

/** Ends tasks whose job was lost, so that they can be requested again. */
export const endStuckTasks = (tx: Tx, orgId: string): Promise<unknown> =>
  tx.query({
    name: 'controls.end-stuck',
    text: `update control_task set state = 'failed', failure = 'The evaluation did not finish in time. Evaluate the control again.', ended_at = clock_timestamp()
           where org_id = $1 and state in ('queued', 'running') and requested_at < now() - make_interval(hours => $2)`,
    values: [orgId, STUCK_HOURS],
  });

// Longer than a job with its first retry.
const STUCK_HOURS = 5;

/** Updates a task; undefined if it has ended or does not exist. */
export async function updateTask(
  tx: Tx,
  orgId: string,
  id: string,
  change:
    | { state: 'running'; evaluated: number }
    | { state: 'done'; evaluated: number; runId: string }
    | { state: 'failed'; failure: string },
): Promise<TaskRow | undefined> {
  const { state, evaluated, failure, runId } = { evaluated: null, failure: null, runId: null, ...change };
  const [row] = await tx.query<TaskRow>({
    name: 'controls.change-task',
    text: `update control_task set state = $3, evaluated = coalesce($4, evaluated), failure = $5, run_id = $6,
             ended_at = case when $3 in ('done', 'failed') then clock_timestamp() end
           where org_id = $1 and id = $2 and state in ('queued', 'running') returning ${taskColumnsSql}`,
    values: [orgId, id, state, evaluated, failure, runId],
  });
  return row;
}

/** Sets the checkpoint of tasks that named none. */
export const pinTasks = (
  tx: Tx,
  orgId: string,
  ids: readonly string[],
  { epoch, size }: { epoch: number; size: number },
) =>
  tx.query({
    name: 'controls.pin-tasks',
    text: `update control_task set as_of_epoch = $3, as_of_size = $4
           where org_id = $1 and id = any($2::uuid[]) and as_of_size is null and state = 'queued'`,
    values: [orgId, ids, epoch, size],
  });

/** Counts the tasks of an organization that are queued or running. */
export async function countUnfinished({ db }: Tx, orgId: string): Promise<number> {
  const { count } = await db
    .selectFrom('control_task')
    .where('org_id', '=', orgId)
    .where('state', 'in', ['queued', 'running'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
