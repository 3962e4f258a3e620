import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Request } from '@playwright/test';
import pg from 'pg';
import { startProduct } from '../web/e2e/server.ts';
import { printReport, type ReportRow } from './report.ts';

const times = Number(process.env.TIMES ?? 100);
const repeats = Number(process.env.REPEATS ?? 40);

/** The pages whose requests are measured: Home and the lists. */
const pages = [
  '/',
  '/vulnerabilities',
  '/changes',
  '/repositories',
  '/tools',
  '/explore',
  '/explore?query=is:direct+after:-90d&chart=bars&by=repo',
  '/evidence',
  '/evidence/frameworks',
  '/evidence/controls/CHG-01?verdict=fail',
  '/digests',
  '/policies',
  '/waivers',
  '/evidence/access-reviews',
  '/evidence/snapshots',
  '/organization/members',
  '/audit',
];

/** Measures the requests of Home and of the lists in the demo organization, with its repositories multiplied. */
export async function benchDemo(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-demo-'));
  const product = await startProduct(undefined, () => ({ DATA_DIR: folder }));
  try {
    const demo = JSON.parse(await product.sightline('demo', '--json')) as {
      organizationId: string;
      credentials: { email: string; password: string }[];
    };
    const [owner] = demo.credentials;
    if (!owner) throw new Error('The demo has no owner.');
    const port = await readFile(join(folder, 'postgres.port'), 'utf8');
    const password = await readFile(join(folder, 'postgres.password'), 'utf8');
    const client = new pg.Client({
      connectionString: `postgres://postgres:${encodeURIComponent(password.trim())}@127.0.0.1:${port.trim()}/sightline`,
    });
    await client.connect();
    const sizes = await multiply(client, demo.organizationId);
    await client.end();
    printReport(`rows of the demo, ${times} times`, sizes);
    const requests = await recordRequests(product.url, owner);
    const rows: ReportRow[] = [];
    for (const [name, request] of requests) rows.push({ name, ...(await measure(request)) });
    printReport(`requests of Home and lists at the demo ${times} times, one after the other`, rows);
  } finally {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Tables with a row per repository, or per item of one. Words of events are not multiplied. */
const multiplied = [
  'repository',
  'repository_import',
  'pull_request',
  'review',
  'commit',
  'contributor',
  'branch_push',
  'reached_commit',
  'change_record',
  'change_work',
  'reconciled_agent',
  'merge_count',
  'event',
  'context',
  'finding',
  'finding_instance',
  'finding_state',
  'finding_source',
  'finding_detail',
  'finding_change',
  'finding_count',
  'finding_repository_count',
  'finding_day',
  'analysis',
  'scan',
  'scan_latest',
  'tool_detection',
  'tool_repository',
  'protection_snapshot',
  'control_row',
];
/** Totals of the organization. */
const totals: Record<string, string[]> = {
  finding_discovered: ['count'],
  finding_facet_count: ['count'],
  finding_lane_count: ['count'],
  finding_title_count: ['count'],
  finding_lane_day: ['change'],
  event_hour_kind: ['n'],
  control_run: ['population', 'pass', 'fail', 'waived', 'missing_evidence'],
};
/** Columns that must differ in each copy. */
const distinct: Record<string, string> = {
  'repository.provider_repo_id': `provider_repo_id || '-' || n`,
  'repository.full_name': `full_name || '-' || n`,
  'repository.name': `name || '-' || n`,
  'finding_state.number': 'number + n * 100000',
  'control_row.ord': 'ord + n * 100000',
};

/** Copies the rows of the organization `times - 1` times: each copy has other IDs of repositories, findings and the like. */
async function multiply(client: pg.Client, orgId: string): Promise<ReportRow[]> {
  await client.query("select set_config('app.org', $1, false)", [orgId]);
  await client.query('set session_replication_role = replica');
  const columns = await columnsOf(client);
  await client.query('create temp table moved (id uuid primary key)');
  for (const table of multiplied)
    if (columns.get(table)?.some(({ name, type }) => name === 'id' && type === 'uuid'))
      await client.query(`insert into moved select id from ${table} where org_id = $1 on conflict do nothing`, [orgId]);
  await client.query('analyze moved');
  const rows: ReportRow[] = [];
  for (const table of multiplied) {
    const all = columns.get(table) ?? [];
    const values = all.map(({ name, type }) => {
      const other = distinct[`${table}.${name}`];
      if (other !== undefined) return other;
      return type === 'uuid' && name !== 'org_id'
        ? `case when t.${name} in (select id from moved) then md5(t.${name}::text || n)::uuid else t.${name} end`
        : `t.${name}`;
    });
    const { rowCount } = await client.query(
      `insert into ${table} (${all.map(({ name }) => `"${name}"`).join(', ')})
       select ${values.join(', ')} from ${table} t cross join generate_series(1, ${times - 1}) n where t.org_id = $1
       on conflict do nothing`,
      [orgId],
    );
    rows.push({ name: table, added: rowCount ?? 0 });
  }
  for (const [table, counts] of Object.entries(totals))
    await client.query(
      `update ${table} set ${counts.map((count) => `${count} = ${count} * ${times}`).join(', ')} where org_id = $1`,
      [orgId],
    );
  await client.query('set session_replication_role = origin');
  await client.query('vacuum analyze');
  return rows;
}

interface ColumnOfTable {
  name: string;
  type: string;
}

/** The columns of each table, without generated ones. */
async function columnsOf(client: pg.Client): Promise<Map<string, ColumnOfTable[]>> {
  const { rows } = await client.query<ColumnOfTable & { table: string }>(
    `select table_name as table, column_name as name, udt_name as type from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' and coalesce(identity_generation, '') <> 'ALWAYS'
     order by ordinal_position`,
  );
  return Map.groupBy(rows, ({ table }) => table);
}

interface RecordedRequest {
  url: string;
  init: { method: string; headers: Record<string, string>; body: string | null };
}

/** The requests of the pages to the API, by page, method and path. */
async function recordRequests(
  url: string,
  { email, password }: { email: string; password: string },
): Promise<Map<string, RecordedRequest>> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage({ baseURL: url });
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Demo data.').first().waitFor({ timeout: 60_000 });
  const found = new Map<string, RecordedRequest>();
  for (const path of pages) {
    const requests: Request[] = [];
    const note = (request: Request) => void requests.push(request);
    page.on('request', note);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    page.off('request', note);
    for (const request of requests) {
      const { pathname, search } = new URL(request.url());
      if (!pathname.startsWith('/api/v2/') || !readOnly(request)) continue;
      const { authorization = '' } = await request.allHeaders();
      const name = `${path.split('?')[0]} ${request.method()} ${pathname.slice('/api/v2'.length)}${search.slice(0, 40)}`;
      found.set(name, {
        url: request.url(),
        init: {
          method: request.method(),
          headers: { authorization, 'content-type': 'application/json' },
          body: request.postData(),
        },
      });
    }
  }
  await browser.close();
  return found;
}

/** Requests that change nothing: those of the page frame are measured once. */
const readOnly = (request: Request): boolean =>
  request.method() === 'GET' || /\/explore\/|\/tools\/inventory/.test(request.url());

async function measure({ url, init }: RecordedRequest): Promise<Omit<ReportRow, 'name'>> {
  const sent: number[] = [];
  let [status, bytes] = [0, 0];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const started = performance.now();
    const answer = await fetch(url, init);
    bytes = (await answer.text()).length;
    sent.push(performance.now() - started);
    ({ status } = answer);
  }
  sent.sort((one, other) => one - other);
  const at = (share: number) =>
    Number((sent[Math.min(sent.length - 1, Math.floor(sent.length * share))] ?? 0).toFixed(1));
  return { status, kB: Math.round(bytes / 1000), 'p50 ms': at(0.5), 'p95 ms': at(0.95) };
}
