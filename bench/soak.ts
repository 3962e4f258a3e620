import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { seedEvents } from './events/seed.ts';
import { seedFindings } from './findings.ts';
import { largestGroups, readHeapGroups } from './heap-snapshot.ts';
import { createBodies } from './ingest.ts';
import type { LoadRequest } from './load.ts';
import { memoryOf } from './memory.ts';
import { type BenchServer, startServer } from './process.ts';
import { printProgress, printReport, type ReportRow } from './report.ts';
import { createDelivery, exampleOf, githubEnvironment, insertInstallation } from './webhooks.ts';

const minutes = Number(process.env.MINUTES ?? 60);
const events = Number(process.env.EVENTS ?? 200_000);
/** A folder for heap snapshots after the load. */
const snapshots = process.env.SNAPSHOTS;
/** Multiplies the rates, to send the requests of an hour in less time. */
const factor = Number(process.env.LOAD ?? 1);
/** Requests per second. Each request with events contains 50. */
const rates = { events: 10 * factor, pages: 20 * factor, webhooks: 5 * factor };
const batch = 50;

/** Acceptance limit at the end. */
const MAX_RSS_MB = 400;
const sampleMs = 10_000;

interface LoadKind {
  times: number[];
  failed: number;
}

/**
 * Sends events, webhooks and requests of pages at moderate rates for an hour (`MINUTES`), samples the resident memory
 * every ten seconds, and fails if the server ends with 400 MB or more.
 */
export async function benchSoak(): Promise<void> {
  const server = await startServer(githubEnvironment());
  try {
    const ready = memoryOf(server.pid);
    await insertInstallation(server);
    await seedEvents(server, events);
    await seedFindings(server, events);
    printProgress(`${minutes} minutes of load`);
    // The first minute compiles the code and fills the caches that stay.
    await runMixedLoad(server, 60_000);
    const { samples, kinds } = await runMixedLoad(server, minutes * 60_000);
    printReport(`soak: ${minutes} minutes, MB resident`, [
      { name: 'when ready', median: Math.round(ready), max: Math.round(ready) },
      ...sixthsOf(samples),
    ]);
    printReport(
      'soak: requests',
      Object.entries(kinds).map(([name, kind]) => rowOf(name, kind)),
    );
    if (snapshots !== undefined) await reportHeap(server);
    const last = median(samples.slice(-6));
    if (last >= MAX_RSS_MB) {
      console.error(`FAILED: the server uses ${last} MB at the end; it must stay below ${MAX_RSS_MB} MB.`);
      process.exitCode = 1;
    }
  } finally {
    await server.stop();
  }
}

/**
 * Reports what the heap contains, and what a quarter more of the load adds. After the samples, since a snapshot itself
 * needs 300 MB.
 */
async function reportHeap(server: BenchServer): Promise<void> {
  const take = async (name: string) => {
    const file = join(snapshots ?? '', `soak-${name}.heapsnapshot`);
    await server.takeHeapSnapshot(file);
    return readHeapGroups(file);
  };
  await mkdir(snapshots ?? '', { recursive: true });
  const before = await take('end');
  await runMixedLoad(server, minutes * 15_000);
  printReport('soak: largest in the heap at the end', largestGroups(before));
  printReport('soak: grown most by a quarter more', largestGroups(await take('later'), before));
}

const median = (values: readonly number[]) =>
  Math.round(values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0);

/** Summarizes the samples of each sixth of the time, to show whether memory still grows. */
const sixthsOf = (samples: readonly number[]): ReportRow[] =>
  Array.from({ length: 6 }, (_, index) => {
    const part = samples.slice((index * samples.length) / 6, ((index + 1) * samples.length) / 6);
    return { name: `sixth ${index + 1}`, median: median(part), max: Math.round(Math.max(...part)) };
  });

function rowOf(name: string, { times, failed }: LoadKind): ReportRow {
  times.sort((one, other) => one - other);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(1));
  return { name, requests: times.length, 'p50 ms': at(0.5), 'p99 ms': at(0.99), failed };
}

/** Sends requests at fixed times, whether or not earlier ones are answered. */
async function runMixedLoad(
  server: BenchServer,
  ms: number,
): Promise<{ samples: number[]; kinds: Record<keyof typeof rates, LoadKind> }> {
  const pool = new Pool(server.url, { connections: 64, pipelining: 1 });
  const next = requestsOf(server);
  const samples: number[] = [];
  const kinds = { events: emptyKind(), pages: emptyKind(), webhooks: emptyKind() };
  const send = async (kind: keyof typeof rates) => {
    const sent = performance.now();
    const { statusCode, body } = await pool.request(next[kind]());
    await body.dump();
    kinds[kind].times.push(performance.now() - sent);
    if (statusCode < 200 || statusCode > 299) kinds[kind].failed += 1;
  };
  const repeat = async (perSecond: number, work: () => void) => {
    let due = performance.now();
    for (let left = (ms / 1000) * perSecond; left > 0; left -= 1) {
      await sleep(Math.max(0, due - performance.now()));
      work();
      // A pause of this process, such as by a job control signal, does not count as load.
      due = Math.max(due + 1000 / perSecond, performance.now() - 1_000);
    }
  };
  await Promise.all([
    ...Object.entries(rates).map(([name, perSecond]) => {
      const kind = name as keyof typeof rates;
      return repeat(perSecond, () => {
        send(kind).catch(() => {
          kinds[kind].failed += 1;
        });
      });
    }),
    repeat(1000 / sampleMs, () => samples.push(memoryOf(server.pid))),
  ]);
  await pool.close();
  return { samples, kinds };
}

const emptyKind = (): LoadKind => ({ times: [], failed: 0 });

function requestsOf({ token }: BenchServer): Record<keyof typeof rates, () => LoadRequest> {
  const authorization = `Bearer ${token}`;
  const json = { authorization, 'content-type': 'application/json' };
  const deliveries = ['push', 'pull_request'].map((event) => ({ event, body: exampleOf(event) }));
  let turn = 0;
  return {
    events: () => ({
      method: 'POST',
      path: '/api/v2/events/user',
      headers: json,
      body: createBodies(batch, 1)[0] ?? '',
    }),
    webhooks: () => {
      const { event, body } = deliveries[turn % deliveries.length] ?? { event: '', body: '' };
      return createDelivery(event, body);
    },
    pages: () => {
      turn += 1;
      const query = queries[turn % queries.length] ?? '';
      if (turn % 2 === 0)
        return {
          method: 'POST',
          path: '/api/v2/events/explore/query',
          headers: json,
          body: JSON.stringify({ query, pagination: { cursors: {} } }),
        };
      return { method: 'GET', path: paths[turn % paths.length] ?? '', headers: { authorization } };
    },
  };
}

const queries = ['', 'kind:commit', 'repo:acme/repo-7', 'actor:person-7', 'wrare', 'wmedium repo:acme/repo-7', ''];

/** The requests of the lists and of Home. */
const paths = [
  '/api/v2/vulnerabilities',
  '/api/v2/vulnerabilities?severity=critical&page=3',
  '/api/v2/vulnerabilities?search=injection',
  '/api/v2/vulnerabilities/stats?severity=high',
  '/api/v2/vulnerabilities/filters/repositories',
  '/api/v2/repositories',
  '/api/v2/changes',
  '/api/v2/tools/filters',
  '/api/v2/audit?perPage=20',
  '/api/v2/flags/frontend',
  '/api/v2/ledger/anchors',
  '/api/v2/notifications',
  '/api/v2/user/ext-status',
  '/api/account/me',
  '/api/v2/auth0mgm/org',
];
