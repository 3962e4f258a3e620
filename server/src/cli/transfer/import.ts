import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict } from '#core/errors.ts';
import { recordOperatorEntry } from '#core/operator-log.ts';
import { createSecrets, type Secrets } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import { type Tx, transactionOn } from '#database/database.ts';
import { releaseVersion } from '#database/release.ts';
import { organizationRestored } from '../../domains/organization/organizations/topics.ts';
import type { StreamTransform } from '../backup/encryption.ts';
import type { TableInBackup } from '../backup/manifest.ts';
import { columnList, listTables, plainSettings, releaseOf } from '../backup/tables.ts';
import { verifyLoadedEntries } from '../backup/verify.ts';
import { rotateWebhooksOf } from '../keys.ts';
import { operatorActor, operatorUserName } from '../operator.ts';
import { type AccountsLoaded, insertAccounts, mergeMatched } from './insert-accounts.ts';
import type { ExportManifest } from './manifest.ts';
import { listLedgerProblems, servicesWithin } from './services-within.ts';
import { listBinaryColumns, listOrganizationTables, rewrapSecrets } from './tables.ts';

/** An export whose files are verified. */
export interface VerifiedExport {
  folder: string;
  manifest: ExportManifest;
  decrypt: StreamTransform;
  transferKey: Buffer;
}

export interface ImportResult {
  rows: number;
  /** Entries of the ledger. */
  entries: number;
  accounts: AccountsLoaded;
}

/**
 * Loads an exported organization in one transaction, beside other organizations and while the server runs. Before it
 * commits, it compares the number of rows, every entry of the ledger with its hash, and the complete ledger with its
 * tree and checkpoints. `client`: the login of the owner.
 */
export async function loadOrganization(
  services: Services,
  client: pg.Client,
  source: VerifiedExport,
): Promise<ImportResult> {
  const { manifest } = source;
  const { organization, tables } = manifest;
  const tasks: (() => void)[] = [];
  const tx = transactionOn(client, tasks);
  await client.query(`begin; ${plainSettings}`);
  try {
    await refuseUnfit(client, manifest);
    await client.query("select set_config('app.importing', 'on', true)");
    await selectOrganization(client, organization.id);
    const reading = await readingOf(services, source);
    const accounts = await insertAccounts(client, tables.slice(0, manifest.accounts), (table, use) =>
      loadRows(client, reading, table, use),
    );
    for (const table of await ordered(client, tables.slice(manifest.accounts))) await loadTable(client, reading, table);
    await client.query("select set_config('app.importing', '', true)");
    await mergeMatched(servicesWithin(services, tx, organization.id), client, accounts);
    await selectOrganization(client, organization.id);
    await recordImport(services, tx, manifest);
    const entries = await verifyLedger(services, client, tx, manifest);
    await continueWork(services, tx, organization.id);
    await client.query('commit');
    runAfterCommit(services, tasks);
    return { rows: tables.reduce((sum, { rows }) => sum + rows, 0), entries, accounts };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** A failed notice changes nothing: the import is complete. */
function runAfterCommit({ log }: Services, tasks: readonly (() => void)[]): void {
  for (const task of tasks) {
    try {
      task();
    } catch (error) {
      log.warn({ err: error }, 'a task after the import failed');
    }
  }
}

const selectOrganization = (client: pg.Client, orgId: string) =>
  client.query("select set_config('app.org', $1, true), set_config('app.account', '', true)", [orgId]);

async function refuseUnfit(client: pg.Client, { organization, migrations, release }: ExportManifest): Promise<void> {
  const here = await releaseOf(client);
  if (JSON.stringify(here.migrations) !== JSON.stringify(migrations))
    throw Conflict(
      `Release ${release} wrote this export, and this is ${releaseVersion}. Both must have the same tables.`,
    );
  const { rows } = await client.query<{ exists: boolean; moved: boolean }>(
    `select $1 in (select every_organization()) as exists, exists (select from moved_organization where id = $1) as moved`,
    [organization.id],
  );
  if (rows[0]?.moved)
    throw Conflict('This organization moved away from here, and its rows are still in this database.');
  if (rows[0]?.exists) throw Conflict('This database already contains the organization.');
  await refuseSlug(client, organization);
}

/** A slug is unique across organizations, which row-level security hides from each other. */
async function refuseSlug(client: pg.Client, { slug }: ExportManifest['organization']): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select every_organization() as id union all select id from moved_organization',
  );
  for (const { id } of rows) {
    await selectOrganization(client, id);
    const { rowCount } = await client.query('select from organization where slug = $1', [slug]);
    if (rowCount !== 0) throw Conflict(`Another organization here has the short name "${slug}".`);
  }
}

/** Orders the tables of an export so that no row references one of a later table. Throws 409 for an unknown table. */
async function ordered(client: pg.Client, tables: readonly TableInBackup[]): Promise<TableInBackup[]> {
  const known = await listOrganizationTables(client);
  const unknown = tables.find(({ name }) => !known.some((one) => one.name === name));
  if (unknown) throw Conflict(`${unknown.name} is not a table with rows of organizations.`);
  return known.flatMap(({ name }) => tables.find((table) => table.name === name) ?? []);
}

/** How rows of an export are read. */
interface Reading extends Pick<VerifiedExport, 'folder' | 'decrypt'> {
  secrets: Secrets;
  headers: readonly Buffer[];
}

