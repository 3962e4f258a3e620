import type { Tx } from '#database/database.ts';
import type { ErasureContext } from './erasure-context.ts';
import { searchedColumnsOf } from './inventory.ts';
import { markRowsErased } from './mark-rows-erased.ts';
import type { NameScrub } from './scrub.ts';

interface Key {
  name: string;
  type: string;
}

interface SearchedColumn {
  name: string;
  type: string;
}

interface Shape {
  key: Key[];
  columns: SearchedColumn[];
}

const rowsPerBatch = 500;

/** Removes the names from the searched columns of one table, in key order. Returns the number of changed rows. */
export async function scrubTable(erasing: ErasureContext, table: string): Promise<number> {
  const { services, orgId, scrub } = erasing;
  if (scrub.needles.length === 0) return 0;
  const shape = await services.erasure.withOrg(orgId, (tx) => shapeOf(tx, table));
  let changed = 0;
  let behind: string[] | undefined;
  for (;;) {
    const rows = await services.erasure.withOrg(orgId, async (tx) => {
      const found = await tx.query<Record<string, string | null>>({
        name: '',
        text: foundSql(table, shape, behind !== undefined),
        values: [orgId, scrub.needles, rowsPerBatch, ...(behind ?? [])],
      });
      for (const row of found) if (await rewriteRow(tx, { erasing, table, shape, row })) changed += 1;
      return found;
    });
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerBatch) return changed;
    behind = shape.key.map((_, place) => last[`k${place}`] ?? '');
  }
}

async function rewriteRow(
  tx: Tx,
  {
    erasing: { orgId, erasureId, scrub },
    table,
    shape: { key, columns },
    row,
  }: { erasing: ErasureContext; table: string; shape: Shape; row: Record<string, string | null> },
): Promise<boolean> {
  const changes = columns.flatMap(({ name, type }, place) => {
    const before = row[`c${place}`];
    const after = before == null ? undefined : scrubbed(scrub, type, before);
    return after === undefined ? [] : [{ name, type, after }];
  });
  if (changes.length === 0) return false;
  const sets = changes.map(
    ({ name, type }, place) => `${quoted(name)} = ${valueSqlOf(type, `$${place + 2 + key.length}`)}`,
  );
  const where = key.map(({ name, type }, place) => `${quoted(name)} = $${place + 2}::${type}`);
  await tx.query({
    name: '',
    text: `update ${quoted(table)} set ${sets.join(', ')} where org_id = $1 and ${where.join(' and ')}`,
    values: [orgId, ...key.map((_, place) => row[`k${place}`]), ...changes.map(({ after }) => after)],
  });
  const id = row[`k${key.findIndex(({ name }) => name === 'id')}`];
  if (table === 'audit_event' && id != null) await markRowsErased(tx, orgId, erasureId, [id]);
  return true;
}

/** The scrubbed text; undefined if it does not change. */
function scrubbed(scrub: NameScrub, type: string, text: string): string | undefined {
  const before = type === 'text' ? text : JSON.parse(text);
  const after = scrub.value(before);
  if (type === 'text') return after === before ? undefined : String(after);
  const afterJson = JSON.stringify(after);
  return afterJson === JSON.stringify(before) ? undefined : afterJson;
}

const isList = (type: string) => type === 'text[]';
/** The SQL of a column as text; lists and JSON as JSON. */
const textSqlOf = ({ name, type }: SearchedColumn) =>
  type === 'text' ? quoted(name) : isList(type) ? `to_jsonb(${quoted(name)})::text` : `${quoted(name)}::text`;
const valueSqlOf = (type: string, parameter: string) =>
  isList(type)
    ? `array(select jsonb_array_elements_text(${parameter}::jsonb))`
    : type === 'text'
      ? parameter
      : `${parameter}::${type}`;

function foundSql(table: string, { key, columns }: Shape, isLater: boolean): string {
  const keys = key.map(({ name }) => quoted(name));
  const like = columns.map((column) => `lower(${textSqlOf(column)}) like any(n.patterns)`);
  const behind = key.map(({ type }, place) => `$${place + 4}::${type}`);
  return `
    with n as materialized (${patternsSql('$2')})
    select ${[
      ...keys.map((name, place) => `${name}::text as k${place}`),
      ...columns.map((column, place) => `${textSqlOf(column)} as c${place}`),
    ].join(', ')}
    from ${quoted(table)}, n where org_id = $1 ${isLater ? `and (${keys.join(', ')}) > (${behind.join(', ')})` : ''}
      and (${like.join(' or ')})
    order by ${keys.join(', ')} limit $3`;
}

/** The SQL of the search patterns: each needle in lower case, as it is and as JSON escapes it. */
export const patternsSql = (parameter: string): string => `
  select array_agg('%' || replace(replace(replace(lower(w), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%') as patterns
  from unnest(${parameter}::text[]) as given(n)
  cross join lateral (select n as w union select substr(to_json(n)::text, 2, length(to_json(n)::text) - 2)) as form`;

async function shapeOf(tx: Tx, table: string): Promise<Shape> {
  const key = await tx.query<Key & Record<string, unknown>>({
    name: '',
    text: `select a.attname as name, format_type(a.atttypid, null) as type from pg_index x
           cross join lateral unnest(x.indkey::int[]) with ordinality as k(n, place)
           join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.n
           where x.indrelid = $1::regclass and x.indisprimary and a.attname <> 'org_id' order by k.place`,
    values: [quoted(table)],
  });
  const columns = await tx.query<SearchedColumn & Record<string, unknown>>({
    name: '',
    text: `select attname as name, format_type(atttypid, null) as type from pg_attribute
           where attrelid = $1::regclass and attname = any($2::text[]) order by attnum`,
    values: [quoted(table), searchedColumnsOf(table)],
  });
  return { key, columns };
}

const quoted = (name: string) => `"${name}"`;
