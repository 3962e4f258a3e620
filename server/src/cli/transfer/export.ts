import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { Refusal } from '#core/errors.ts';
import { masterKeyId, openMasterKeys } from '#core/master-keys.ts';
import { createSecrets, type Secrets } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import { transactionOn } from '#database/database.ts';
import { releaseVersion } from '#database/release.ts';
import { encryptFor, type StreamTransform } from '../backup/encryption.ts';
import { sha256OfFile, type TableInBackup, writeManifest } from '../backup/manifest.ts';
import { columnList, plainSettings, releaseOf, type Table } from '../backup/tables.ts';
import { listAccountRows } from './accounts.ts';
import type { FoundOrganization } from './close.ts';
import type { ExportManifest } from './manifest.ts';
import { listLedgerProblems } from './services-within.ts';
import { listBinaryColumns, listOrganizationTables, rewrapSecrets } from './tables.ts';

export interface ExportOptions {
  organization: FoundOrganization;
  /** The address of the installation that imports. */
  to: string;
  folder: string;
  /** Encrypts the secrets in the export and authenticates its files. */
  transferKey: Buffer;
  /** Recipients of the files in the age format. */
  recipients: readonly string[];
}

interface Target {
  folder: string;
  encrypt: StreamTransform;
  suffix: string;
  /** Encrypts with the transfer key. */
  secrets: Secrets;
  /** The headers of secrets under the master keys of this installation. */
  headers: readonly Buffer[];
}

/**
 * Writes all rows of a closed organization, and the accounts that it knows, into a new folder. The folder gets its name
 * when it is complete. `client`: the login of the owner.
 */
export async function writeOrganization(
  services: Services,
  client: pg.Client,
  options: ExportOptions,
): Promise<ExportManifest> {
  const { config } = services;
  const { folder, transferKey } = options;
  if ((await readdir(folder).catch(() => [])).length > 0)
    throw new Refusal('validation_failed', `${folder} is not empty. Specify a new folder.`);
  const partial = `${folder.replace(/\/+$/, '')}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const keys = (await openMasterKeys(config)).read();
  const sealing = [keys.current, ...keys.others];
  const secrets = createSecrets({
    read: () => ({ current: transferKey, others: sealing }),
    stamp: () => '',
  });
  const target: Target = {
    folder: partial,
    encrypt: encryptFor(options.recipients),
    suffix: options.recipients.length > 0 ? '.age' : '',
    secrets,
    headers: sealing.map((key) => secrets.headerOf(key)),
  };
  try {
    const manifest = await copyRows(services, client, target, options);
    await writeManifest(partial, manifest, transferKey);
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function copyRows(
  services: Services,
  client: pg.Client,
  target: Target,
  { organization: { id, slug, name }, to: address, transferKey, recipients }: ExportOptions,
): Promise<ExportManifest> {
  await client.query(`begin isolation level repeatable read; ${plainSettings}`);
  await client.query("select set_config('app.org', $1, true)", [id]);
  const { rows } = await client.query<{ at: Date }>('select now() as at');
  const { migrations } = await releaseOf(client);
  const accounts = await listAccountRows(client, id);
  const tables = await listOrganizationTables(client);
  const copied: TableInBackup[] = [];
  for (const table of accounts) copied.push(await copyTable(client, target, table, table.select));
  for (const table of tables)
    copied.push(
      await copyTable(
        client,
        target,
        table,
        `select ${columnList(table)} from ${table.name} where ${table.orgColumn} = '${id}'`,
      ),
    );
  const ledgerProblems = await listLedgerProblems(services, transactionOn(client, []), id);
  await client.query('rollback');
  return {
    format: 'sightline-organization-1',
    at: (rows[0]?.at ?? new Date()).toISOString(),
    release: releaseVersion,
    migrations,
    keyId: masterKeyId(transferKey),
    recipients: [...recipients],
    organization: { id, slug, name },
    from: services.config.PUBLIC_URL,
    to: address,
    ledgerProblems,
    accounts: accounts.length,
    tables: copied,
  };
}

async function copyTable(client: pg.Client, target: Target, table: Table, select: string): Promise<TableInBackup> {
  const { name, columns } = table;
  const { folder, encrypt, suffix, secrets, headers } = target;
  const binary = await listBinaryColumns(client, name);
  let source = select;
  if (await hasSecrets(client, select, binary, headers)) {
    await client.query(`create temp table outgoing on commit drop as ${select}`);
    await rewrapSecrets(client, { table: 'outgoing', columns: binary, secrets, headers });
    source = `select ${columnList(table)} from outgoing`;
  }
  const file = `${name}.copy.gz${suffix}`;
  const path = join(folder, file);
  const rows = client.query(to(`copy (${source}) to stdout`));
  await pipeline(rows, createGzip(), encrypt, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  if (source !== select) await client.query('drop table outgoing');
  return { name, columns, rows: rows.rowCount, file, sha256: await sha256OfFile(path) };
}

async function hasSecrets(
  client: pg.Client,
  select: string,
  columns: readonly string[],
  headers: readonly Buffer[],
): Promise<boolean> {
  if (columns.length === 0) return false;
  const sealed = columns.map((column) => `substring(${column} for 9) = any($1::bytea[])`).join(' or ');
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from (${select}) moving where ${sealed}) as found`,
    [headers],
  );
  return rows[0]?.found === true;
}
