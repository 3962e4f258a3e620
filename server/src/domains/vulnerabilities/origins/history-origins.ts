import { declaredAgentOf } from '#core/agents.ts';
import type { Tx } from '#database/database.ts';
import type { IntroducedBy, PendingOrigin } from './pending-origins.ts';

interface OriginRow {
  [column: string]: unknown;
  id: string;
  sha: string;
  name: string;
  login: string | null;
  message: string;
  at: Date;
  pr: number | null;
}

/**
 * Returns the last known commit that changed the file of each finding before a scanner first reported it, for lines
 * that cannot be traced. Maps finding IDs; omits findings without such a commit.
 */
export async function findingOriginsFromHistory(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  findings: readonly PendingOrigin[],
): Promise<Map<string, IntroducedBy>> {
  const lookups = findings.map(({ id, path, seenAt }) => ({ id, path, at: seenAt }));
  const rows = await tx.query<OriginRow>({
    name: 'origins.history',
    // Reads each commit once, independent of the number of findings.
    text: `with asked as materialized (
             select * from json_to_recordset($3::json) as x(id uuid, path text, at timestamptz)
           ), changed as materialized (
             select f.file ->> 'path' as path, c.sha, c.committed_at
             from commit c cross join lateral jsonb_array_elements(case jsonb_typeof(c.files) when 'array' then c.files else '[]' end) as f(file)
             where c.org_id = $1 and c.repository_id = $2 and f.file ->> 'path' in (select path from asked)
           ), latest as (
             select distinct on (a.id) a.id, h.sha
             from asked a join changed h on h.path = a.path and h.committed_at <= a.at
             order by a.id, h.committed_at desc, h.sha
           )
           select l.id, c.sha, c.author_name as name, c.author_login as login, c.message, c.authored_at as at,
             (select min(p.number) from pull_request p
              where p.org_id = $1 and p.repository_id = $2 and p.merge_sha = c.sha) as pr
           from latest l join commit c on c.org_id = $1 and c.repository_id = $2 and c.sha = l.sha`,
    values: [orgId, repositoryId, JSON.stringify(lookups)],
  });
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return new Map(
    rows.flatMap((row) => {
      const finding = byId.get(row.id);
      return finding ? [[row.id, originOf(row, finding)]] : [];
    }),
  );
}

const originOf = (
  { sha, name, login, message, at, pr }: OriginRow,
  { path, line, scanner }: PendingOrigin,
): IntroducedBy => ({
  commit: sha,
  pullRequest: pr,
  actor: { name, login },
  agent: declaredAgentOf(login, message),
  at: at.toISOString(),
  confidence: 'inferred',
  reason: `${sha.slice(0, 7)} is the last commit known to have changed ${path} before ${scanner} first reported the weakness. ${
    line === null ? 'The scanner reports no line, so the commit is only a guess.' : 'Its changed lines are unknown.'
  }`,
});
