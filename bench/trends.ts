import { controlIds } from '@sightline/contract/core/control-ids.ts';
import pg from 'pg';
import { fillFindings } from '../server/src/domains/vulnerabilities/findings/testing/fill.ts';
import { type BenchServer, startServer } from './process.ts';
import { measureRequests } from './questions.ts';
import { printReport } from './report.ts';

const findings = Number(process.env.BENCH_FINDINGS ?? 100_000);
const merges = Number(process.env.BENCH_MERGES ?? 50_000);
const seconds = 4;

/** Measures the trends of Home, and the lists they link to, over a quarter of merges, findings and evaluations. */
export async function benchTrends(): Promise<void> {
  const server = await startServer();
  try {
    await seedTrends(server, { findings, merges });
    const rows = await measureRequests(server, requests(), { connections: [1, 8], seconds });
    printReport(`trends of ${findings} findings and ${merges} merges`, rows);
  } finally {
    await server.stop();
  }
}

function requests(): Record<string, string[]> {
  const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString();
  const vulnerabilities = '/api/v2/vulnerabilities';
  return {
    'finding trend': ['30', '90'].map((days) => `${vulnerabilities}/trend?days=${days}`),
    readiness: ['30', '90'].map((days) => `/api/v2/controls/readiness?days=${days}`),
    'approval trend': ['30', '90'].map((days) => `/api/v2/changes/approval-trend?days=${days}`),
    'list, fixed since': [`${vulnerabilities}?status=fixed&fixedFrom=${weekAgo}`],
    'list, overdue': [`${vulnerabilities}?overdue=true`, `${vulnerabilities}?overdue=true&severity=critical`],
    'list, introduced by me': [`${vulnerabilities}?introducedBy=me`],
  };
}

/** Inserts findings of 400 days, merges of 180 days and an evaluation of each control on each of 90 days. */
async function seedTrends(
  { superuserUrl, orgId, accountId }: Pick<BenchServer, 'superuserUrl' | 'orgId' | 'accountId'>,
  size: { findings: number; merges: number },
): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // Totals belong to the organization of the connection.
    await client.query("select set_config('app.org', $1, false)", [orgId]);
    const until = new Date().toISOString();
    await fillFindings(client, { orgId, mark: 'dev', repositories: 200, findings: size.findings, titles: 400, until });
    await client.query(
      `insert into identity (org_id, kind, value, person_id, source, confidence)
       select $1, 'github', 'dev-9', person_id, 'bench', 'declared' from identity where org_id = $1 and kind = 'account' and value = $2`,
      [orgId, accountId],
    );
    await client.query('set session_replication_role = replica');
    await client.query(insertMerges, [orgId, size.merges]);
    await client.query(insertMergeCounts, [orgId]);
    await client.query(insertRuns, [orgId, controlIds]);
    await client.query('set session_replication_role = origin');
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

// Every tenth record has a second version, every tenth change is a direct push, and every eighth has no approval.
const insertMerges = `
  insert into change_record (org_id, id, version, repository_id, branch, is_default_branch, merge_method, number, push_id, merged_at,
    parts, sources, authors, persons, missing, approval, has_agent, cause, entry_id)
  select $1, md5('change ' || n)::uuid, v, r.id, 'main', true, case when n % 10 = 1 then 'direct_push' else 'pull_request' end,
    case when n % 10 <> 1 then n end, case when n % 10 = 1 then gen_random_uuid() end, now() - n * (interval '180 days' / $2::int),
    '{}', '{}', '{}', '{}', '{}', case when v = 1 and n % 20 = 0 then 'unknown' when n % (6 + n * 9 / $2) = 3 then 'no' else 'yes' end,
    false, 'merge', gen_random_uuid()
  from generate_series(1, $2::int) n
  cross join lateral generate_series(1, case when n % 10 = 0 then 2 else 1 end) v
  cross join lateral (select id from repository where org_id = $1 order by id offset n % 200 limit 1) r`;

const insertMergeCounts = `
  insert into merge_count (org_id, repository_id, week, yes, no, unknown)
  select org_id, repository_id, date_trunc('week', merged_at at time zone 'UTC')::date, count(*) filter (where approval = 'yes'),
    count(*) filter (where approval = 'no'), count(*) filter (where approval = 'unknown')
  from (select distinct on (id) * from change_record where org_id = $1 order by id, version desc) latest
  where merge_method = 'pull_request' group by 1, 2, 3`;

const insertRuns = `
  insert into control_run (org_id, id, control_id, catalog_version, period_from, period_to, as_of_epoch, as_of_size, population, pass, fail,
    waived, missing_evidence, status, completeness, exclusions, weakenings, seed, reasons, rows_sha256, is_reevaluation, entry_id, run_at)
  select $1, gen_random_uuid(), c.id, '1', q.start at time zone 'UTC', (q.start + interval '3 months') at time zone 'UTC', 1, 1000 - d, 9, 9,
    0, 0, 0, case when c.n % 7 = 0 then 'not_applicable' when (c.n * 11 + d) % 90 < 25 then 'failing' else 'passing' end, '[]', '[]', '[]', '', '{}',
    sha256(''), false, gen_random_uuid(), now() - d * interval '1 day'
  from unnest($2::text[]) with ordinality as c(id, n) cross join generate_series(0, 89) d
  cross join lateral (select date_trunc('quarter', (now() at time zone 'UTC') - d * interval '1 day') as start) q`;
