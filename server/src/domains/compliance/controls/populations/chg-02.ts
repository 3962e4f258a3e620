import type { ReachedCommitRow } from '@sightline/evidence/controls/change-rows.ts';
import { entryJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { hostActivityFrom } from '../../changes/rows.ts';
import { type DefaultBranches, defaultBranchAt, defaultBranchesOf } from './default-branches.ts';
import type { Population, PopulationQuery } from './population.ts';
import { pushCompleteness } from './push-completeness.ts';
import { distinctLeaves, known, missing } from './row-values.ts';

/** An item for each commit, and one for the unknown part of a push: all of a lost push, the rest of a truncated one. */
export const population: Population<ReachedCommitRow> = {
  async *rows(tx, query) {
    const names = await defaultBranchesOf(tx, query);
    for await (const pushes of pushesAsOf(tx, query)) {
      const reached = await reachedBy(tx, query, pushes);
      let rows: ReachedCommitRow[] = [];
      for (const push of pushes) {
        rows.push(...rowsOf(push, names.get(push.repository) ?? [], reached.get(push.id)));
        while (rows.length >= MAX_ROWS_PER_BATCH) {
          yield rows.slice(0, MAX_ROWS_PER_BATCH);
          rows = rows.slice(MAX_ROWS_PER_BATCH);
        }
      }
      yield rows;
    }
  },
  completeness: async (tx, query) => [await pushCompleteness(tx, query)],
};

const MAX_ROWS_PER_BATCH = 5_000;
const PUSHES_PER_BATCH = 500;

interface Push extends Record<string, unknown> {
  id: string;
  repository: string;
  branch: string;
  at: Date;
  cursor: string;
  forced: 'yes' | 'no' | 'unknown';
  completeness: 'complete' | 'truncated' | 'lost';
  activity: string | null;
  provider: string;
  commits: string[];
  leaf: number | null;
}

/** The pushes of the period, each in its latest version at the ledger size. */
async function* pushesAsOf(tx: Tx, { orgId, period, asOf }: PopulationQuery): AsyncGenerator<Push[]> {
  for (let after = [period.from, '00000000-0000-0000-0000-000000000000']; ; ) {
    const pushes = await tx.query<Push>({
      name: 'population.chg-02-pushes',
      text: `select b.id, b.repository_id as repository, b.branch, b.pushed_at as at,
               b.pushed_at::text as cursor, b.forced, b.completeness, b.activity, b.commits, r.provider, entry.leaf
             from branch_push b join repository r on r.org_id = b.org_id and r.id = b.repository_id ${entryJoinSql('entry', { fact: 'b', epoch: '$4', size: '$5' })}
             where b.org_id = $1 and b.pushed_at >= $2::timestamptz and b.pushed_at < $3::timestamptz
               and (b.pushed_at, b.id) > ($6::timestamptz, $7::uuid) and b.completeness <> 'recovered' and not exists (
                 select from branch_push n ${entryJoinSql('later', { fact: 'n', epoch: '$4', size: '$5' })}
                 where n.org_id = b.org_id and n.id = b.id and n.version > b.version)
             order by b.pushed_at, b.id limit ${PUSHES_PER_BATCH}`,
      values: [orgId, period.from, period.to, asOf.epoch, asOf.size, ...after],
    });
    const last = pushes.at(-1);
    if (!last) return;
    yield pushes;
    if (pushes.length < PUSHES_PER_BATCH) return;
    after = [last.cursor, last.id];
  }
}

interface Reached extends Record<string, unknown> {
  push: string;
  sha: string;
  cameBy: 'merged_pull_request' | 'none' | 'unknown';
  leaf: number | null;
}
type BySha = ReadonlyMap<string, Reached>;

async function reachedBy(
  tx: Tx,
  { orgId, asOf }: PopulationQuery,
  pushes: readonly Push[],
): Promise<ReadonlyMap<string, BySha>> {
  const rows = await tx.query<Reached>({
    name: 'population.chg-02-reached',
    text: `select distinct on (c.push_id, c.sha) c.push_id as push, c.sha, c.reached_by as "cameBy", entry.leaf
           from reached_commit c ${entryJoinSql('entry', { fact: 'c', epoch: '$2', size: '$3' })}
           where c.org_id = $1 and c.push_id = any($4::uuid[]) order by c.push_id, c.sha, c.version desc`,
    values: [orgId, asOf.epoch, asOf.size, pushes.map(({ id }) => id)],
  });
  const found = new Map<string, Map<string, Reached>>();
  for (const row of rows) {
    const commits = found.get(row.push) ?? new Map<string, Reached>();
    found.set(row.push, commits.set(row.sha, row));
  }
  return found;
}

function* rowsOf(push: Push, names: DefaultBranches, reached: BySha | undefined): Generator<ReachedCommitRow> {
  const { id, repository, branch, forced, completeness, activity, provider } = push;
  const base = {
    repository,
    waivers: [],
    branch,
    isDefaultBranch: branch === defaultBranchAt(names, push.at.toISOString()),
    pushedAt: push.at.toISOString(),
    isForced: forced === 'unknown' ? missing : known(forced === 'yes'),
    hostActivity: hostActivityFrom(provider, activity),
  };
  for (const sha of new Set(push.commits)) {
    const commit = reached?.get(sha);
    const origin = commit?.cameBy ?? 'unknown';
    yield {
      ...base,
      subject: `commit:${id}:${sha}`,
      leaf: commit?.leaf ?? null,
      leaves: distinctLeaves([push.leaf, commit?.leaf ?? null]),
      push: 'complete',
      reachedBy: origin === 'unknown' ? missing : known(origin),
    };
  }
  if (completeness === 'complete') return;
  yield {
    ...base,
    subject: `push:${id}`,
    leaf: push.leaf,
    leaves: distinctLeaves([push.leaf]),
    push: completeness,
    reachedBy: missing,
  };
}
