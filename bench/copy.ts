import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { hasClickHouse, startClickHouse } from '../server/src/testing/clickhouse.ts';
import { seedEvents } from './events/seed.ts';
import { type BenchServer, startServer } from './process.ts';
import { measureQuestions } from './questions.ts';
import { type ReportRow, report } from './report.ts';

const total = Number(process.env.EVENTS ?? 1_000_000);
const seconds = Number(process.env.SECONDS ?? 3);

/** What the copy in ClickHouse takes to make, and what it answers: parts of words, and histograms that no sums cover. */
export async function benchCopy(): Promise<void> {
  if (!hasClickHouse) {
    console.log('No ClickHouse is installed here: npm ci --prefix bench/clickhouse');
    return;
  }
  const kept = process.env.BENCH_DATA;
  const folder = kept === undefined ? await mkdtemp(join(tmpdir(), 'sightline-bench-')) : resolve(kept);
  try {
    const without = await startServer({}, folder);
    try {
      await seedEvents(without, total);
      report(`histograms at ${total} events, without a copy`, await measured(without, histograms));
    } finally {
      await without.stop();
    }
    const clickhouse = await startClickHouse(join(folder, 'clickhouse'));
    const server = await startServer({ CLICKHOUSE_URL: clickhouse.url }, folder);
    try {
      report(`the copy of ${total} events`, [await copied(server)]);
      report(`with a copy of ${total} events`, await measured(server, { ...histograms, ...parts }));
    } finally {
      await server.stop();
      await clickhouse.stop();
    }
  } finally {
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
}

const asked = (what: 'query' | 'histogram', query: string) => [
  {
    method: 'POST' as const,
    path: `/api/v2/events/explore/${what}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  },
];
const histograms = {
  'histogram of a repository': asked('histogram', 'repo:acme/repo-7'),
  'histogram of a few people': asked('histogram', 'actor:person-1,person-2,person-3'),
  'histogram of what has a repository': asked('histogram', 'has:repo'),
};
const parts = {
  'rare part': asked('query', '*wrar*'),
  'part of many words': asked('query', '*bak*'),
  'common part': asked('query', '*ommo*'),
  'part that nothing shows': asked('query', '*xqzw*'),
  'part and kind': asked('query', '*ediu* kind:commit'),
  'part and rare word': asked('query', '*ommo* wrare'),
  'histogram of a part': asked('histogram', '*ediu*'),
};

const measured = (server: BenchServer, questions: typeof histograms | typeof parts): Promise<ReportRow[]> =>
  measureQuestions(server, questions, { connections: [1], seconds });

/** Waits until everything is copied. */
async function copied({ superuserUrl }: BenchServer): Promise<ReportRow> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const started = performance.now();
  const left = async () => {
    const { rows } = await client.query('select count(*)::int as left from orgs_to_copy()');
    return rows[0]?.left ?? 0;
  };
  while ((await left()) > 0) await new Promise((wait) => setTimeout(wait, 200));
  await client.end();
  const took = (performance.now() - started) / 1000;
  return { name: 'made in', seconds: Math.round(took), 'events/s': Math.round(total / took) };
}
