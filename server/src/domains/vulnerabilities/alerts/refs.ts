import type { Tx } from '#database/database.ts';

const pullRequestRef = /^refs\/pull\/(\d+)\//;

/** Whether results on a ref count. Those of a pull request count while it is open or unknown. */
export async function isRefActive(tx: Tx, orgId: string, repositoryId: string, ref: string): Promise<boolean> {
  const number = pullRequestRef.exec(ref)?.[1];
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

/** Returns the refs with results that are not fixed, without the default branch. */
export async function listRefsWithOpenResults(tx: Tx, orgId: string, repositoryId: string): Promise<string[]> {
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
