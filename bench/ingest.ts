import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { cpuMillisecondsOf } from './cpu.ts';
import { type LoadFigures, runLoad, warmUpServer } from './load.ts';
import { type BenchServer, startServer } from './process.ts';
import { printReport, type ReportRow } from './report.ts';

const batches = [1, 10, 100];
const connections = 16;
const seconds = 5;

/**
 * Measures distinct events through the endpoint, with token, deduplication, words and ledger, compared with a plain
 * insert.
 */
export async function benchIngest(): Promise<void> {
  const server = await startServer();
  const rows: ReportRow[] = [];
  try {
    for (const batch of batches) {
      const bodies = createBodies(batch, batch === 1 ? 200_000 : batch === 10 ? 80_000 : 12_000);
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
      const next = () => {
        const body = bodies.pop();
        return body === undefined ? undefined : { method: 'POST' as const, path: '/api/v2/events/user', headers, body };
      };
      await warmUpServer({ url: server.url, connections, next });
      await untilSearchable(server);
      const before = await count(server.ownerUrl, server.orgId);
      const cpuBefore = cpuMillisecondsOf(server.pid);
      const figures = await runLoad({ url: server.url, connections, seconds, next });
      const stored = (await count(server.ownerUrl, server.orgId)) - before;
      const searchable = await untilSearchable(server);
      const cpu = cpuMillisecondsOf(server.pid);
      const perEvent = (ms: number) => Math.round((ms * 1000) / stored);
      rows.push({
        ...rowOf(`endpoint, batch ${batch}`, figures, batch, stored),
        'searchable after s': searchable,
        'server cpu µs': perEvent(cpu.server - cpuBefore.server),
        'postgres cpu µs': perEvent(cpu.postgres - cpuBefore.postgres),
      });
    }
    rows.push(await measureCopy(server));
    for (const batch of batches) rows.push(await measurePlainInsert(server.superuserUrl, batch));
  } finally {
    await server.stop();
  }
  printReport('ingest', rows);
}

const rowOf = (name: string, figures: LoadFigures, batch: number, stored: number): ReportRow => ({
  name,
  'events/s': figures.perSecond * batch,
  'p50 ms': figures.p50,
  'p99 ms': figures.p99,
  stored,
  lost: figures.requests * batch - stored,
  failed: figures.failed,
});

const kinds = ['pull_request', 'issue', 'file', 'search'];
const sites = ['developer.mozilla.org', 'stackoverflow.com', 'github.com', 'nodejs.org', 'www.postgresql.org'];

/** Builds request bodies with distinct events before the measurement. */
export function createBodies(batch: number, howMany: number): string[] {
  const now = Date.now();
  return Array.from({ length: howMany }, (_, request) =>
    JSON.stringify(
      Array.from({ length: batch }, (_, index) => ({
        plugin_id: 'sightline-browser',
        event_type: 'web_page_view',
        message_id: randomUUID(),
        identifiers: { kind: kinds[(request + index) % kinds.length] },
        original_timestamp: new Date(now - request * 10 - index).toISOString(),
        sent_at: new Date(now).toISOString(),
        tracking_version: '1.0.0',
        tracking_source: 'chrome',
        content_uri: `https://${sites[index % sites.length]}/docs/${request}`,
      })),
    ),
  );
}

async function count(ownerUrl: string, orgId: string, table = 'event'): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`begin; select set_config('app.org', '${orgId}', true)`);
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${table} where org_id = $1`, [orgId]);
  await client.end();
  return Number(rows[0]?.count);
}

/**
 * Returns the seconds from the last response until every word is indexed. Each run begins with an empty indexing queue.
 */
async function untilSearchable({ ownerUrl, orgId }: BenchServer): Promise<number> {
  const started = performance.now();
  while ((await count(ownerUrl, orgId, 'posting_pending')) > 0) await setTimeout(50);
  return Number(((performance.now() - started) / 1000).toFixed(1));
}

/** Measures COPY of prepared events into their table with all indexes, without words and ledger. */
async function measureCopy({ superuserUrl, orgId }: BenchServer): Promise<ReportRow> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const folder = (await client.query<{ data_directory: string }>('show data_directory')).rows[0]?.data_directory;
  const file = `'${folder}/events.copy'`;
  const columns =
    'org_id, id, as_of, received_at, kind, actor, repo, pr, source, summary, detail, leaf_hash, proof' as const;
  const { rowCount } = await client.query(
    `copy (select ${columns.replace('id, as_of', 'gen_random_uuid(), as_of')} from event where org_id = '${orgId}' limit 200000)
     to ${file} (format binary)`,
  );
  const started = performance.now();
  await client.query(`copy event (${columns}) from ${file} (format binary)`);
  const elapsed = (performance.now() - started) / 1000;
  await client.end();
  return { name: 'ceiling: COPY into the same table', 'events/s': Math.round((rowCount ?? 0) / elapsed) };
}

/** Measures the same PostgreSQL alone: a narrow table with a primary key, and the same batches. */
async function measurePlainInsert(superuserUrl: string, batch: number): Promise<ReportRow> {
  const pool = new pg.Pool({ connectionString: superuserUrl, max: connections });
  await pool.query('create table if not exists bare (id uuid primary key, as_of timestamptz, kind text, summary text)');
  const bodies = Array.from({ length: batch === 1 ? 40_000 : 4_000 }, () =>
    JSON.stringify(
      Array.from({ length: batch }, () => ({
        id: randomUUID(),
        as_of: new Date(),
        kind: 'web_page_view',
        summary: 'x'.repeat(200),
      })),
    ),
  );
  const started = performance.now();
  let sent = 0;
  const worker = async () => {
    while (performance.now() - started < seconds * 1000) {
      const body = bodies.pop();
      if (body === undefined) return;
      await pool.query({
        name: 'bare',
        text: 'insert into bare select * from jsonb_to_recordset($1::jsonb) as x(id uuid, as_of timestamptz, kind text, summary text) on conflict do nothing',
        values: [body],
      });
      sent += batch;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const elapsed = (performance.now() - started) / 1000;
  await pool.end();
  return { name: `ceiling: bare insert, batch ${batch}`, 'events/s': Math.round(sent / elapsed) };
}
