import type { Tx } from '#database/database.ts';
import { lockRows } from './save-run.ts';

/** Days for which the rows of the last run of each day are kept. */
const rowsKeptDays = 90;
/** Days after which a task that is over is forgotten. */
const tasksKeptDays = 90;

/**
 * Takes rows away that hardly anybody looks at. Those of the newest run of each control and period stay, and those of the last of each
 * day for a while. A run itself stays for ever; evaluation again as of its checkpoint brings its rows back.
 */
export async function clearRows(tx: Tx, orgId: string): Promise<void> {
  await lockRows(tx, orgId);
  await tx.query({ name: 'controls.clear-runs', text: clearSql, values: [orgId, rowsKeptDays] });
  await tx.query({
    name: 'controls.clear-rows',
    text: `delete from control_row r using control_run lying
           where r.org_id = $1 and lying.org_id = $1 and r.run_id = lying.id and lying.rows_of is null
             and not exists (select from control_run u where u.org_id = $1 and u.rows_of = lying.id)`,
    values: [orgId],
  });
  await tx.query({
    name: 'controls.clear-tasks',
    text: `delete from control_task where org_id = $1 and ended_at < now() - make_interval(days => $2)`,
    values: [orgId, tasksKeptDays],
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
