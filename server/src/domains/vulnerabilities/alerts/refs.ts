import type { Tx } from '#database/database.ts';

const pull = /^refs\/pull\/(\d+)\//;

/** Whether results on a ref count: those of a pull request do while it is open, as far as we know. */
export async function isLiving(tx: Tx, orgId: string, repositoryId: string, ref: string): Promise<boolean> {
  const number = pull.exec(ref)?.[1];
  if (number === undefined) return true;
  const row = await tx.db
    .selectFrom('pull_request')
    .where('org_id', '=', orgId)
    .where('repository_id', '=', repositoryId)
    .where('number', '=', Number(number))
    .select('status')
    .executeTakeFirst();
  return row === undefined || row.status === 'in-progress';
}

/** The refs some scanner's results stand on and are not all gone from, without the default branch. */
export async function standingRefs(tx: Tx, orgId: string, repositoryId: string): Promise<string[]> {
  const rows = await tx.query<{ ref: string }>({
    name: 'alerts.refs',
    text: `select distinct a.ref from analysis a join repository r on r.org_id = $1 and r.id = a.repository_id
           where a.org_id = $1 and a.repository_id = $2 and a.ref <> 'refs/heads/' || r.default_branch
             and exists (select from finding_instance i where i.org_id = $1 and i.repository_id = $2
               and i.analysis = a.key and i.state <> 'fixed')
           order by a.ref`,
    values: [orgId, repositoryId],
  });
  return rows.map(({ ref }) => ref);
}
