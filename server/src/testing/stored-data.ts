import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Passes on every row of every table as text, including those of the jobs. The login must bypass row-level security. */
export async function eachRow(databaseUrl: string, read: (table: string, row: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      for (const { row } of rows) read(name, row);
    }
  } finally {
    await client.end();
  }
}

/** Returns every row of every table as text. */
export async function rowsAsText(databaseUrl: string): Promise<string> {
  const rows: string[] = [];
  await eachRow(databaseUrl, (table, row) => rows.push(`${table} ${row}`));
  return rows.join('\n');
}

/** Returns the paths of all files in a folder, such as those of the database with its write-ahead log. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
