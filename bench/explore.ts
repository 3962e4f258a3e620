import pg from 'pg';
import { termOf } from '../server/src/features/events/words.ts';
import { cpuOf } from './cpu.ts';
import { type Figures, load, warmUp } from './load.ts';
import { type BenchServer, startServer } from './process.ts';
import { type Row, report } from './report.ts';

const total = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const seconds = 5;

/** The newest page of the timeline and its first filters over HTTP at a million events, beside the bare SQL. */
export async function benchExplore(): Promise<void> {
  const server = await startServer();
  try {
    await seed(server);
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
    const rows: Row[] = [];
    for (const [name, body] of Object.entries(questions)) {
      for (const connections of [1, 16]) {
        const request = {
          method: 'POST' as const,
          path: '/api/v2/events/explore/query',
          headers,
          body: JSON.stringify(body),
        };
        if (rows.length === 0) await warmUp({ url: server.url, connections: 16, next: () => request });
        await load({ url: server.url, connections, seconds: 1, next: () => request });
        const before = cpuOf(server.pid);
        const figures = await load({ url: server.url, connections, seconds, next: () => request });
        const cpu = cpuOf(server.pid);
        const each = (ms: number) => Math.round((ms * 1000) / figures.requests);
        rows.push({
          ...rowOf(`${name}, c=${connections}`, figures),
          'server cpu µs': each(cpu.server - before.server),
          'postgres cpu µs': each(cpu.postgres - before.postgres),
        });
      }
    }
    rows.push(...(await ceiling(server)));
    report(`explore at ${total} events`, rows);
  } finally {
    await server.stop();
  }
}

const filter = (field: string, value: string) => ({
  filters: [{ within: 'event', field, predicate: 'is', arguments: [value] }],
});
const questions = { 'newest 200': {}, 'kind, 200': filter('kind', 'commit'), 'word, 200': { query: 'w7' } };

const rowOf = (name: string, { perSecond, p50, p99, failed }: Figures): Row => ({
  name,
  'req/s': perSecond,
  'p50 ms': p50,
  'p99 ms': p99,
  failed,
});

/** Events of half a year, half of them of the asking organisation, written past the API as its owner could not. */
async function seed({ superuserUrl, orgId }: BenchServer): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(
    "insert into organization (id, name, slug, display_name) select gen_random_uuid(), 'Other', 'other-' || n, 'Other' from generate_series(1, 19) n",
  );
  await client.query(
    `insert into event (org_id, id, as_of, received_at, kind, actor, repo, pr, source, summary, detail, leaf_hash, proof)
     select case when n % 2 = 0 then $1::uuid else o.ids[1 + n % 19] end, gen_random_uuid(), at, at,
       (array['commit','pull_request','web_page_view','vulnerability','other'])[1 + n % 5], md5((n % 400)::text)::uuid, md5((n % 100)::text)::uuid,
       case when n % 5 = 1 then 1 + n % 900 end, 'github',
       json_build_object('phrase', '{0} committed {1} to {2} in {3} {4}', 'parameters', json_build_array(
         json_build_object('kind','user','display','Person '||(n % 400),'ident','p'||(n % 400)),
         json_build_object('kind','sha','display',substr(md5(n::text),1,7),'ident',md5(n::text),'data',json_build_object('url','https://example.org/commit/'||md5(n::text))),
         json_build_object('kind','branch','display','main','ident','main'),
         json_build_object('kind','repository','display','acme/repo-'||(n % 100),'ident','acme/repo-'||(n % 100)),
         json_build_object('kind','text','display','Change number '||n,'ident',''))), '[]',
       sha256(n::text::bytea), gen_random_uuid()
     from (select array_agg(id) as ids from organization where id <> $1) o,
       (select n, timestamptz '2026-11-20' - n * interval '15.5 seconds' as at from generate_series(1, $2::int) n) e`,
    [orgId, total],
  );
  await client.query(
    `insert into posting_list (org_id, term, hour, as_of, id)
     select org_id, $1, floor(extract(epoch from as_of) / 3600)::int as hour, array_agg(as_of), array_agg(id)
     from event where org_id = $2 and (extract(epoch from as_of)::bigint / 31) % 50 = 7 group by 1, 3`,
    [termOf('w7'), orgId],
  );
  await client.query('vacuum analyze event');
  await client.query('vacuum analyze posting_list');
  await client.end();
}

/** The same page straight from PostgreSQL, without server, token or tenancy. */
async function ceiling({ superuserUrl, orgId }: BenchServer): Promise<Row[]> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const rows: Row[] = [];
  for (const connections of [1, 16]) {
    const pool = new pg.Pool({ connectionString: url.href, max: connections });
    const times: number[] = [];
    const started = performance.now();
    const worker = async () => {
      while (performance.now() - started < seconds * 1000) {
        const sent = performance.now();
        await pool.query({
          name: 'newest',
          text: 'select id, kind, as_of, received_at, source, summary from event where org_id = $1 order by as_of desc, id desc limit 201',
          values: [orgId],
        });
        times.push(performance.now() - sent);
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    const elapsed = (performance.now() - started) / 1000;
    await pool.end();
    times.sort((one, other) => one - other);
    rows.push({
      name: `ceiling: bare SQL through pg, c=${connections}`,
      'req/s': Math.round(times.length / elapsed),
      'p50 ms': Number((times[Math.floor(times.length / 2)] ?? 0).toFixed(2)),
    });
  }
  return rows;
}
