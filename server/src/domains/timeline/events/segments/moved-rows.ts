import { NIL_UUID } from '#core/ids.ts';
import { type Tx, textTypes } from '#database/database.ts';
import type { ArchivedEvent } from '../archive/archived-event.ts';
import { microsOf } from '../archive/times.ts';
import { hourSql, listColumnSql } from '../store/tests.ts';

/** A row of an event as PostgreSQL formats it; the hash is in hexadecimal. */
interface EventRow extends Record<string, unknown> {
  id: string;
  as_of: string;
  received_at: string;
  kind: string;
  actor: string | null;
  repo: string | null;
  pr: string | null;
  source: string;
  summary: string;
  detail: string;
  leaf_hash: string;
  proof: string;
}

/** The key of a row, as PostgreSQL formats it. */
export type EventKey = Pick<EventRow, 'id' | 'as_of'>;

/** Which rows are moved: those of a time range that were received before a time. */
export interface MovedRange {
  from: Date;
  to: Date;
  receivedBefore: Date;
}

/** Rows with their terms are read in parts of this number, to limit memory. */
const ROWS_PER_READ = 8_192;

/**
 * The oldest rows of a range without pending words, up to `limit`, with their terms. Adds their keys to `keys`. Rows must not
 * be deleted, nor indexed, meanwhile.
 */
export async function* readMovedEvents(
  tx: Tx,
  orgId: string,
  { range, limit, keys }: { range: MovedRange; limit: number; keys: EventKey[] },
): AsyncGenerator<ArchivedEvent> {
  while (keys.length < limit) {
    const last = keys.at(-1);
    const size = Math.min(ROWS_PER_READ, limit - keys.length);
    const rows = await tx.query<EventRow>({
      name: '',
      text: rowsSql,
      values: [
        orgId,
        range.from,
        range.to,
        range.receivedBefore,
        last?.as_of ?? '-infinity',
        last?.id ?? NIL_UUID,
        size,
      ],
      types: textTypes,
    });
    if (rows.length === 0) return;
    const terms = await termsOfRows(tx, orgId, rows);
    for (const [index, row] of rows.entries()) yield archivedEventOf(row, terms[index] ?? []);
    keys.push(...rows.map(({ id, as_of }) => ({ id, as_of })));
    if (rows.length < size) return;
  }
}

const movableSql = `org_id = $1 and as_of >= $2 and as_of < $3 and received_at < $4
    and id not in (select unnest(id) from posting_pending where org_id = $1)`;
const rowsSql = `
  select id, as_of, received_at, kind, actor, repo, pr, source, summary, detail, encode(leaf_hash, 'hex') as leaf_hash, proof
  from event where ${movableSql} and (as_of, id) > ($5::timestamptz, $6::uuid) order by as_of, id limit $7`;

/** The number of rows of a range that can be moved, up to a limit. */
export async function countMovableRows(tx: Tx, orgId: string, range: MovedRange, limit: number): Promise<number> {
  const [row] = await tx.query<{ n: number }>({
    name: '',
    text: `select count(*)::int as n from (select from event where ${movableSql} limit $5) e`,
    values: [orgId, range.from, range.to, range.receivedBefore, limit],
  });
  return row?.n ?? 0;
}

const archivedEventOf = (row: EventRow, terms: readonly number[]): ArchivedEvent => ({
  id: row.id,
  asOf: microsOf(row.as_of),
  receivedAt: microsOf(row.received_at),
  kind: row.kind as ArchivedEvent['kind'],
  actor: row.actor,
  repo: row.repo,
  pr: row.pr === null ? null : Number(row.pr),
  source: row.source,
  summary: row.summary,
  detail: row.detail,
  leafHash: Buffer.from(row.leaf_hash, 'hex'),
  proof: row.proof,
  terms,
});

/** The terms of each row. Expected plan: the lists of the hours once, and a hash of the rows. */
async function termsOfRows(tx: Tx, orgId: string, rows: readonly EventRow[]): Promise<number[][]> {
  const found = await tx.query<{ term: string; places: string }>({
    name: '',
    text: `with tenant as (select $1::uuid as org)
      select l.term, array_agg(distinct d.place) as places from tenant cross join lateral (
        select p.term, unnest(${listColumnSql('id')}) as id from posting_list p
        where p.org_id = tenant.org and p.hour between $3 and $4) l
      join unnest($2::uuid[]) with ordinality as d(id, place) on d.id = l.id group by l.term`,
    values: [orgId, rows.map(({ id }) => id), hourOf(rows[0]), hourOf(rows.at(-1))],
    types: textTypes,
  });
  const terms: number[][] = rows.map(() => []);
  for (const { term, places } of found)
    for (const place of places.slice(1, -1).split(',')) terms[Number(place) - 1]?.push(Number(term));
  return terms;
}

