import pg from 'pg';
import type { BenchServer } from '../process.ts';
import type { ReportRow } from '../report.ts';

const tables = [
  'event',
  'posting_list',
  'posting_name',
  'posting_pending',
  'event_hour_kind',
  'event_segment',
  'event_archive',
  'forgotten_event',
  'ledger_entry',
  'ledger_pending',
  'ledger_tile',
];

/** Returns the size on disk of everything that an event needs, with indexes, in total and per event. */
export async function timelineTableSizes({ superuserUrl }: BenchServer, total: number): Promise<ReportRow[]> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query<{ name: string; rows: number; own: number; indexes: number }>(
    `select c.relname as name, greatest(c.reltuples, 0)::float8 as rows, pg_table_size(c.oid)::float8 as own, pg_indexes_size(c.oid)::float8 as indexes
     from pg_class c where c.relname = any($1) and c.relkind = 'r' order by pg_total_relation_size(c.oid) desc`,
    [tables],
  );
  await client.end();
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
  const all = rows.reduce(
    (sum, { own, indexes }) => ({ name: 'all', rows: total, own: sum.own + own, indexes: sum.indexes + indexes }),
    { name: 'all', rows: total, own: 0, indexes: 0 },
  );
  const filled = rows.filter(({ own, indexes }) => own + indexes >= total);
  return [...filled, all].map(({ name, rows: count, own, indexes }) => ({
    name,
    rows: Math.round(count),
    'table MB': megabytes(own),
    'indexes MB': megabytes(indexes),
    'bytes per event': Math.round((own + indexes) / total),
  }));
}
