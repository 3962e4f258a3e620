import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

const migrations = new URL('./migrations/', import.meta.url);
// Any number, the same for every process: two servers that start together migrate one after the other.
const lock = 7_318_200;

/**
 * Brings the schema up to date as the login that owns it. Each file runs once, in its own transaction, in the order
 * of its number. Throws when a file that has run was changed since: migrations are added, never edited.
 */
export async function migrate(
  ownerUrl: string,
  log: (line: string) => void = () => undefined,
  folder = migrations,
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lock]);
    await client.query(
      'create table if not exists migration (name text primary key, sha256 text not null, at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migration');
    const done = new Map(rows.map((row) => [row.name, row.sha256]));
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
    for (const name of names) {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const sha256 = createHash('sha256').update(sql).digest('hex');
      const before = done.get(name);
      if (before === sha256) continue;
      if (before !== undefined) throw new Error(`Migration ${name} was changed after it ran: add a new one instead`);
      await apply(client, name, sql, sha256);
      log(`migrated ${name}`);
    }
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, name: string, sql: string, sha256: string): Promise<void> {
  try {
    await client.query("begin; set local lock_timeout = '10s'");
    const bound = movesRows(sql) ? await boundTables(client) : [];
    await force(client, bound, 'no force');
    await client.query(sql);
    await force(client, bound, 'force');
    await client.query('insert into migration (name, sha256) values ($1, $2)', [name, sha256]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

const movesRows = (sql: string) => /^(insert|update|delete)\b/im.test(sql);

/** The tables whose row-level security binds their owner too. */
async function boundTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relforcerowsecurity and relnamespace = 'public'::regnamespace`,
  );
  return rows.map((row) => row.name);
}

/** Rows of every organisation are moved: for as long as that takes, their owner is bound to none. */
async function force(client: pg.Client, tables: readonly string[], how: 'force' | 'no force'): Promise<void> {
  for (const table of tables) await client.query(`alter table if exists ${table} ${how} row level security`);
}
