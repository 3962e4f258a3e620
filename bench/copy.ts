import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { hasClickHouse, startClickHouse } from '../server/src/testing/clickhouse.ts';
import { seedEvents } from './events/seed.ts';
import { type BenchServer, startServer } from './process.ts';
import { measureRequests } from './questions.ts';
import { printReport, type ReportRow } from './report.ts';

const total = Number(process.env.EVENTS ?? 1_000_000);
const seconds = Number(process.env.SECONDS ?? 3);

/** Measures the copy to ClickHouse, and its queries: partial words, and histograms that no totals cover. */
export async function benchCopy(): Promise<void> {
  if (!hasClickHouse) {
    console.log('No ClickHouse is installed here: npm ci --prefix bench/clickhouse');
    return;
  }
  const dataFolder = process.env.BENCH_DATA;
  const folder = dataFolder === undefined ? await mkdtemp(join(tmpdir(), 'sightline-bench-')) : resolve(dataFolder);
  try {
    const without = await startServer({}, folder);
    try {
      await seedEvents(without, total);
      printReport(`histograms at ${total} events, without a copy`, await measure(without, histograms));
    } finally {
      await without.stop();
    }
    const clickhouse = await startClickHouse(join(folder, 'clickhouse'));
    const server = await startServer({ CLICKHOUSE_URL: clickhouse.url }, folder);
    try {
      printReport(`the copy of ${total} events`, [await measureCopy(server)]);
      printReport(`with a copy of ${total} events`, await measure(server, { ...histograms, ...parts }));
    } finally {
      await server.stop();
      await clickhouse.stop();
    }
  } finally {
    if (dataFolder === undefined) await rm(folder, { recursive: true, force: true });
  }
}

const exploreRequests = (what: 'query' | 'histogram', query: string) => [
  {
    method: 'POST' as const,
    path: `/api/v2/events/explore/${what}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  },
];
const histograms = {
  'histogram of a repository': exploreRequests('histogram', 'repo:acme/repo-7'),
  'histogram of a few people': exploreRequests('histogram', 'actor:person-1,person-2,person-3'),
  'histogram of what has a repository': exploreRequests('histogram', 'has:repo'),
};
const parts = {
  'rare part': exploreRequests('query', '*wrar*'),
  'part of many words': exploreRequests('query', '*bak*'),
  'common part': exploreRequests('query', '*ommo*'),
  'part that nothing shows': exploreRequests('query', '*xqzw*'),
  'part and kind': exploreRequests('query', '*ediu* kind:commit'),
  'part and rare word': exploreRequests('query', '*ommo* wrare'),
  'histogram of a part': exploreRequests('histogram', '*ediu*'),
};

const measure = (server: BenchServer, requests: typeof histograms | typeof parts): Promise<ReportRow[]> =>
  measureRequests(server, requests, { connections: [1], seconds });

/** Waits until all events are copied. */
async function measureCopy({ superuserUrl }: BenchServer): Promise<ReportRow> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const started = performance.now();
  const countPending = async () => {
    const { rows } = await client.query('select count(*)::int as left from orgs_to_copy()');
    return rows[0]?.left ?? 0;
  };
  while ((await countPending()) > 0) await new Promise((wait) => setTimeout(wait, 200));
  await client.end();
  const durationSeconds = (performance.now() - started) / 1000;
  return { name: 'made in', seconds: Math.round(durationSeconds), 'events/s': Math.round(total / durationSeconds) };
}
