import pg from 'pg';
import { fillFindings } from '../server/src/domains/vulnerabilities/findings/testing/fill.ts';
import { type BenchServer, startServer } from './process.ts';
import { measureRequests } from './questions.ts';
import { printReport, type ReportRow } from './report.ts';
import { measureScanIntake } from './scan-intake.ts';

const findings = Number(process.env.BENCH_FINDINGS ?? 1_000_000);
const seconds = 4;

/**
 * Measures the import of one large scan; then lists, filters and stats over HTTP at a million findings in 200
 * repositories.
 */
export async function benchFindings(): Promise<void> {
  await withServer(async (server) => printReport('a scan taken in', await measureScanIntake(server)));
  await withServer(measureLists);
}

async function withServer(work: (server: BenchServer) => Promise<void>): Promise<void> {
  const server = await startServer();
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

async function measureLists(server: BenchServer): Promise<void> {
  await seedFindings(server, findings);
  const rows = await measureRequests(server, await questions(server), { connections: [1, 8], seconds });
  rows.push(...(await measureBareSql(server)));
  printReport(`lists of ${findings} findings`, rows);
}

async function questions({ url, token }: BenchServer): Promise<Record<string, string[]>> {
  const first = '/api/v2/vulnerabilities?perPage=1&sort=date-desc';
  const answer = await fetch(`${url}${first}`, { headers: { authorization: `Bearer ${token}` } });
  const total = Number(answer.headers.get('x-total-count'));
  const [{ repository, id }] = (await answer.json()) as [{ repository: { id: string }; id: string }];
  const base = '/api/v2/vulnerabilities';
  const list = (...queries: string[]) => queries.map((query) => `${base}?${query}`);
  const filtersOf = (...names: string[]) =>
    names.flatMap((name) => [`${base}/filters/${name}`, `${base}/filters/${name}?severity=high&search=injection`]);
  const middle = Math.floor(total / 20);
  return {
    'list, worst first': list('', 'perPage=40', 'page=2'),
    'list, other orders': list('sort=date-desc', 'sort=date-asc', 'sort=severity-asc'),
    'list, by name': list('sort=name-asc', 'sort=name-desc&page=7'),
    'list, one filter': list(
      'severity=critical',
      'category=secret',
      'dataSource=trivy',
      'status=dismissed',
      `repository=${repository.id}`,
    ),
    'list, rare category': list('category=scorecard', 'category=scorecard&page=20'),
    'list, several filters': list(
      'severity=high,medium&category=sast,iac&dataSource=codeql,checkov',
      `status=open,fixed&severity=low&repository=${repository.id}&sort=date-desc`,
      'status=open,dismissed,exception,fixed&sort=date-desc',
    ),
    'list, search': list(
      'search=injection',
      'search=traversal%20header&sort=date-desc',
      'search=query%20177',
      'search=e',
    ),
    'list, search and filters': list('search=hash&severity=critical', `search=token&repository=${repository.id}`),
    'list, page 1 000': list('page=1000', 'page=1001&sort=date-desc'),
    'list, middle of all': list(`page=${middle}`, `page=${middle + 7}&sort=date-desc`, `page=${middle}&sort=name-asc`),
    'list, last page': list(`page=${Math.ceil(total / 10)}`, `page=${Math.ceil(total / 10)}&sort=date-desc`),
    filters: filtersOf('severities', 'categories', 'dataSources', 'repositories', 'statuses'),
    // Counted over assigned and labeled findings, not over stored counts.
    'filters, assignees and labels': filtersOf('assignees', 'labels'),
    'list, triage filters': list('assignee=none', 'assignee=me', 'label=team-1', 'component=package-1'),
    groups: ['rule', 'repository', 'assignee', 'component'].flatMap((by) =>
      ['', '&severity=high,critical', '&search=injection', '&assignee=none'].map(
        (query) => `${base}/groups?by=${by}${query}`,
      ),
    ),
    stats: ['', 'severity=high', `repository=${repository.id}`, 'category=sca&status=fixed'].map(
      (query) => `${base}/stats?${query}`,
    ),
    'stats, search': ['search=injection', 'search=query%20177', 'search=e'].map((query) => `${base}/stats?${query}`),
    neighbors: [
      `${base}/${id}/neighbors`,
      `${base}/${id}/neighbors?sort=date-desc`,
      `${base}/${id}/neighbors?sort=name-asc`,
    ],
    'one finding': [`${base}/${id}`],
    'repositories, by severity': ['/api/v2/repositories?sort=severity-desc', '/api/v2/repositories'],
  };
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

/** Inserts findings of 200 repositories without the API. */
export async function seedFindings({ superuserUrl, orgId }: BenchServer, howMany: number): Promise<void> {
  const client = await connect(superuserUrl);
  // Totals belong to the organization of the connection.
  await client.query("select set_config('app.org', $1, false)", [orgId]);
  try {
    await fillFindings(client, { orgId, mark: 'dev', repositories: 200, findings: howMany, titles: 400 });
    for (const table of tables) await client.query(`vacuum analyze ${table}`);
  } finally {
    await client.end();
  }
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
