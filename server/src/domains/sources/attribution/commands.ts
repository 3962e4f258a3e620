import { factId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';

/**
 * Stores the share of added lines that is attributed to agents, for commits with known attributions and additions.
 * Either may arrive later: the importer of each calls this again.
 */
export async function storeAgentShares(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  shas: readonly string[],
): Promise<void> {
  const commits = [...new Set(shas)];
  if (commits.length === 0) return;
  await tx.query({
    name: 'changes.shares',
    text: `insert into ai_share as s (org_id, event_id, share)
           select $1, x.event, least(1, said.lines::double precision / c.additions)
           from unnest($3::text[], $4::uuid[]) as x(sha, event)
           join commit c on c.org_id = $1 and c.repository_id = $2 and c.sha = x.sha and c.additions > 0
           cross join lateral (
             select sum(upper(stretch) - lower(stretch)) as lines from (
               select unnest(range_agg(lines)) as stretch from ai_attribution
               where org_id = $1 and repository_id = $2 and commit_sha = x.sha and lines is not null group by path
             ) each
           ) said
           where said.lines > 0
           on conflict (org_id, event_id) do update set share = excluded.share where s.share <> excluded.share`,
    values: [orgId, repositoryId, commits, commits.map((sha) => factId('commit', repositoryId, sha))],
  });
}
