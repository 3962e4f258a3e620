import pg from 'pg';

export interface Table {
  name: string;
  /** Those that are kept; PostgreSQL works the others out. */
  columns: string[];
  /** Which rows are worth keeping; all where it is undefined. */
  where?: string;
}

/** Jobs are tables of their own package. Those that have ended matter to nobody. */
const queued: Record<string, string | undefined> = {
  'pgboss.queue': undefined,
  'pgboss.schedule': undefined,
  'pgboss.job': "state < 'completed'",
};

/** Every table of Sightline whose rows a backup keeps. The migrations are not: they make the tables. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind in ('r', 'p') and not c.relispartition
       and (n.nspname = 'public' and c.relname <> 'migration' or n.nspname || '.' || c.relname = any($1))
     group by n.nspname, c.relname order by n.nspname desc, c.relname`,
    [Object.keys(queued)],
  );
  return rows.map(({ name, columns }) => {
    const where = queued[name];
    return { name, columns, ...(where !== undefined && { where }) };
  });
}

/** Which release a database is of. */
export async function releaseOf(
  client: pg.ClientBase,
): Promise<{ migrations: { name: string; sha256: string }[]; queueVersion: number }> {
  const migrations = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from public.migration order by name',
  );
  const queue = await client.query<{ version: number }>('select version from pgboss.version');
  return { migrations: migrations.rows, queueVersion: queue.rows[0]?.version ?? 0 };
}

export const columnList = ({ columns }: Pick<Table, 'columns'>): string => columns.map(pg.escapeIdentifier).join(', ');

/** How values are written and read, whatever the server's own settings are. */
export const plainSettings =
  "set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'";
