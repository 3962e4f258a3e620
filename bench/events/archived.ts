import pg from 'pg';
import type { Services } from '../../server/src/core/services.ts';
import { openDatabase, textTypes } from '../../server/src/database/database.ts';
import type { ArchivedEvent } from '../../server/src/domains/timeline/events/archive/archived-event.ts';
import { encodeSegments } from '../../server/src/domains/timeline/events/archive/segment-writer.ts';
import { microsOf } from '../../server/src/domains/timeline/events/archive/times.ts';
import { withoutIndexing } from '../../server/src/domains/timeline/events/indexing.ts';
import { replaceSegments } from '../../server/src/domains/timeline/events/segments/segment-changes.ts';
import type { BenchServer } from '../process.ts';
import { days, lastDay } from './rows.ts';

/** The newest events of this many days stay in rows. */
const RECENT_DAYS = 30;
const DAY_MS = 86_400_000;
const end = Date.parse(lastDay);

/** Events by their place, counted from the newest: `from` is the newest of the range. */
export interface Places {
  from: number;
  to: number;
}

/** The places of the events that stay in rows, and those of each older month, from the oldest. */
export function placesByMonth(total: number): { recent: Places; months: Places[] } {
  const placeAt = (time: number) => Math.floor(((end - time) / (days * DAY_MS)) * total);
  const cutoff = end - RECENT_DAYS * DAY_MS;
  const months: Places[] = [];
  let until = cutoff;
  for (let to = placeAt(cutoff); to < total; ) {
    const before = new Date(until - 1);
    until = Date.UTC(before.getUTCFullYear(), before.getUTCMonth());
    const next = Math.min(placeAt(until), total);
    if (next > to) months.unshift({ from: to + 1, to: next });
    to = next;
  }
  return { recent: { from: 1, to: placeAt(cutoff) }, months };
}

/** Holds the events of a month, with their terms, until they are in segments. */
export const monthTableSql = `
  create unlogged table bench_month as select org_id, id, as_of, received_at, kind, actor, repo, pr, source, summary, detail, leaf_hash, proof,
    null::bigint[] as terms from event where false;
  create index bench_month_order on bench_month (org_id, as_of, id)`;

/** Writes the events of `bench_month` to segments as the archive does, without rows and lists before, and empties it. */
export async function archiveMonth({ superuserUrl }: BenchServer): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href, options: '-c timezone=UTC' });
  await client.connect();
  const database = openDatabase({ url: url.href, max: 2, role: 'sightline_app', onError: () => undefined });
  const services = { database } as Services;
  const { rows } = await client.query<{ id: string }>('select id from organization');
  for (const { id } of rows) {
    let read = 0;
    async function* events() {
      for await (const event of readMonth(client, id)) {
        read += 1;
        yield event;
      }
    }
    const ids = await withoutIndexing(database, id, (tx) =>
      replaceSegments(services, tx, id, { added: encodeSegments(id, events()), replaced: [] }),
    );
    if (ids.length !== read) throw new Error(`${read} events became ${ids.length}`);
  }
  await client.query('truncate bench_month');
  await database.close();
  await client.end();
}

const ROWS_PER_READ = 8_192;

/** The events of an organization in their order. A month can have more than memory can hold. */
async function* readMonth(client: pg.Client, orgId: string): AsyncGenerator<ArchivedEvent> {
  await client.query('begin');
  await client.query({
    text: `declare month no scroll cursor for
           select id, as_of, received_at, kind, actor, repo, pr, source, summary, detail, encode(leaf_hash, 'hex') as leaf_hash, proof,
             array(select distinct t from unnest(terms) t where t is not null) as terms
           from bench_month where org_id = '${orgId}' order by as_of, id`,
  });
  for (;;) {
    const text = `fetch ${ROWS_PER_READ} from month`;
    const { rows } = await client.query<Record<string, string>>({ text, types: textTypes });
    for (const row of rows) yield archivedEventOf(row);
    if (rows.length < ROWS_PER_READ) break;
  }
  await client.query('commit');
}

const archivedEventOf = (row: Record<string, string>): ArchivedEvent => ({
  ...(row as unknown as ArchivedEvent),
  asOf: microsOf(row.as_of ?? ''),
  receivedAt: microsOf(row.received_at ?? ''),
  pr: row.pr === null ? null : Number(row.pr),
  leafHash: Buffer.from(row.leaf_hash ?? '', 'hex'),
  terms: (row.terms ?? '{}').slice(1, -1).split(',').map(Number),
});