async function readingOf(services: Services, { folder, decrypt, transferKey }: VerifiedExport): Promise<Reading> {
  const header = createSecrets(transferKey).headerOf();
  const opening = createSecrets(transferKey);
  // Opens with the transfer key, and encrypts with the master key of this installation.
  const secrets: Secrets = {
    ...services.secrets,
    rewrap: (sealed) => services.secrets.wrapKey(opening.unwrapKey(sealed)),
  };
  return { folder, decrypt, secrets, headers: [header] };
}

/** The bytes of rows that are loaded at once. */
const CHUNK_BYTES = 32 * 1024 * 1024;

/**
 * Loads the rows of a file in chunks into the temporary table `incoming`, and calls `use` for each: PostgreSQL does not
 * copy into tables with row-level security. Throws 409 unless all rows were loaded.
 */
async function loadRows(
  client: pg.Client,
  { folder, decrypt, secrets, headers }: Reading,
  table: TableInBackup,
  use: () => Promise<unknown>,
): Promise<void> {
  const known = (await listTables(client)).find(({ name }) => name === table.name);
  if (!known || table.columns.some((column) => !known.columns.includes(column)))
    throw Conflict(`${table.name} has other columns here.`);
  await client.query(
    `create temp table incoming on commit drop as select ${columnList(table)} from ${table.name} with no data`,
  );
  const columns = await listBinaryColumns(client, 'incoming');
  let count = 0;
  for await (const chunk of chunksOfLines(join(folder, table.file), decrypt)) {
    const into = client.query(from(`copy incoming (${columnList(table)}) from stdin`));
    await pipeline(Readable.from([chunk]), into);
    count += into.rowCount;
    await rewrapSecrets(client, { table: 'incoming', columns, secrets, headers });
    await use();
    await client.query('truncate incoming');
  }
  await client.query('drop table incoming');
  if (count !== table.rows) throw Conflict(`${table.name} has ${count} rows, and ${table.rows} in the export.`);
}

/** Splits a file at ends of lines: one line is one row. */
async function* chunksOfLines(path: string, decrypt: StreamTransform): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  const lines = createReadStream(path);
  const plain = Readable.from(decrypt(lines)).pipe(createGunzip());
  for await (const part of plain as AsyncIterable<Buffer>) {
    held.push(part);
    size += part.length;
    if (size < CHUNK_BYTES) continue;
    const end = part.lastIndexOf(10) + 1;
    if (end === 0) continue;
    yield Buffer.concat([...held.slice(0, -1), part.subarray(0, end)]);
    held = [part.subarray(end)];
    size = part.length - end;
  }
  if (size > 0) yield Buffer.concat(held);
}

async function loadTable(client: pg.Client, reading: Reading, table: TableInBackup): Promise<void> {
  const columns = columnList(table);
  let inserted = 0;
  await loadRows(client, reading, table, async () => {
    const { rowCount } = await client.query(
      `insert into ${table.name} (${columns}) overriding system value select ${columns} from incoming`,
    );
    inserted += rowCount ?? 0;
  });
  if (inserted !== table.rows) throw Conflict(`${table.name} took ${inserted} rows of ${table.rows}.`);
  await advanceSequence(client, table.name);
}

/** Later rows of any organization get numbers after those that were loaded. */
const SEQUENCE_MARGIN = 1_000_000;

async function advanceSequence(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ column: string; sequence: string }>(
    `select quote_ident(attname) as column, pg_get_serial_sequence($1, attname) as sequence
     from pg_attribute where attrelid = $1::regclass and attidentity <> ''`,
    [table],
  );
  // The margin covers numbers that other transactions take meanwhile.
  for (const { column, sequence } of rows)
    await client.query(
      `select setval('${sequence}', loaded.highest + ${SEQUENCE_MARGIN})
       from (select max(${column}) as highest from ${table}) loaded
       where loaded.highest >= (select last_value from ${sequence})`,
    );
}

async function recordImport(
  { people }: Services,
  tx: Tx,
  { organization: { id }, from: source, at }: ExportManifest,
): Promise<void> {
  await recordAuditEntry(tx, {
    people,
    orgId: id,
    actor: operatorActor(),
    entry: { action: 'organization.imported', subject: { kind: 'organization', id }, data: { from: source, at } },
  });
  await recordOperatorEntry(tx, operatorUserName(), {
    action: 'organization.imported',
    subject: { kind: 'organization', id },
    data: { from: source, at },
  });
}

/**
 * Throws 409 unless each entry matches its hash, and the complete check of the ledger reports what it reported at the other
 * installation, which is usually nothing. Returns the number of entries.
 */
async function verifyLedger(
  services: Services,
  client: pg.Client,
  tx: Tx,
  { organization, ledgerProblems }: ExportManifest,
): Promise<number> {
  const entries = await verifyLoadedEntries(client, organization.id);
  const known = new Set(ledgerProblems);
  const problem = (await listLedgerProblems(services, tx, organization.id)).find((one) => !known.has(one));
  if (problem !== undefined) throw Conflict(`The ledger of the export is damaged: ${problem}`);
  return entries;
}

/** Queues the paused work, as after the restore of an archived organization, and gives webhooks the new address. */
async function continueWork(services: Services, tx: Tx, orgId: string): Promise<void> {
  const organization = await tx.db
    .selectFrom('organization')
    .select('archived_at')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  await rotateWebhooksOf(services, tx, orgId);
  if (organization.archived_at === null)
    await services.topics.publish({ services, tx, orgId }, organizationRestored, {});
}
