import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type ControlId, controlIds } from '@sightline/evidence/controls/catalog.ts';
import pg from 'pg';
import { type Database, openDatabase } from '../server/src/database/database.ts';
import {
  type EvaluatedControl,
  evaluatePopulation,
} from '../server/src/domains/compliance/controls/evaluate-population.ts';
import type { PopulationQuery } from '../server/src/domains/compliance/controls/populations/population.ts';
import { saveRun } from '../server/src/domains/compliance/controls/save-run.ts';
import { startCluster } from '../server/src/testing/cluster.ts';
import { printProgress, printReport, type ReportRow } from './report.ts';

const merges = Number(process.env.BENCH_MERGES ?? 100_000);
const repositories = 50;
/** Commits per merge. */
const commits = 3;

const period = { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' };

/** Measures the evaluation of a quarter with many merges by each control: time, memory, and how long the event loop is blocked. */
export async function benchControls(): Promise<void> {
  const cluster = await startCluster();
  const database = openDatabase({ url: cluster.template, max: 4, role: 'sightline_app', onError: () => undefined });
  const superuser = new URL(cluster.url);
  superuser.pathname = new URL(cluster.template).pathname;
  const owner = new pg.Client({ connectionString: superuser.href });
  try {
    await owner.connect();
    const orgId = randomUUID();
    await seed(owner, orgId);
    printProgress(`${merges} merges in the ledger`);
    const asOf = { epoch: 1, size: merges * (2 + commits), at: period.to };
    const rows: ReportRow[] = [];
    for (const control of controlIds) rows.push(await measure(database, { orgId, period, asOf }, control));
    const total = rows.reduce((sum, row) => sum + Number(row[durationName]), 0);
    rows.push({ name: 'all controls', [durationName]: Math.round(total * 100) / 100 });
    printReport(`controls over ${merges} merges`, rows);
  } finally {
    await owner.end();
    await database.close();
    await cluster.stop();
  }
}

async function measure(database: Database, populationQuery: PopulationQuery, control: ControlId): Promise<ReportRow> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  const evaluated: EvaluatedControl = await database.withOrg(populationQuery.orgId, (tx) =>
    evaluatePopulation(tx, populationQuery, control),
  );
  printProgress(`${control} evaluated`);
  const evaluation = performance.now() - began;
  await database.withOrg(populationQuery.orgId, (tx) =>
    saveRun(tx, populationQuery, { id: randomUUID(), control, again: false, seed: 'bench' }, evaluated),
  );
  const all = performance.now() - began;
  delay.disable();
  clearInterval(sampler);
  const { population, pass, fail, missing_evidence: missingEvidence } = evaluated.run.counts;
  return {
    name: control,
    rows: population,
    pass,
    fail,
    missing_evidence: missingEvidence,
    'evaluated s': seconds(evaluation),
    [durationName]: seconds(all),
    'memory MB': Math.round((peak - before) / 1_000_000),
    'longest turn ms': Math.round(delay.max / 1_000_000),
    'turn p99 ms': Math.round(delay.percentile(99) / 1_000_000),
  };
}

const durationName = 'evaluated and kept s';

const seconds = (ms: number): number => Math.round(ms / 10) / 100;

/**
 * Inserts a quarter of merges as a code host reports them: of ten, one is not approved, one is a direct push, one lacks
 * reviews.
 */
