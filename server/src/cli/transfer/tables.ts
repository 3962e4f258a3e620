import type pg from 'pg';
import type { Secrets } from '#core/secrets.ts';
import { listTables, type Table } from '../backup/tables.ts';

/**
 * Tables that do not move: copies of events for another database, which the other installation makes itself, and codes
 * that are valid for minutes.
 */
const left = new Set(['public.event_copy', 'public.event_copy_pending', 'public.extension_code']);

/** A table with rows of organizations. */
export interface OrganizationTable extends Table {
  /** The column with the organization. */
  orgColumn: 'org_id' | 'id';
}

/**
 * Lists every table with rows of organizations, or those that move, so that no row references one of a later table.
 */
export async function listOrganizationTables(
  client: pg.ClientBase,
  which: 'moving' | 'all' = 'moving',
): Promise<OrganizationTable[]> {
  const tables = (await listTables(client))
    .filter(({ name }) => name.startsWith('public.') && (which === 'all' || !left.has(name)))
    .flatMap((table): OrganizationTable[] =>
      table.columns.includes('org_id')
        ? [{ ...table, orgColumn: 'org_id' }]
        : table.name === 'public.organization'
          ? [{ ...table, orgColumn: 'id' }]
          : [],
    );
  const { rows } = await client.query<{ name: string; target: string }>(
    `select format('public.%I', c.relname) as name, format('public.%I', t.relname) as target
     from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
     where f.contype = 'f' and f.conrelid <> f.confrelid and f.connamespace = 'public'::regnamespace`,
  );
  const targets = Map.groupBy(rows, ({ name }) => name);
  const ordered: OrganizationTable[] = [];
  const waiting = new Map(tables.map((table) => [table.name, table]));
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ name }) =>
      (targets.get(name) ?? []).every(({ target }) => !waiting.has(target)),
    );
    if (free.length === 0) throw new Error(`These tables reference each other: ${[...waiting.keys()].join(', ')}`);
    for (const table of free) waiting.delete(table.name);
    ordered.push(...free);
  }
  return ordered;
}

/** Returns the columns of a table that may contain encrypted secrets: all binary ones. */
export async function listBinaryColumns(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ column: string }>(
    `select quote_ident(attname) as column from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and atttypid = 'bytea'::regtype and not attisdropped and attgenerated = ''
     order by attnum`,
    [table],
  );
  return rows.map(({ column }) => column);
}

/** Version, key ID and wrapped key of a secret. The rest does not depend on the master key. */
const wrappedBytes = 69;

/**
 * Encrypts the secrets in a temporary table whose header is one of `headers` with the current key of `secrets`. Returns
 * their number.
 */
export async function rewrapSecrets(
  client: pg.ClientBase,
  {
    table,
    columns,
    secrets,
    headers,
  }: { table: string; columns: readonly string[]; secrets: Secrets; headers: readonly Buffer[] },
): Promise<number> {
  let count = 0;
  for (const column of columns) {
    const { rows } = await client.query<{ place: string; wrapped: Buffer }>(
      `select ctid::text as place, substring(${column} for ${wrappedBytes}) as wrapped from ${table}
       where substring(${column} for 9) = any($1::bytea[])`,
      [headers],
    );
    for (const { place, wrapped } of rows)
      await client.query(
        `update ${table} set ${column} = $1::bytea || substring(${column} from ${wrappedBytes + 1}) where ctid = $2::tid`,
        [secrets.rewrap(wrapped), place],
      );
    count += rows.length;
  }
  return count;
}
