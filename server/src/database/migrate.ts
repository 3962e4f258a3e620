import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { releaseVersion } from './release.ts';

const migrations = new URL('./migrations/', import.meta.url);
/**
 * The time to wait for a lock. All later transactions wait behind a waiting lock, so the migration is retried instead.
 */
const LOCK_TIMEOUT = '2s';
const LOCK_TRIES = 60;
const LOCK_PAUSE_MS = 500;
// The advisory lock that serializes the migrations of servers that start together.
const lock = 7_318_200;

interface MigrateOptions {
  folder?: URL;
  /** The version of this release. */
  version?: string;
}

/**
 * Migrates the schema with the login that owns it. Each file runs once, in its own transaction, in the order of its
 * number. Throws if an applied file was changed, if the database was created before the first release, and if it needs
 * a later release than this one. A migration that earlier servers cannot run with has a line `-- minimum release:
 * 1.2.0`.
 */
export async function migrate(
  ownerUrl: string,
  log: (line: string) => void = () => undefined,
  { folder = migrations, version = releaseVersion }: MigrateOptions = {},
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lock]);
    await client.query(
      'create table if not exists migration (name text primary key, sha256 text not null, at timestamptz not null default now())',
    );
    await client.query('alter table migration add column if not exists minimum_release text');
    const { rows } = await client.query<{ name: string; sha256: string; minimum: string | null }>(
      'select name, sha256, minimum_release as minimum from migration',
    );
    for (const { name, minimum } of rows) requireRelease(version, name, minimum);
    const done = new Map(rows.map((row) => [row.name, row.sha256]));
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
    if (done.size > 0 && !done.has(names[0] ?? '')) throw new Error(prerelease);
    for (const name of names) {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const sha256 = createHash('sha256').update(sql).digest('hex');
      const before = done.get(name);
      if (before === sha256) continue;
      if (before !== undefined)
        throw new Error(
          `Migration ${name} was changed after it ran. Check out the release as published. ${prerelease}`,
        );
      await applyWhenUnlocked(client, { name, sql, sha256 }, log);
      log(`migrated ${name}`);
    }
  } finally {
    await client.end();
  }
}

const prerelease =
  'This database was created by a version before the first release, which this release cannot read. ' +
  'Start with an empty database or data directory. Keep the old one with the version that created it.';

function requireRelease(version: string, name: string, minimum: string | null): void {
  if (minimum === null || compareVersions(version, minimum) >= 0) return;
  throw new Error(
    `The database needs release ${minimum} or later since migration ${name}, and this is release ${version}. ` +
      'Start the later release, or restore a backup from before its upgrade.',
  );
}

const compareVersions = (one: string, other: string): number => {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number));
  return (
    [0, 1, 2].map((part) => (left?.[part] ?? 0) - (right?.[part] ?? 0)).find((difference) => difference !== 0) ?? 0
  );
};

interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

/** Retries while transactions of a running server hold locks that the migration needs. */
async function applyWhenUnlocked(client: pg.Client, migration: Migration, log: (line: string) => void): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply(client, migration);
    } catch (error) {
      const cause = (error as Error).cause as { code?: string } | undefined;
      if (cause?.code !== '55P03' || attempt === LOCK_TRIES) throw error;
      if (attempt === 1) log(`${migration.name} waits for transactions that use its tables`);
      await delay(LOCK_PAUSE_MS);
    }
  }
}

async function apply(client: pg.Client, { name, sql, sha256 }: Migration): Promise<void> {
  try {
    await client.query(`begin; set local lock_timeout = '${LOCK_TIMEOUT}'`);
    const bound = movesRows(sql) ? await boundTables(client, sql) : [];
    await force(client, bound, 'no force');
    await client.query(sql);
    await force(client, bound, 'force');
    const [, minimum] = /^-- minimum release: (\d+\.\d+\.\d+)$/m.exec(sql) ?? [];
    await client.query('insert into migration (name, sha256, minimum_release) values ($1, $2, $3)', [
      name,
      sha256,
      minimum ?? null,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

const movesRows = (sql: string) => /^(insert|update|delete)\b/im.test(sql);

/** Returns the tables of a migration whose row-level security also applies to their owner: others are not locked. */
async function boundTables(client: pg.Client, sql: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relforcerowsecurity and relnamespace = 'public'::regnamespace`,
  );
  const words = new Set(sql.match(/\w+/g));
  return rows.map((row) => row.name).filter((name) => words.has(name));
}

/** Disables forced row-level security while a migration changes rows of every organization, and enables it again. */
async function force(client: pg.Client, tables: readonly string[], how: 'force' | 'no force'): Promise<void> {
  for (const table of tables) await client.query(`alter table if exists ${table} ${how} row level security`);
}
