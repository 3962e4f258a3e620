import type { Tx } from '#database/database.ts';

/** As `entryJoinSql`, for a fact whose entry id is derived from `parts`: SQL that returns their JSON. */
export const entryByIdJoinSql = (
  name: string,
  { org, parts, epoch, size }: { org: string; parts: string; epoch: string; size: string },
): string => `cross join lateral (
  select case when le.epoch = ${epoch}::int then le.leaf_index end as leaf from ledger_entry le
  where le.org_id = ${org} and le.entry_id = fact_id(${parts}) and (le.epoch + 0, le.leaf_index) < (${epoch}::int, ${size}::bigint)
  order by le.epoch + 0, le.leaf_index limit 1
) ${name}`;

/** The start of the histories of presence, members and scanners, at the earliest the creation of the organization. */
export async function historyStart(tx: Tx, orgId: string): Promise<string> {
  const [row] = await tx.query<{ at: Date }>({
    name: 'population.history-start',
    text: `select coalesce(h.at, o.created_at) as at from organization o left join history_start h on h.org_id = o.id where o.id = $1`,
    values: [orgId],
  });
  if (!row) throw new Error('The organization does not exist');
  return row.at.toISOString();
}
