import type { AgentAttribution } from '@sightline/contract/sources/attribution.ts';
import { changeRecordId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';

/** The agents that git notes and traces attribute to a commit. */
export interface CommitAgents {
  agents: string[];
  models: string[];
  sessions: string[];
  confidences: string[];
}

/** The agents that git notes and traces attribute to each commit so far, with models, sessions and confidences. */
export async function agentsOfCommits(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  shas: readonly string[],
): Promise<ReadonlyMap<string, CommitAgents>> {
  const rows = await tx.query<CommitAgents & { sha: string }>({
    name: 'changes.agentsOf',
    text: `select commit_sha as sha, array_agg(distinct agent) as agents, array_agg(distinct confidence) as confidences,
             coalesce(array_agg(distinct model) filter (where model is not null), '{}') as models,
             coalesce(array_agg(distinct session) filter (where session is not null), '{}') as sessions
           from ai_attribution where org_id = $1 and repository_id = $2 and commit_sha = any($3::text[]) group by commit_sha`,
    values: [orgId, repositoryId, shas],
  });
  return new Map(rows.map(({ sha, ...agents }) => [sha, agents]));
}

/** A location in a file at the scanned commit, with the commit and pull request that introduced it. */
interface FindingOrigin {
  repositoryId: string;
  commit: string;
  pullRequest: number | null;
  seenAt: string | null;
  path: string | null;
  line: number | null;
  endLine: number | null;
}

/**
 * The agents attributed to a finding: of its lines if the scanner scanned the introducing commit, else of the file in
 * that commit with confidence *inferred*, and of the entire commit.
 */
export async function agentsOfFinding(tx: Tx, orgId: string, origin: FindingOrigin): Promise<AgentAttribution[]> {
  const { repositoryId, commit, pullRequest, seenAt, path, line, endLine } = origin;
  const isAsOf = seenAt === commit && line !== null;
  const rows = await tx.query<AgentAttribution & Record<string, unknown>>({
    name: 'changes.agentsBehind',
    text: `select agent, model, source, about, case about when 'file' then 'inferred' else confidence end as confidence from (
             select distinct agent, model, source, confidence, case when path is null then 'commit' when $6 then 'lines' else 'file' end as about
             from ai_attribution
             where org_id = $1 and repository_id = $2
               and ((commit_sha = $3 and (path is null or (path = $5 and (not $6 or lines && int4range($7, $8, '[]')))))
                 or (change_id = $4 and path = $5 and commit_sha <> $3 and not $6))) said
           order by array_position(array['lines', 'file', 'commit'], about), agent, model, source limit 20`,
    values: [
      ...[
        orgId,
        repositoryId,
        commit,
        pullRequest === null ? null : changeRecordId(repositoryId, { number: pullRequest }),
      ],
      ...[path, isAsOf, line ?? 1, Math.max(line ?? 1, endLine ?? line ?? 1)],
    ],
  });
  return rows;
}