const hourOf = (row: EventKey | undefined): number => Math.floor(microsOf(row?.as_of ?? '') / 3_600_000_000);

/** Deletes moved rows with their posting lists, in a transaction without concurrent indexing. Throws if a row is missing. */
export async function deleteMovedRows(tx: Tx, orgId: string, rows: readonly EventKey[]): Promise<void> {
  const [first, last] = [rows[0], rows.at(-1)];
  const ids = rows.map(({ id }) => id);
  const deleted = await tx.query<{ n: number }>({
    name: '',
    text: `with gone as (
             delete from event e using unnest($2::timestamptz[], $3::uuid[]) as d(as_of, id)
             where e.org_id = $1 and e.as_of = d.as_of and e.id = d.id returning e.id)
           select count(*)::int as n from gone`,
    values: [orgId, rows.map((row) => row.as_of), ids],
  });
  if (deleted[0]?.n !== rows.length) throw new Error('Events changed while they were archived');
  await deleteLists(tx, orgId, rows, { first: hourOf(first), last: hourOf(last) });
}

/** Removes moved rows from the posting lists of these hours, and deletes the lists that are empty then. */
async function deleteLists(
  tx: Tx,
  orgId: string,
  rows: readonly EventKey[],
  { first, last }: { first: number; last: number },
): Promise<void> {
  const remainingSql = `select distinct ${hourSql('as_of')} as hour from event where org_id = $1
    and as_of >= to_timestamp($2::int * 3600.0) and as_of < to_timestamp(($3::int + 1) * 3600.0)`;
  // Most hours have no other event. A concurrent batch inserts its events and lists at once, so one statement sees both.
  await tx.query({
    name: '',
    text: `delete from posting_list where org_id = $1 and hour between $2 and $3 and not hour = any(array(${remainingSql}))`,
    values: [orgId, first, last],
  });
  const remaining = await tx.query<{ hour: number }>({ name: '', text: remainingSql, values: [orgId, first, last] });
  const moved = Map.groupBy(rows, hourOf);
  for (const { hour } of remaining) {
    const ids = moved.get(hour)?.map(({ id }) => id);
    if (ids) await thinLists(tx, orgId, hour, ids);
  }
}

/**
 * Removes events from the lists of an hour. The lists that are empty then are deleted by their keys: the planner does not know
 * their number, and a join would read the lists of the hour once for each.
 */
async function thinLists(tx: Tx, orgId: string, hour: number, ids: readonly string[]): Promise<void> {
  const empty = await tx.query<{ term: number; seq: number }>({
    name: '',
    text: thinSql,
    values: [orgId, ids, hour],
  });
  const values = [orgId, hour, empty.map(({ term }) => term), empty.map(({ seq }) => seq)];
  // A list that refers to a deleted one has the same events.
  for (const column of ['same_as', 'term']) {
    await tx.query({
      name: '',
      text: `delete from posting_list p using unnest($3::bigint[], $4::bigint[]) as d(term, seq)
             where p.org_id = $1 and p.hour = $2 and p.${column} = d.term and p.seq = d.seq`,
      values,
    });
  }
}

const thinSql = `
  with doomed as materialized (select unnest($2::uuid[]) as id),
  left_over as materialized (
    select p.term, p.seq, k.as_of, k.id from posting_list p
    cross join lateral (
      select array_agg(k.as_of) as as_of, array_agg(k.id) as id from unnest(p.as_of, p.id) as k(as_of, id)
      where k.id not in (select id from doomed)) k
    where p.org_id = $1 and p.hour = $3 and p.same_as is null and cardinality(p.id) > coalesce(cardinality(k.id), 0)
  ), thinned as (
    update posting_list p set as_of = l.as_of, id = l.id from left_over l
    where p.org_id = $1 and p.term = l.term and p.hour = $3 and p.seq = l.seq and l.id is not null
  )
  select term, seq from left_over where id is null`;
