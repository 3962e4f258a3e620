import type { Tx } from '#database/database.ts';
import { lockRows } from './save-run.ts';

/** Days for which the items of the last run of each day are stored. */
const ROW_RETENTION_DAYS = 90;
/** Days after which an ended task is deleted. */
const TASK_RETENTION_DAYS = 90;

/**
 * The job `controls.delete-old-rows`: deletes items of earlier runs. The items of the newest run of each control and period remain, and those of the last
 * run of each day for a while. Runs are never deleted; a re-evaluation at the checkpoint of a run restores its items.
 */
export async function deleteOldRows(tx: Tx, orgId: string): Promise<void> {
  await lockRows(tx, orgId);
  await tx.query({ name: 'controls.delete-old-runs', text: clearSql, values: [orgId, ROW_RETENTION_DAYS] });
  await tx.query({
    name: 'controls.delete-unused-rows',
    text: `delete from control_row r using control_run lying
           where r.org_id = $1 and lying.org_id = $1 and r.run_id = lying.id and lying.rows_of is null
             and not exists (select from control_run u where u.org_id = $1 and u.rows_of = lying.id)`,
    values: [orgId],
  });
  await tx.query({
    name: 'controls.delete-old-tasks',
    text: `delete from control_task where org_id = $1 and ended_at < now() - make_interval(days => $2)`,
    values: [orgId, TASK_RETENTION_DAYS],
  });
}

const clearSql = `
  with placed as (
    select id, run_at,
      row_number() over (partition by control_id, period_from, period_to order by as_of_epoch desc, as_of_size desc, run_at desc, id) as place,
      row_number() over (partition by control_id, period_from, period_to, run_at::date order by is_reevaluation, run_at desc, id) as place_of_day
    from control_run where org_id = $1 and rows_of is not null
  )
  update control_run r set rows_of = null from placed p
  where r.org_id = $1 and r.id = p.id and p.place > 1
    and (p.place_of_day > 1 or p.run_at < now() - make_interval(days => $2))`;
