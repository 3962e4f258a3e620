import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { Refusal } from '#core/errors.ts';
import { masterKeyId } from '#core/master-keys.ts';
import { releaseVersion } from '#database/release.ts';
import { withClient } from '../schema.ts';
import { encryptFor, type StreamTransform } from './encryption.ts';
import { type Manifest, sha256OfFile, type TableInBackup, writeManifest } from './manifest.ts';
import { columnList, listTables, plainSettings, releaseOf, type Table } from './tables.ts';

export interface BackupOptions {
  masterKey: Buffer;
  /** Recipients in the age format. Without any, the files are not encrypted. */
  recipients: readonly string[];
  /** Includes the master key. */
  withKey: boolean;
}

/**
 * Writes a consistent copy of every row into `folder`, which must be missing or empty, while the server runs. `url` is
 * a login that bypasses row-level security. The folder gets its name when it is complete.
 */
export async function writeBackup(url: string, folder: string, options: BackupOptions): Promise<Manifest> {
  const inside = await readdir(folder).catch(() => []);
  if (inside.length > 0) throw new Refusal('validation_failed', `${folder} is not empty. Specify a new folder.`);
  const partial = `${folder.replace(/\/+$/, '')}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const manifest = await withClient(url, (client) => copyAll(client, partial, options));
    await writeManifest(partial, manifest, options.masterKey);
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw isRestrictedLogin(error) ? new Refusal('forbidden', restrictedLogin) : error;
  }
}

const restrictedLogin =
  'This database login sees one organization at a time. ' +
  'Set DATABASE_BACKUP_URL to a login with full read access. See docs/operations/backup.md.';

/** Row security is off, so PostgreSQL fails instead of omitting rows. */
const isRestrictedLogin = (error: unknown) => (error as { code?: string }).code === '42501';

async function copyAll(
  client: pg.Client,
  folder: string,
  { masterKey, recipients, withKey }: BackupOptions,
): Promise<Manifest> {
  const encrypt = encryptFor(recipients);
  const suffix = recipients.length > 0 ? '.age' : '';
  await client.query(`begin isolation level repeatable read read only; set local row_security = off; ${plainSettings}`);
  const { rows } = await client.query<{ at: Date }>('select now() as at');
  const schema = await releaseOf(client);
  const tables = await listTables(client);
  // Blocks migrations until the end, so that every listed table exists when it is copied.
  await client.query(`lock table ${tables.map(({ name }) => name).join(', ')} in access share mode`);
  const copied: TableInBackup[] = [];
  for (const table of tables) copied.push(await copy(client, { table, folder, encrypt, suffix }));
  await client.query('commit');
  const at = (rows[0]?.at ?? new Date()).toISOString();
  return {
    format: 2,
    at,
    release: releaseVersion,
    ...schema,
    keyId: masterKeyId(masterKey),
    recipients: [...recipients],
    tables: copied,
    ...(withKey && { masterKey: await writeKey(masterKey, folder, encrypt, suffix) }),
  };
}

async function copy(
  client: pg.Client,
  { table, folder, encrypt, suffix }: { table: Table; folder: string; encrypt: StreamTransform; suffix: string },
): Promise<TableInBackup> {
  const { name, columns, where } = table;
  const file = `${name}.copy.gz${suffix}`;
  const rows = client.query(
    to(`copy (select ${columnList(table)} from ${name}${where === undefined ? '' : ` where ${where}`}) to stdout`),
  );
  const path = join(folder, file);
  await pipeline(rows, createGzip(), encrypt, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  return { name, columns, rows: rows.rowCount, file, sha256: await sha256OfFile(path) };
}

async function writeKey(masterKey: Buffer, folder: string, encrypt: StreamTransform, suffix: string) {
  const file = `master.key${suffix}`;
  const path = join(folder, file);
  const text = Readable.from([Buffer.from(masterKey.toString('base64'))]);
  await pipeline(text, encrypt, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  return { file, sha256: await sha256OfFile(path) };
}
