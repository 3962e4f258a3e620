import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostAccount } from './accounts.ts';
import { changeId } from './due.ts';
import { maybePlace, type Place, patternsOf } from './scope.ts';

/** The branches of a repository whose changes are recorded: the default one, and those in scope that were pushed to. */
export async function recordedBranches(
  services: Services,
  orgId: string,
  repositoryId: string,
): Promise<{ place: Place; branches: string[] } | undefined> {
  const place = await maybePlace(services, orgId, repositoryId);
  if (!place) return undefined;
  const others = await services.database.withOrg(orgId, (tx) => pushedBranches(tx, orgId, repositoryId));
  return { place, branches: [...new Set([place.defaultBranch, ...others])] };
}

async function pushedBranches(tx: Tx, orgId: string, repositoryId: string): Promise<string[]> {
  if ((await patternsOf(tx, orgId)).length === 0) return [];
  const rows = await tx.query<{ branch: string }>({
    name: 'changes.branches',
    text: 'select distinct branch from branch_push where org_id = $1 and repository_id = $2 order by branch',
    values: [orgId, repositoryId],
  });
  return rows.map(({ branch }) => branch);
}

/** What notes and traces said of agents about a commit. */
export interface Agents {
  agents: string[];
  models: string[];
  sessions: string[];
  confidences: string[];
}

/** Which agents notes and traces named of some commits so far, with which models and in which sessions, and how sure that is. */
export async function agentsOf(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  shas: readonly string[],
): Promise<ReadonlyMap<string, Agents>> {
  const rows = await tx.query<Agents & { sha: string }>({
    name: 'changes.agentsOf',
    text: `select commit_sha as sha, array_agg(distinct agent) as agents, array_agg(distinct confidence) as confidences,
             coalesce(array_agg(distinct model) filter (where model is not null), '{}') as models,
             coalesce(array_agg(distinct session) filter (where session is not null), '{}') as sessions
           from ai_attribution where org_id = $1 and repository_id = $2 and commit_sha = any($3::text[]) group by commit_sha`,
    values: [orgId, repositoryId, shas],
  });
  return new Map(rows.map(({ sha, ...said }) => [sha, said]));
}

type Behind = FindingDetail['introducedWith'];

/** A place in a file as a scanner saw it at a commit, and by which commit and pull request it came. */
interface Brought {
  repositoryId: string;
  commit: string;
  pullRequest: number | null;
  seenAt: string | null;
  path: string | null;
  line: number | null;
  endLine: number | null;
}

/**
 * Which agents are said to have written what a commit brought: these lines, where the scanner looked at that very commit; else
 * the file in it, of which it is inferred that these lines are among theirs; and the commit as a whole.
 */
export async function agentsBehind(tx: Tx, orgId: string, brought: Brought): Promise<Behind> {
  const { repositoryId, commit, pullRequest, seenAt, path, line, endLine } = brought;
  const isAsOf = seenAt === commit && line !== null;
  const rows = await tx.query<Behind[number] & Record<string, unknown>>({
    name: 'changes.agentsBehind',
    text: `select agent, model, source, about, case about when 'file' then 'inferred' else confidence end as confidence from (
             select distinct agent, model, source, confidence, case when path is null then 'commit' when $6 then 'lines' else 'file' end as about
             from ai_attribution
             where org_id = $1 and repository_id = $2
               and ((commit_sha = $3 and (path is null or (path = $5 and (not $6 or lines && int4range($7, $8, '[]')))))
                 or (change_id = $4 and path = $5 and commit_sha <> $3 and not $6))) said
           order by array_position(array['lines', 'file', 'commit'], about), agent, model, source limit 20`,
    values: [
      ...[orgId, repositoryId, commit, pullRequest === null ? null : changeId(repositoryId, { number: pullRequest })],
      ...[path, isAsOf, line ?? 1, Math.max(line ?? 1, endLine ?? line ?? 1)],
    ],
  });
  return rows;
}

/** For each entry of a change, the accounts of those whom its record names, also of persons who became another one since. */
export const accountsOfChanges = (
  tx: Tx,
  orgId: string,
  entryIds: readonly string[],
): Promise<(HostAccount & { entryId: string })[]> =>
  tx.query<HostAccount & { entryId: string } & Record<string, unknown>>({
    name: 'changes.accounts-of-entries',
    text: `select distinct c.entry_id as "entryId", named.person, i.host_id as "hostId"
           from change_record c
           join repository r on r.org_id = c.org_id and r.id = c.repository_id
           cross join lateral unnest(c.persons) as named(person)
           left join person p on p.org_id = c.org_id and p.id = named.person
           join identity i on i.org_id = c.org_id and i.person_id = coalesce(p.merged_into, named.person)
             and i.kind = r.provider and i.host_id is not null
           where c.org_id = $1 and c.entry_id = any($2::uuid[]) order by 1, 2, 3`,
    values: [orgId, entryIds],
  });
