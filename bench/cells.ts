import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { cpuMillisecondsOf } from './cpu.ts';
import { seedEvents } from './events/seed.ts';
import { questions } from './explore.ts';
import { createBodies } from './ingest.ts';
import { type LoadFigures, type LoadRequest, runLoad, warmUpServer } from './load.ts';
import { type BenchServer, startServer } from './process.ts';
import { printProgress, printReport, type ReportRow } from './report.ts';

const total = Number(process.env.BENCH_EVENTS ?? 2_000_000);
const organizations = Number(process.env.BENCH_ORGANIZATIONS ?? 100);
/** The numbers of cells to compare. */
const layouts = (process.env.BENCH_CELLS ?? '1,2').split(',').map(Number);
const runs = Number(process.env.BENCH_RUNS ?? 3);
const seconds = Number(process.env.SECONDS ?? 8);
/** Whether events older than 30 days are in segments from the start. */
const archived = process.env.ARCHIVED === '1';
/** Connections over all cells. */
const connections = 16;
const batch = 100;
/** Events of the organization that moves from the first cell to the second. */
const moved = Number(process.env.BENCH_MOVED ?? 100_000);

/** A server with its own PostgreSQL, and an access token for each of its organizations. */
interface Cell extends BenchServer {
  tokens: string[];
}

/** Cells that share the organizations and events. */
interface Layout {
  name: string;
  cells: Cell[];
}

/**
 * Measures the same organizations and events in one cell and in two: each cell is a server with its own PostgreSQL, all on
 * this machine. Requests go to the organizations of all cells alike. Both are measured in turns, so that other work on the
 * machine affects both. `BENCH_DATA` keeps the data between runs.
 */
export async function benchCells(): Promise<void> {
  const started: Layout[] = [];
  try {
    for (const count of layouts)
      started.push({ name: count === 1 ? 'one cell' : `${count} cells`, cells: await startCells(count) });
    const of = `${total} events of ${organizations} organizations`;
    const sizes: ReportRow[] = [];
    for (const { name, cells } of started) sizes.push({ name, ...(await sizesOf(cells)) });
    printReport(`cells: size of ${of}`, sizes);
    if (process.env.PART === 'seed') return;
    for (const { cells } of started) await warmUp(cells);
    const pages = await inTurns(started, async ({ name, cells }, run) => [
      await measurePages(cells, `${name}, run ${run}, c=2`, 2),
      await measurePages(cells, `${name}, run ${run}, c=${connections}`, connections),
    ]);
    printReport(`cells: pages of ${of}`, pages);
    for (const { cells } of started) await untilIndexed(cells);
    const ingest = await inTurns(started, async ({ name, cells }, run) => [
      await measureIngest(cells, `${name}, run ${run}`),
    ]);
    printReport(`cells: ingest beside ${of}`, ingest);
    const [from, to] = started.find(({ cells }) => cells.length > 1)?.cells ?? [];
    if (from && to && moved > 0) printReport('cells: move of an organization', [await measureMove(from, to)]);
  } finally {
    for (const { cells } of started) for (const cell of cells) await cell.stop();
  }
}

/** Measures each layout in each run, sorted by layout. */
async function inTurns(
  started: readonly Layout[],
  measure: (layout: Layout, run: number) => Promise<ReportRow[]>,
): Promise<ReportRow[]> {
  const rows = new Map<string, ReportRow[]>();
  for (let run = 1; run <= runs; run += 1)
    for (const layout of started)
      rows.set(layout.name, [...(rows.get(layout.name) ?? []), ...(await measure(layout, run))]);
  return [...rows.values()].flat();
}

const startCells = (count: number): Promise<Cell[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => startCell(place, count)));

async function startCell(place: number, count: number): Promise<Cell> {
  const folder =
    process.env.BENCH_DATA === undefined ? undefined : `${process.env.BENCH_DATA}-${place + 1}-of-${count}`;
  const server = await startServer({}, folder);
  const own = organizations / count;
  printProgress(`cell ${place + 1} of ${count}`);
  await seedEvents(server, total / count, { others: own - 1, share: 1 / own, complete: true, archived });
  return { ...server, tokens: await server.signIn(await listOwners(server)) };
}

