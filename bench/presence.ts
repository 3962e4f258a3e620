import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cpuMillisecondsOf } from './cpu.ts';
import { largestGroups, readHeapGroups } from './heap-snapshot.ts';
import { runLoad, warmUpServer } from './load.ts';
import { memoryOf } from './memory.ts';
import type { PresenceClientCommand } from './presence-clients.ts';
import { type BenchServer, startServer } from './process.ts';
import { printReport, type ReportRow } from './report.ts';

const editors = Number(process.env.BENCH_SOCKETS ?? 10_000);
/** Members of each organization. */
const size = Math.min(500, editors);
/** A folder for heap snapshots before and after the editors connect. */
const snapshots = process.env.SNAPSHOTS;
const processes = 4;
const seconds = 5;
const connections = 16;
/** Change notices sent to every page of an organization. */
const rounds = 20;
/** The server accepts at most 1,000 connections of one network; every address of 127.0.0.0/8 is local. */
const addresses = Array.from({ length: Math.ceil(editors / 500) }, (_, index) => `127.0.1.${index + 1}`);

/**
 * Connects `editors` editors in organizations of 500; then pages that receive changes and poll, and extensions that
 * report.
 */
export async function benchPresence(): Promise<void> {
  const server = await startServer({ DATABASE_POOL: '20' });
  const crowd = Array.from({ length: processes }, () => fork(new URL('./presence-clients.ts', import.meta.url)));
  try {
    const people = await seedPeople(server);
    const tokens = await server.signIn(people);
    await warmUpStatus(server, tokens);
    const rows = [
      await measureConnecting(server, crowd, tokens),
      await measureIdle(server),
      await measureFanOut(server, crowd, tokens),
    ];
    await order(crowd[0], { close: true });
    await waitUntilIdle(server);
    rows.push(await measurePolling(server, tokens), await measureHeartbeats(server, tokens));
    printReport(`presence: ${editors} editors, organizations of ${size}`, rows);
  } finally {
    for (const child of crowd) child.disconnect();
    await server.stop();
  }
}

const order = <Answer>(child: ChildProcess | undefined, what: PresenceClientCommand): Promise<Answer> => {
  child?.send(what);
  return new Promise((resolve) => child?.once('message', (answer) => resolve(answer as Answer)));
};