async function seed(owner: pg.Client, orgId: string): Promise<void> {
  await owner.query(`set session_replication_role = replica`);
  const repository = `md5('repository ' || n % ${repositories})::uuid`;
  const at = `timestamptz '2026-07-01' + make_interval(secs => n * ${(92 * 86_400) / merges})`;
  await owner.query(`insert into organization (id, name, slug, display_name) values ($1, 'Bench', 'bench', 'Bench')`, [
    orgId,
  ]);
  await owner.query(
    `insert into repository (org_id, id, provider, provider_repo_id, installation_id, owner, name, full_name, default_branch, is_private,
       html_url, tracked, last_change)
     select $1, ${repository}, 'github', n, '1', 'bench', 'r' || n, 'bench/r' || n, 'main', true, 'https://code.example', true, now()
     from generate_series(0, ${repositories - 1}) n`,
    [orgId],
  );
  const entry = (kind: string, index: string, id: string) =>
    `insert into ledger_entry (org_id, epoch, leaf_index, leaf_hash, entry_id, kind, packed)
     select $1, 1, ${index}, sha256((${index})::text::bytea), ${id}, '${kind}', '{}' from generate_series(0, ${merges - 1}) n`;
  await owner.query(entry('change', 'n::bigint', `md5('change entry ' || n)::uuid`), [orgId]);
  await owner.query(entry('push', `${merges} + n::bigint`, `md5('push entry ' || n)::uuid`), [orgId]);
  for (let commit = 0; commit < commits; commit += 1) {
    await owner.query(
      entry('reached', `${merges * (2 + commit)} + n::bigint`, `md5('reached entry ${commit} ' || n)::uuid`),
      [orgId],
    );
  }
  await owner.query(
    `insert into change_record (org_id, id, version, repository_id, branch, is_default_branch, merge_method, number, merged_at, parts, sources,
       authors, persons, missing, approval, has_agent, cause, entry_id)
     select $1, md5('change ' || n)::uuid, 1, ${repository}, 'main', true, case when n % 10 = 1 then 'direct_push' else 'pull_request' end,
       case when n % 10 <> 1 then n end, ${at}, replace(replace($2, 'REVIEWS', case when n % 10 = 0 then '{"state":"complete","value":[]}'
         when n % 10 = 2 then '{"state":"missing"}' else $3 end), 'TIME', to_char(${at}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::jsonb, '{}',
       '{}', '{}', '{}', 'unknown', false, 'merge', md5('change entry ' || n)::uuid
     from generate_series(0, ${merges - 1}) n`,
    [orgId, parts, reviews],
  );
  await owner.query(
    `insert into branch_push (org_id, id, repository_id, branch, before_sha, after_sha, pushed_at, time_source, forced, completeness, commits, source,
       entry_id)
     select $1, md5('push ' || n)::uuid, ${repository}, 'main', 'a', 'b', ${at}, 'host', 'no', 'complete',
       array(select md5('commit ' || c || ' ' || n) from generate_series(0, ${commits - 1}) c), 'webhook', md5('push entry ' || n)::uuid
     from generate_series(0, ${merges - 1}) n`,
    [orgId],
  );
  await owner.query(
    `insert into reached_commit (org_id, repository_id, branch, push_id, sha, reached_by, number, entry_id)
     select $1, ${repository}, 'main', md5('push ' || n)::uuid, md5('commit ' || c || ' ' || n),
       case when n % 10 = 1 then 'none' else 'merged_pull_request' end, case when n % 10 <> 1 then n end,
       md5('reached entry ' || c || ' ' || n)::uuid
     from generate_series(0, ${merges - 1}) n cross join generate_series(0, ${commits - 1}) c`,
    [orgId],
  );
  await owner.query(`set session_replication_role = origin`);
  await owner.query('analyze');
}

const known = (value: unknown) => ({ state: 'complete', value });
const human = () => ({ kind: 'human', identity: 'resolved', person: randomUUID() });
const [author, other] = [human(), human()];
const parts = JSON.stringify({
  headSha: known('head'),
  authors: known([author, other]),
  lastPusher: known(author),
  earlierPushers: known([]),
  unattestedCommits: known(0),
  lastPushAt: known('TIME'),
  sessionOwners: known([]),
  reviews: 'REVIEWS',
  unreviewedFiles: known(0),
  hostActivity: known('pull_request_merge'),
  mergedBy: known(author),
  mergeRequestedBy: { state: 'missing' },
  checks: known(
    ['build', 'test', 'lint', 'scan'].map((name) => ({
      name,
      sha: 'head',
      conclusion: 'success',
      completedAt: 'TIME',
    })),
  ),
  requiredChecks: known(['build', 'test']),
  sourceBranch: known('next'),
  labels: known([]),
  tickets: known(['resolved']),
  linkedIssues: known(0),
  ai: known([]),
  agents: known([]),
  pathMatches: known([]),
  changedLines: known(12),
  configuredServers: known([]),
}).replace('"REVIEWS"', 'REVIEWS');
const reviews = JSON.stringify(
  known(
    ['commented', 'approved'].map((verdict) => ({
      id: randomUUID(),
      by: human(),
      verdict,
      submittedAt: 'TIME',
      dismissedAt: known(null),
      commit: known('head'),
      byActiveMember: known(true),
      memberSince: known('2026-01-01T00:00:00.000Z'),
    })),
  ),
);