async function withDatabase<Result>({ superuserUrl }: BenchServer, work: (client: pg.Client) => Promise<Result>) {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const listOwners = (server: BenchServer) =>
  withDatabase(server, async (client) => {
    const { rows } = await client.query<{ accountId: string; orgId: string }>(
      `select distinct on (org_id) account_id as "accountId", org_id as "orgId" from member
       where org_id not in (select id from moved_organization) order by org_id, account_id`,
    );
    return rows;
  });

/** Returns the size of the databases, of the timeline tables, and of the data directories, in megabytes. */
async function sizesOf(cells: readonly Cell[]): Promise<Record<string, number>> {
  let [database, timeline, disk] = [0, 0, 0];
  for (const cell of cells) {
    const { rows } = await withDatabase(cell, (client) =>
      client.query<{ database: number; timeline: number }>(
        `select pg_database_size(current_database())::float8 as database, sum(pg_total_relation_size(oid))::float8 as timeline
         from pg_class where relkind = 'r' and relname in ('event', 'posting_list', 'posting_name', 'event_hour_kind', 'event_segment', 'ledger_entry', 'ledger_tile')`,
      ),
    );
    database += rows[0]?.database ?? 0;
    timeline += rows[0]?.timeline ?? 0;
    disk += await bytesBelow(cell.folder);
  }
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return {
    'database MB': megabytes(database),
    'timeline MB': megabytes(timeline),
    'data directory MB': megabytes(disk),
    'timeline bytes per event': Math.round(timeline / total),
  };
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    // Files of PostgreSQL can be removed meanwhile.
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}

const queries = Object.values(questions)
  .filter(({ older, details }) => older === undefined && details === undefined)
  .map(({ query }) => query);

/** Returns the next page of a cell: every question for every organization in turn. */
function pagesOf({ tokens }: Cell): () => LoadRequest {
  let turn = 0;
  return () => {
    const place = turn++;
    return {
      method: 'POST',
      path: '/api/v2/events/explore/query',
      headers: headersOf(tokens[place % tokens.length]),
      // Successive rounds ask an organization successive questions.
      body: JSON.stringify({
        query: queries[(place + Math.floor(place / tokens.length)) % queries.length],
        details: false,
        pagination: { cursors: {} },
      }),
    };
  };
}

const headersOf = (token: string | undefined) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

const warmUp = (cells: readonly Cell[]) =>
  Promise.all(
    cells.map((cell) => warmUpServer({ url: cell.url, connections: connections / cells.length, next: pagesOf(cell) })),
  );

async function measurePages(cells: readonly Cell[], name: string, open: number): Promise<ReportRow> {
  const { figures, cpu } = await measureAll(cells, { open, nextOf: pagesOf });
  const each = (ms: number) => Math.round((ms * 1000) / figures.requests);
  return {
    name,
    'pages/s': figures.perSecond,
    'p50 ms': figures.p50,
    'p99 ms': figures.p99,
    failed: figures.failed,
    'server cpu µs': each(cpu.server),
    'postgres cpu µs': each(cpu.postgres),
  };
}

/** Measures until every word is indexed, so that the CPU time contains the work after the response. */
async function measureIngest(cells: readonly Cell[], name: string): Promise<ReportRow> {
  const bodies = cells.map(() => createBodies(batch, Math.ceil(4_000 / cells.length)));
  const nextOf = (cell: Cell) => {
    const own = bodies[cells.indexOf(cell)] ?? [];
    let turn = 0;
    return () => {
      const body = own.pop();
      const token = cell.tokens[turn++ % cell.tokens.length];
      return body === undefined
        ? undefined
        : { method: 'POST' as const, path: '/api/v2/events/user', headers: headersOf(token), body };
    };
  };
  const { figures, cpu } = await measureAll(cells, { open: connections, nextOf, settled: untilIndexed });
  const events = figures.requests * batch;
  return {
    name,
    'events/s': figures.perSecond * batch,
    'p50 ms': figures.p50,
    'p99 ms': figures.p99,
    failed: figures.failed,
    'server cpu ms per 1,000': Number((cpu.server / (events / 1000)).toFixed(1)),
    'postgres cpu ms per 1,000': Number((cpu.postgres / (events / 1000)).toFixed(1)),
  };
}

async function untilIndexed(cells: readonly Cell[]): Promise<void> {
  for (const cell of cells) {
    const left = () =>
      withDatabase(cell, async (client) => {
        const { rows } = await client.query<{ left: boolean }>(
          'select exists (select from posting_pending) or exists (select from ledger_pending) as left',
        );
        return rows[0]?.left;
      });
    while (await left()) await setTimeout(200);
  }
}

type NextRequest = () => LoadRequest | undefined;

/** Loads all cells at once, and sums their figures. Percentiles are the worst of the cells, which differ little. */
async function measureAll(
  cells: readonly Cell[],
  {
    open,
    nextOf,
    settled,
  }: {
    /** Connections over all cells. */
    open: number;
    nextOf: (cell: Cell) => NextRequest;
    /** Waits for the work after the responses. */
    settled?: (cells: readonly Cell[]) => Promise<void>;
  },
): Promise<{ figures: LoadFigures; cpu: { server: number; postgres: number } }> {
  const before = cells.map(({ pid }) => cpuMillisecondsOf(pid));
  const all = await Promise.all(
    cells.map((cell) => runLoad({ url: cell.url, connections: open / cells.length, seconds, next: nextOf(cell) })),
  );
  await settled?.(cells);
  const sum = (of: (figures: LoadFigures) => number) => all.reduce((result, one) => result + of(one), 0);
  const worst = (of: (figures: LoadFigures) => number) => Math.max(...all.map(of));
  const used = cells.map(({ pid }, place) => ({ after: cpuMillisecondsOf(pid), before: before[place] }));
  return {
    figures: {
      requests: sum(({ requests }) => requests),
      perSecond: sum(({ perSecond }) => perSecond),
      failed: sum(({ failed }) => failed),
      p50: worst(({ p50 }) => p50),
      p95: worst(({ p95 }) => p95),
      p99: worst(({ p99 }) => p99),
    },
    cpu: {
      server: used.reduce((ms, one) => ms + one.after.server - (one.before?.server ?? 0), 0),
      postgres: used.reduce((ms, one) => ms + one.after.postgres - (one.before?.postgres ?? 0), 0),
    },
  };
}

/** Moves an organization, whose events came over HTTP so that its ledger is complete, with the commands of operators. */
async function measureMove(from: Cell, to: Cell): Promise<ReportRow> {
  const [person] = await withDatabase(from, async (client) => {
    const { rows } = await client.query<{ accountId: string; orgId: string }>(
      'select gen_random_uuid() as "accountId", gen_random_uuid() as "orgId"',
    );
    const { orgId, accountId } = rows[0] ?? { orgId: '', accountId: '' };
    await client.query(`
      insert into organization (id, name, slug, display_name) values ('${orgId}', 'Moving', 'moving-${orgId}', 'Moving');
      insert into account (id, email, name, email_verified_at)
        values ('${accountId}', '${accountId}@example.org', 'Owner', now());
      insert into person (org_id, id) values ('${orgId}', '${accountId}');
      insert into identity (org_id, kind, value, person_id, source, confidence)
        values ('${orgId}', 'account', '${accountId}', '${accountId}', 'sightline', 'declared');
      insert into member (org_id, account_id, role_id, status) values ('${orgId}', '${accountId}', 'rol_owner', 'active')`);
    return rows;
  });
  if (!person) throw new Error('no organization');
  const [token] = await from.signIn([person]);
  const bodies = createBodies(batch, Math.ceil(moved / batch));
  const next = () => {
    const body = bodies.pop();
    return body === undefined
      ? undefined
      : { method: 'POST' as const, path: '/api/v2/events/user', headers: headersOf(token), body };
  };
  const { failed } = await runLoad({ url: from.url, connections, seconds: 600, next });
  await untilIndexed([from]);
  const work = await mkdtemp(join(tmpdir(), 'sightline-move-'));
  try {
    const [key, folder] = [join(work, 'key'), join(work, 'export')];
    await writeFile(key, randomBytes(32).toString('base64'));
    // Commands read their own address, which differs from that of the other cell.
    const timed = async (cell: Cell, address: string, ...args: string[]) => {
      const started = performance.now();
      await promisify(execFile)(process.execPath, ['server/src/cli/main.ts', 'org', ...args], {
        env: { ...process.env, DATA_DIR: cell.folder, PUBLIC_URL: address, SANDBOX: 'off' },
      });
      return Number(((performance.now() - started) / 1000).toFixed(1));
    };
    const [old, other] = ['http://localhost:1', 'http://localhost:2'];
    const exported = await timed(from, old, 'export', person.orgId, folder, '--to', other, '--key', key);
    const size = await bytesBelow(folder);
    const imported = await timed(to, other, 'import', folder, '--key', key);
    const deleted = await timed(from, old, 'delete-moved', person.orgId, '--imported');
    return {
      name: `${moved} events`,
      failed,
      'export s': exported,
      'files MB': Math.round(size / 1e6),
      'import s': imported,
      'closed s': Number((exported + imported).toFixed(1)),
      'delete s': deleted,
    };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
