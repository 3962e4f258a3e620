import pg from 'pg';
import { fillFindings } from '../server/src/domains/vulnerabilities/findings/testing/fill.ts';
import { measureEdits } from './finding-edits.ts';
import { findingQuestions } from './finding-questions.ts';
import { type BenchServer, startServer } from './process.ts';
import { measureRequests } from './questions.ts';
import { printProgress, printReport, type ReportRow } from './report.ts';
import { measureScanIntake } from './scan-intake.ts';

const findings = Number(process.env.BENCH_FINDINGS ?? 1_000_000);
const seconds = Number(process.env.SECONDS ?? 4);
const connections = (process.env.CONNECTIONS ?? '1,16').split(',').map(Number);
/** A part of the names of the questions to measure; all without it. */
const part = process.env.PART;

/**
 * Measures the import of one large scan; then every list, filter and count over HTTP at a million findings in 200
 * repositories, alone and by 16 users. With `BENCH_DATA`, the next run reuses the findings; `PART` selects questions.
 */
export async function benchFindings(): Promise<void> {
  if (part === undefined) {
    await withServer(async (server) => printReport('a scan taken in', await measureScanIntake(server)));
  }
  await withServer(measureLists, process.env.BENCH_DATA);
}

async function withServer(work: (server: BenchServer) => Promise<void>, dataFolder?: string): Promise<void> {
  const server = await startServer({}, dataFolder);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

async function measureLists(server: BenchServer): Promise<void> {
  await seed(server);
  const questions = Object.entries(await findingQuestions(server)).filter(([name]) => name.includes(part ?? ''));
  const rows = await measureRequests(server, Object.fromEntries(questions), { connections, seconds });
  if (part === undefined) rows.push(...(await measureBareSql(server)));
  printReport(`lists of ${findings} findings`, rows);
  if (part === undefined || part === 'edits') printReport('edits', await measureEdits(server));
}

/** Measures counting the open findings or reading the newest page in PostgreSQL alone. */
async function measureBareSql({ superuserUrl, orgId }: BenchServer): Promise<ReportRow[]> {
  const client = await connect(superuserUrl);
  const questions: Record<string, string> = {
    'bare SQL: count the open ones': "select count(*) from finding where org_id = $1 and status = 'open'",
    'bare SQL: newest ten':
      "select id from finding where org_id = $1 and status = 'open' order by discovered_at desc, id desc limit 10",
  };
  const rows: ReportRow[] = [];
  for (const [name, text] of Object.entries(questions)) {
    const times: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const began = performance.now();
      await client.query(text, [orgId]);
      times.push(performance.now() - began);
    }
    times.sort((one, other) => one - other);
    rows.push({ name, 'p50 ms': Number(times[5]?.toFixed(2)), 'p95 ms': Number(times[9]?.toFixed(2)) });
  }
  await client.end();
  return rows;
}

async function seed({ superuserUrl, orgId, accountId }: BenchServer): Promise<void> {
  const client = await connect(superuserUrl);
  try {
    const { rows } = await client.query('select from finding limit 1');
    if (rows.length > 0) return;
    const started = performance.now();
    await insertFindings(client, orgId, findings);
    // The owner has a login that introduced findings.
    await client.query(
      `insert into identity (org_id, kind, value, person_id, source, confidence)
       select $1, 'github', 'dev-9', person_id, 'bench', 'declared' from identity where org_id = $1 and kind = 'account' and value = $2`,
      [orgId, accountId],
    );
    const { rows: sizes } = await client.query(`select pg_size_pretty(pg_database_size(current_database())) as size`);
    printProgress(`${findings} findings in ${((performance.now() - started) / 1000).toFixed(0)} s, ${sizes[0]?.size}`);
  } finally {
    await client.end();
  }
}

/** Inserts findings of 200 repositories without the API. */
export async function seedFindings({ superuserUrl, orgId }: BenchServer, howMany: number): Promise<void> {
  const client = await connect(superuserUrl);
  try {
    await insertFindings(client, orgId, howMany);
  } finally {
    await client.end();
  }
}

async function insertFindings(client: pg.Client, orgId: string, howMany: number): Promise<void> {
  // Totals belong to the organization of the connection.
  await client.query("select set_config('app.org', $1, false)", [orgId]);
  const until = new Date().toISOString();
  const size = { repositories: 200, findings: howMany, titles: 400, until, isBulk: howMany > 1_000_000 };
  await fillFindings(client, { orgId, mark: 'dev', ...size });
  for (const table of tables) await client.query(`vacuum analyze ${table}`);
}

const tables = [
  'finding',
  'finding_count',
  'finding_lane_count',
  'finding_repository_count',
  'finding_title_count',
  'finding_title',
  'finding_day',
  'finding_lane_day',
  'finding_discovered',
  'finding_facet_count',
  'scan_latest',
  'repository',
  'scan',
  'finding_tool',
  'finding_label',
];

async function connect(superuserUrl: string): Promise<pg.Client> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}
