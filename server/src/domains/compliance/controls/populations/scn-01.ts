import { independentCount, withoutIndependentCount } from '@sightline/evidence/controls/completeness.ts';
import type { ScannedRow, ScanRun } from '@sightline/evidence/controls/rows.ts';
import { entryJoinSql, entryOrLegacyJoinSql } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { defaultBranchesOf, defaultBranchJoinSql, defaultBranchSpansJson } from './default-branches.ts';
import type { Population, PopulationQuery } from './population.ts';
import { distinctLeaves, known, missing, partial } from './row-values.ts';
import { loadScannerStates, type ScannerStates } from './scanners.ts';

/**
 * Recorded merges. Only build uploads name the commit of every run. Other scanners report only their newest runs, so a
 * merge without a run is uncertain.
 */
export const population: Population<ScannedRow> = {
  async *rows(tx, query) {
    const scanners = await loadScannerStates(tx, query);
    for await (const merges of mergesOf(tx, query)) {
      const runs = await runsOf(tx, query, merges);
      yield merges.map((merge) => rowOf(query, merge, runs, scanners));
    }
  },
  async completeness(tx, query) {
    let found = 0;
    for await (const merges of mergesOf(tx, query)) found += merges.length;
    return [
      independentCount('pull_requests', { expected: await countMerged(tx, query), found }),
      withoutIndependentCount('scans', found),
    ];
  },
};

interface Merge extends Record<string, unknown> {
  id: string;
  repository: string;
  branch: string;
  isDefaultBranch: boolean;
  at: Date;
  mergeSha: string | null;
  headSha: string | null;
  leaf: number | null;
}

interface SourcedScanRun extends ScanRun {
  source: string;
  leaf: number | null;
}

const BATCH_SIZE = 2_000;
const day = 24 * 3_600_000;

async function* mergesOf(tx: Tx, { orgId, period, asOf }: PopulationQuery): AsyncGenerator<Merge[]> {
  for (let after = [period.from, '00000000-0000-0000-0000-000000000000']; ; ) {
    const rows = await tx.query<Merge & { place: string; pulled: boolean }>({
      name: 'population.scn-01',
      text: `select distinct on (c.merged_at, c.id) c.id, c.repository_id as repository, c.branch, c.is_default_branch as "isDefaultBranch",
               c.merged_at as at, c.merged_at::text as place, c.merge_sha as "mergeSha", c.head_sha as "headSha", entry.leaf::int,
               c.number is not null as pulled
             from change_record c ${entryJoinSql('entry', { fact: 'c', epoch: '$4', size: '$5' })}
             where c.org_id = $1 and c.merged_at >= $2::timestamptz and c.merged_at < $3::timestamptz
               and (c.merged_at, c.id) > ($6::timestamptz, $7::uuid)
             order by c.merged_at, c.id, c.version desc limit ${BATCH_SIZE}`,
      values: [orgId, period.from, period.to, asOf.epoch, asOf.size, ...after],
    });
    const last = rows.at(-1);
    if (!last) return;
    after = [last.place, last.id];
    yield rows.filter(({ pulled }) => pulled);
    if (rows.length < BATCH_SIZE) return;
  }
}

/** Counts the merged pull requests of enabled repositories: each should have a record. */
async function countMerged(tx: Tx, query: PopulationQuery): Promise<number> {
  const { orgId, period, asOf } = query;
  const spans = defaultBranchSpansJson(await defaultBranchesOf(tx, query));
  const [row] = await tx.query<{ count: number }>({
    name: 'population.scn-01-merged',
    text: `select count(*)::int as count from repository r
           join pull_request p on p.org_id = r.org_id and p.repository_id = r.id and p.merged_at >= $2 and p.merged_at < $3
           ${defaultBranchJoinSql('d', { spans: '$6', repository: 'r.id', at: 'p.merged_at' })} and p.base_ref = d.name
           ${mergedEvent}
           where r.org_id = $1 and r.tracked`,
    values: [orgId, period.from, period.to, asOf.epoch, asOf.size, spans],
  });
  return row?.count ?? 0;
}

const mergedEvent = `cross join lateral (
  select from ledger_entry le where le.org_id = $1
    and le.entry_id = fact_id(format('["pull_request.merged","%s",%s]', p.repository_id, p.number))
    and (le.epoch + 0, le.leaf_index) < ($4::int, $5::bigint) limit 1) merged`;

/** The runs on the commits of merges, by repository and commit. */
async function runsOf(
  tx: Tx,
  { orgId, asOf }: PopulationQuery,
  merges: readonly Merge[],
): Promise<Map<string, SourcedScanRun[]>> {
  const shas = merges.flatMap(({ mergeSha, headSha }) => [mergeSha, headSha].filter((sha) => sha !== null));
  const rows = await tx.query<{
    repository: string;
    sha: string;
    finishedAt: Date;
    state: 'done' | 'failed';
    source: string;
    leaf: number | null;
  }>({
    name: 'population.scn-01-runs',
    text: `select s.repository_id as repository, s.commit_sha as sha, s.finished_at as "finishedAt", s.state, s.source, entry.leaf::int
           from scan s ${entryOrLegacyJoinSql('entry', { fact: 's', epoch: '$2', size: '$3' })}
           where s.org_id = $1 and s.repository_id = any($4::uuid[]) and s.commit_sha = any($5::text[])
             and s.state in ('done', 'failed') and s.complete and s.finished_at is not null
           order by s.finished_at, s.id`,
    values: [orgId, asOf.epoch, asOf.size, [...new Set(merges.map(({ repository }) => repository))], shas],
  });
  const runs = new Map<string, SourcedScanRun[]>();
  for (const { repository, finishedAt, state, ...row } of rows) {
    const key = `${repository} ${row.sha}`;
    const run: SourcedScanRun = {
      ...row,
      finishedAt: finishedAt.toISOString(),
      state: state === 'done' ? 'ok' : 'failed',
    };
    runs.set(key, [...(runs.get(key) ?? []), run]);
  }
  return runs;
}

function rowOf(
  { asOf }: PopulationQuery,
  merge: Merge,
  runs: ReadonlyMap<string, SourcedScanRun[]>,
  scanners: ScannerStates,
): ScannedRow {
  const { repository, mergeSha, headSha, leaf, at } = merge;
  const shas = [...new Set([mergeSha, headSha])];
  const own = shas.flatMap((sha) => runs.get(`${repository} ${sha}`) ?? []);
  const until = new Date(at.getTime() + day).toISOString();
  const scanner = scanners.around(repository, at.toISOString(), until);
  const scans = own.map(({ sha, finishedAt, state }): ScanRun => ({ sha, finishedAt, state }));
  // Results may be read long after the run, and runs that were not the newest are never read.
  const isComplete =
    own.some(({ state, finishedAt }) => state === 'ok' && finishedAt <= until) || scanner.reportsEveryRun;
  return {
    subject: `change:${merge.id}`,
    repository,
    leaf,
    leaves: distinctLeaves([leaf, ...own.map((run) => run.leaf), ...scanner.leaves]),
    waivers: [],
    branch: merge.branch,
    isDefaultBranch: merge.isDefaultBranch,
    mergedAt: at.toISOString(),
    evaluatedAt: asOf.at,
    headSha: headSha === null ? missing : known(headSha),
    mergeSha: mergeSha === null ? missing : known(mergeSha),
    scanner: scanner.state,
    scans: isComplete ? known(scans) : scans.length > 0 ? partial(scans) : missing,
  };
}
