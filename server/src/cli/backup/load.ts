import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { Refusal } from '#core/errors.ts';
import { releaseVersion } from '#database/release.ts';
import { withClient } from '../schema.ts';
import type { StreamTransform } from './encryption.ts';
import type { Manifest, TableInBackup } from './manifest.ts';
import type { VerifiedBackup } from './open-backup.ts';
import { columnList, listTables, plainSettings, releaseOf } from './tables.ts';
import { verifyLoadedBackup } from './verify.ts';

/**
 * Loads a backup into an unused database of the same release, with the login that owns the schema, in one transaction.
 * Returns the number of verified ledger entries.
 */
export const loadBackup = (
  ownerUrl: string,
  { folder, manifest, decrypt }: VerifiedBackup,
): Promise<{ entries: number }> =>
  withClient(ownerUrl, async (client) => {
    await client.query(`begin; ${plainSettings}`);
    await refuseOtherRelease(client, manifest);
    const tables = await listTables(client);
    const ours = tables.filter(({ name }) => name.startsWith('public.')).map(({ name }) => name);
    await client.query(`lock table ${ours.join(', ')} in access exclusive mode`);
    const bound = await boundTables(client);
    for (const name of bound) await client.query(`alter table ${name} no force row level security`);
    await refuseUsed(client);
    const references = await takeReferences(client);
    for (const name of ours) await client.query(`alter table ${name} disable trigger user`);
    // The backup also contains the rows that migrations and a first start have inserted.
    await client.query(`truncate ${ours.join(', ')}`);
    await client.query('delete from pgboss.job; delete from pgboss.schedule; delete from pgboss.queue');
    for (const table of manifest.tables) await load(client, folder, table, decrypt);
    // Retries a job that was active. The next job of its key may wait as a new one.
    await client.query("update pgboss.job set state = 'retry', started_on = null where state = 'active'");
    await advanceIdentities(client);
    for (const { name, constraint, definition } of references)
      await client.query(`alter table ${name} add constraint ${constraint} ${definition}`);
    for (const name of ours) await client.query(`alter table ${name} enable trigger user`);
    const entries = await verifyLoadedBackup(client, manifest);
    for (const name of bound) await client.query(`alter table ${name} force row level security`);
    await client.query('commit');
    await client.query('analyze');
    return { entries };
  });

async function refuseOtherRelease(client: pg.Client, manifest: Manifest): Promise<void> {
  const { migrations, queueVersion } = await releaseOf(client);
  const same =
    queueVersion === manifest.queueVersion && JSON.stringify(migrations) === JSON.stringify(manifest.migrations);
  if (same) return;
  const [theirs, ours] = [manifest.migrations, migrations].map((list) => list.at(-1)?.name);
  const problem = `This backup was created by release ${manifest.release} with the last migration ${theirs}; this is release ${releaseVersion} with ${ours}.`;
  throw new Refusal('conflict', `${problem} Restore it with that release, then upgrade.`);
}

/** Returns the tables whose row-level security also applies to their owner. */
async function boundTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relforcerowsecurity and relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

async function refuseUsed(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ used: boolean }>(
    'select exists (select from account) or exists (select from organization) as used',
  );
  if (!rows[0]?.used) return;
  throw new Refusal(
    'conflict',
    'This database already contains accounts or organizations. Restore into an empty database.',
  );
}

interface Reference {
  name: string;
  constraint: string;
  definition: string;
}

/** Drops the foreign keys, because tables that refer to each other have no valid order for loading. */
async function takeReferences(client: pg.Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select conrelid::regclass::text as name, quote_ident(conname) as constraint, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by conrelid, conname`,
  );
  for (const { name, constraint } of rows) await client.query(`alter table ${name} drop constraint ${constraint}`);
  return rows;
}

async function load(client: pg.Client, folder: string, table: TableInBackup, decrypt: StreamTransform): Promise<void> {
  const into = client.query(from(`copy ${table.name} (${columnList(table)}) from stdin`));
  await pipeline(createReadStream(join(folder, table.file)), decrypt, createGunzip(), into);
  if (into.rowCount === table.rows) return;
  throw new Error(`${table.name} took ${into.rowCount} rows of the ${table.rows} in the backup`);
}

/** Sets identity sequences to the value after the highest one. */
async function advanceIdentities(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string }>(
    `select attrelid::regclass::text as name, quote_ident(attname) as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attidentity <> ''`,
  );
  for (const { name, column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${column}), 0) + 1, false) from ${name}`,
      [name, column],
    );
}