async function measureConnecting(server: BenchServer, crowd: ChildProcess[], tokens: string[]): Promise<ReportRow> {
  const heapBefore = await takeSnapshot(server, 'before');
  await waitUntilIdle(server);
  const before = { memory: memoryOf(server.pid), cpu: cpuMillisecondsOf(server.pid), at: performance.now() };
  const share = Math.ceil(tokens.length / processes);
  const opened = await Promise.all(
    crowd.map((child, index) =>
      order<{ failed: number }>(child, {
        open: 'editors',
        url: server.url,
        tokens: tokens.slice(index * share, (index + 1) * share),
        addresses,
      }),
    ),
  );
  const elapsed = (performance.now() - before.at) / 1000;
  const cpu = cpuMillisecondsOf(server.pid);
  await waitUntilIdle(server);
  const memory = memoryOf(server.pid) - before.memory;
  const resident = Math.round(memoryOf(server.pid));
  const heap = await takeSnapshot(server, 'connected');
  if (heapBefore && heap) printReport(`presence: grown most with ${editors} editors`, largestGroups(heap, heapBefore));
  return {
    name: 'editors that connect',
    'connections/s': Math.round(tokens.length / elapsed),
    'server cpu µs each': Math.round(((cpu.server - before.cpu.server) * 1000) / tokens.length),
    'postgres cpu µs each': Math.round(((cpu.postgres - before.cpu.postgres) * 1000) / tokens.length),
    'server KB each': Math.round((memory * 1024) / tokens.length),
    'server MB': resident,
    'MB before': Math.round(before.memory),
    // Other load affects every time, and CPU time the least.
    'machine load': Number((loadavg()[0] ?? 0).toFixed(1)),
    failed: opened.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Returns what the heap contains; undefined without `SNAPSHOTS`: then resident memory is invalid, since a
 * snapshot itself needs 300 MB. */
async function takeSnapshot(server: BenchServer, name: string) {
  if (snapshots === undefined) return undefined;
  await mkdir(snapshots, { recursive: true });
  const file = join(snapshots, `presence-${name}.heapsnapshot`);
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = await server.takeHeapSnapshot(file);
  const mb = (bytes: number) => Math.round(bytes / 1024 / 1024);
  printReport(`presence: memory ${name}`, [
    {
      name: 'MB',
      rss: mb(rss),
      'heap used': mb(heapUsed),
      'heap total': mb(heapTotal),
      external: mb(external),
      buffers: mb(arrayBuffers),
    },
  ]);
  return readHeapGroups(file);
}

/** Waits until the server is idle: change notices are sent, and memory that only they needed is freed. */
async function waitUntilIdle(server: BenchServer): Promise<void> {
  const used = () => Object.values(cpuMillisecondsOf(server.pid)).reduce((sum, ms) => sum + ms, 0);
  for (let quiet = 0; quiet < 3; ) {
    const before = used();
    await sleep(1_000);
    // Ten thousand idle connections alone use up to 200 ms.
    quiet = used() - before < 300 ? quiet + 1 : 0;
  }
}

/** Measures the cost of idle connections. */
async function measureIdle(server: BenchServer): Promise<ReportRow> {
  const before = cpuMillisecondsOf(server.pid);
  // The status of every member is extended once in this time.
  const over = 30;
  await sleep(over * 1000);
  const cpu = cpuMillisecondsOf(server.pid);
  const percent = (ms: number) => Number((ms / (over * 10)).toFixed(1));
  return {
    name: 'editors that stay',
    'server cpu %': percent(cpu.server - before.server),
    'postgres cpu %': percent(cpu.postgres - before.postgres),
  };
}

async function measureFanOut(server: BenchServer, crowd: ChildProcess[], tokens: string[]): Promise<ReportRow> {
  const [child] = crowd;
  await order(child, { close: true });
  await waitUntilIdle(server);
  const members = tokens.slice(0, size);
  await order(child, { open: 'pages', url: server.url, tokens: members, addresses });
  await waitUntilIdle(server);
  const before = cpuMillisecondsOf(server.pid);
  const { times } = await order<{ times: number[] }>(child, {
    fanOut: rounds,
    url: server.url,
    token: members[0] ?? '',
  });
  const cpu = cpuMillisecondsOf(server.pid);
  times.sort((one, other) => one - other);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(1));
  return {
    name: `news to ${members.length} pages, from the heartbeat sent`,
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'max ms': at(0.9999),
    // Includes the heartbeat and all other idle connections.
    'server cpu ms each': Number(((cpu.server - before.server) / rounds).toFixed(1)),
  };
}

const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` });

/** Measures the poll of every page every five seconds, with the ETag of its last response, members in turn. */
async function measurePolling(server: BenchServer, tokens: string[]): Promise<ReportRow> {
  const etags = new Map<string, string>();
  await forEachToken(tokens, async (token) => {
    const answer = await fetch(`${server.url}/api/v2/user/status`, { headers: bearer(token) });
    etags.set(token, answer.headers.get('etag') ?? '');
    await answer.text();
  });
  let turn = 0;
  const next = () => {
    const token = tokens[turn++ % tokens.length] ?? '';
    const headers = { ...bearer(token), 'if-none-match': etags.get(token) ?? '' };
    return { method: 'GET' as const, path: '/api/v2/user/status', headers };
  };
  return measureLoad(server, 'polls of the status, answered by 304', next);
}

/** Calls `work` for each token with as many concurrent calls as there are connections. */
async function forEachToken(tokens: readonly string[], work: (token: string) => Promise<void>): Promise<void> {
  const left = tokens.values();
  const worker = async () => {
    for (const token of left) await work(token);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

async function measureHeartbeats(server: BenchServer, all: string[]): Promise<ReportRow> {
  const tokens = all.slice(0, 1_000);
  const sessions = tokens.map(() => randomUUID());
  let turn = 0;
  const next = () => {
    const index = turn++ % tokens.length;
    return {
      method: 'POST' as const,
      path: '/api/v2/user/heartbeat',
      headers: { ...bearer(tokens[index]), 'content-type': 'application/json' },
      body: JSON.stringify({ side: 'browser', sessionId: sessions[index], type: 'chrome', version: '1.0.0' }),
    };
  };
  // The first heartbeat of each connects. Only later ones are measured.
  await forEachToken(tokens, async () => {
    const { path, ...request } = next();
    await (await fetch(`${server.url}${path}`, request)).text();
  });
  await waitUntilIdle(server);
  return measureLoad(server, 'heartbeats', next);
}

async function measureLoad(
  server: BenchServer,
  name: string,
  next: Parameters<typeof runLoad>[0]['next'],
): Promise<ReportRow> {
  const before = cpuMillisecondsOf(server.pid);
  const { requests, perSecond, p50, p99, failed } = await runLoad({ url: server.url, connections, seconds, next });
  const cpu = cpuMillisecondsOf(server.pid);
  const each = (ms: number) => Math.round((ms * 1000) / requests);
  return {
    name,
    'req/s': perSecond,
    'p50 ms': p50,
    'p99 ms': p99,
    'server cpu µs each': each(cpu.server - before.server),
    'postgres cpu µs each': each(cpu.postgres - before.postgres),
    failed,
  };
}

const warmUpStatus = (server: BenchServer, tokens: string[]) =>
  warmUpServer({
    url: server.url,
    connections,
    next: () => ({ method: 'GET', path: '/api/v2/user/status', headers: bearer(tokens[0]) }),
  });

/** Inserts members and their organizations without the API. */
async function seedPeople({ superuserUrl }: BenchServer): Promise<{ accountId: string; orgId: string }[]> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(
      `create temp table who as select gen_random_uuid() as account_id, gen_random_uuid() as person_id, n,
         md5('org ' || n / $2::int)::uuid as org_id from generate_series(0, $1::int - 1) n`,
      [editors, size],
    );
    await client.query(`
      insert into organization (id, name, slug, display_name)
        select org_id, 'Org', 'org-' || org_id, 'Org' from who group by org_id;
      insert into account (id, email, name, email_verified_at)
        select account_id, account_id || '@example.org', 'Person ' || n, now() from who;
      insert into member (org_id, account_id, role_id, status) select org_id, account_id, 'rol_owner', 'active' from who;
      insert into person (org_id, id) select org_id, person_id from who;
      insert into identity (org_id, kind, value, person_id, source, confidence)
        select org_id, 'account', account_id::text, person_id, 'sightline', 'declared' from who`);
    for (const table of ['account', 'member', 'identity', 'organization'])
      await client.query(`vacuum analyze ${table}`);
    const { rows } = await client.query('select account_id as "accountId", org_id as "orgId" from who order by n');
    return rows;
  } finally {
    await client.end();
  }
}
