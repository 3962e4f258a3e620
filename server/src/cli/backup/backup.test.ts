import { createHash, randomBytes } from 'node:crypto';
import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@sightline/contract/core/client.ts';
import { createOutgoingWebhook, testOutgoingWebhook } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { getEvent } from '@sightline/contract/timeline/events.ts';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { startTestServer, superuserUrl, type TestServer } from '#testing/server.ts';
import { compareStoredEvents } from '../../crash/testing/evidence.ts';
import { startEventWriters } from '../../crash/testing/writers.ts';
import { type Receiver, startReceiver } from '../../domains/delivery/outgoing-webhooks/testing/receiver.ts';
import { sequenceAndSign } from '../../domains/ledger/ledger/commands.ts';
import { operatorCliOf } from '../testing/in-process.ts';
import type { RestoreDrillResult } from './drill.ts';
import { type Manifest, sha256OfFile } from './manifest.ts';

interface BackupOutput {
  backup: { folder: string; rows: number; tables: number };
}

let receiver: Receiver;
let environment: Record<string, string>;
let server: TestServer;
/**
 * An empty PostgreSQL managed by the operator, and a data directory without a master key. The environment contains none
 * either.
 */
let empty: Record<'DATABASE_URL' | 'DATA_DIR', string> & { MASTER_KEY: undefined };
let orgId: string;
let workDir: string;
let folder: string;
let secret: string;
let webhookId: string;
/** Valid at every installation of this address that has the signing keys. */
let token: string;
let promised: Set<string>;
let sent: Set<string>;

beforeAll(async () => {
  receiver = await startReceiver();
  workDir = await mkdtemp(join(tmpdir(), 'sightline-backup-'));
  folder = join(workDir, 'monday');
  environment = { PUBLIC_URL: 'http://sightline.example' };
  server = await startTestServer({ environment });
  await operatorCliOf(server).ask('outbound', 'allow', receiver.url, '--purpose', 'webhook', '--all');
  await writeFile(join(server.config.dataDir, 'master.key'), server.config.MASTER_KEY ?? '');
  empty = { DATABASE_URL: await emptyDatabase(), DATA_DIR: join(workDir, 'empty'), MASTER_KEY: undefined };
  const org = await server.make.organization();
  orgId = org.id;
  const call = server.as(org.owner, orgId);
  const made = await call(createOutgoingWebhook, { body: { url: `${receiver.url}/told` } });
  secret = made.secret;
  webhookId = made.webhook.id;
  token = await server.token(org.owner, orgId);
  await sequenceAndSign(server.services.ledger, orgId);
});
afterAll(async () => {
  await Promise.all([server?.close(), receiver?.close()]);
  await rm(workDir, { recursive: true, force: true });
});

test('a backup under load contains every event acknowledged before it started', async () => {
  const operator = operatorCliOf(server, { DATABASE_BACKUP_URL: superuserUrl(server.databaseUrl) });
  const writers = startEventWriters(server.url, token, 3);
  await writers.reached(60);
  promised = new Set(writers.acknowledged);
  const { backup } = await operator.ask<BackupOutput>('backup', folder);
  const during = writers.acknowledged.size - promised.size;
  await writers.reached(writers.acknowledged.size + 20);
  await server.app.close();
  await writers.finished;
  ({ sent } = writers);
  expect(during).toBeGreaterThan(0);
  const manifest = await manifestIn(folder);
  expect(backup).toMatchObject({ folder, tables: manifest.tables.length });
  expect(rowsOf(manifest, 'public.event')).toBeGreaterThanOrEqual(promised.size);
  expect(rowsOf(manifest, 'public.event')).toBeLessThan(sent.size);
  expect((await stat(folder)).mode & 0o077).toBe(0);
  expect((await stat(join(folder, 'public.account.copy.gz'))).mode & 0o077).toBe(0);
  expect(await rowsIn(server.databaseUrl, "select data from operator_entry where action = 'backup.created'")).toEqual([
    { data: { at: manifest.at, release: manifest.release, folder, rows: backup.rows, encrypted: false } },
  ]);
  const { out } = await operator.cli(['doctor']);
  expect(out).toMatch(/ok +backup +the last one is 0 hours old/);
  expect(await operator.ask('backup', 'verify', folder)).toEqual({
    verified: { folder, at: manifest.at, release: manifest.release, rows: backup.rows, restorable: true },
  });
});

test('refuses a restore without the right key or with a changed file before writing anything', async () => {
  const { cli } = operatorCliOf(server, empty);
  const without = await cli(['restore', folder]);
  expect(without).toMatchObject({ code: 1, out: '' });
  expect(without.complaint).toContain('needs the master key');
  const wrong = await cli(['restore', folder], { MASTER_KEY: randomBytes(32).toString('base64') });
  expect(wrong.complaint).toContain('MASTER_KEY is not the master key of this backup');

  await mkdir(empty.DATA_DIR);
  await copyFile(join(server.config.dataDir, 'master.key'), join(empty.DATA_DIR, 'master.key'));
  const file = join(folder, 'public.organization.copy.gz');
  const hmac = await readFile(join(folder, 'manifest.hmac'));
  const original = join(workDir, 'kept');
  await copyFile(file, original);
  await appendFile(file, 'x');
  for (const command of [['restore'], ['backup', 'verify']]) {
    expect((await cli([...command, folder])).complaint).toContain(
      'public.organization.copy.gz was changed after the backup',
    );
  }
  // An attacker who changes a row can recompute its checksum, but not the HMAC.
  const honest = await readFile(join(folder, 'manifest.json'), 'utf8');
  const sums = [original, file].map(async (path) => sha256OfFile(path));
  const [before = '', after = ''] = await Promise.all(sums);
  await writeFile(join(folder, 'manifest.json'), honest.replace(before, after));
  expect((await cli(['restore', folder])).complaint).toContain('manifest.json was changed after the backup');
  await writeFile(join(folder, 'manifest.json'), honest);
  await copyFile(original, file);
  await rm(join(folder, 'manifest.hmac'));
  expect((await cli(['restore', folder])).complaint).toContain('manifest.json was changed after the backup');
  await writeFile(join(folder, 'manifest.hmac'), hmac);
  await writeFile(join(folder, 'public.extra.copy.gz'), '');
  expect((await cli(['restore', folder])).complaint).toContain('public.extra.copy.gz was changed after the backup');
  await rm(join(folder, 'public.extra.copy.gz'));
  expect((await cli(['restore', workDir])).complaint).toContain('does not contain a complete backup');
  expect(await rowsIn(empty.DATABASE_URL, "select from pg_class where relnamespace = 'public'::regnamespace")).toEqual(
    [],
  );
  expect((await cli(['backup', folder], { DATABASE_URL: '' })).complaint).toContain('No installation found');
});

test('restores all rows, the ledger and readable secrets into an empty PostgreSQL', async () => {
  const manifest = await manifestIn(folder);
  const { restored } = await operatorCliOf(server, empty).ask<{ restored: { rows: number; entries: number } }>(
    ...['restore', folder],
  );
  expect(restored.rows).toBe(manifest.tables.reduce((sum, { rows }) => sum + rows, 0));
  expect(restored.entries).toBeGreaterThan(0);
  const found = await compareStoredEvents(superuserUrl(empty.DATABASE_URL), orgId, promised);
  expect(found).toEqual({ missing: [], unproven: [], broken: [], events: rowsOf(manifest, 'public.event') });
  const ids = await rowsIn<{ id: string }>(empty.DATABASE_URL, 'select id from event');
  expect(ids.filter(({ id }) => !sent.has(id))).toEqual([]);

  const second = await startTestServer({
    jobs: true,
    beside: { ...server, databaseUrl: empty.DATABASE_URL },
    environment: { ...environment, DATA_DIR: empty.DATA_DIR },
  });
  try {
    expect(await operatorCliOf(second).cli(['doctor'])).toMatchObject({ code: 0 });
    const call = createClient({ baseUrl: `${second.url}/api`, token: () => token });
    const [first = ''] = promised;
    expect(await call(getEvent, { params: { eventId: first } })).toMatchObject({ uuid: first });
    await call(testOutgoingWebhook, { params: { webhookId } });
    const delivery = await vi.waitFor(
      () => {
        const [one] = receiver.at('/told');
        if (!one) throw new Error('nothing came yet');
        return one;
      },
      { timeout: 30_000 },
    );
    expect(() => new Webhook(secret).verify(delivery.body, delivery.headers as Record<string, string>)).not.toThrow();
  } finally {
    await second.close();
  }
});

test('refuses a PostgreSQL in use and a login that cannot read every row', async () => {
  const { cli } = operatorCliOf(server, empty);
  const again = await cli(['restore', folder]);
  expect(again.complaint).toContain('already contains accounts or organizations');

  const refused = await cli(['backup', join(workDir, 'held')]);
  expect(refused.complaint).toContain('Set DATABASE_BACKUP_URL');
  await expect(stat(join(workDir, 'held.partial'))).rejects.toThrow();
  const keyed = await cli(['backup', join(workDir, 'keyed'), '--with-key'], {
    MASTER_KEY: randomBytes(32).toString('base64'),
  });
  expect(keyed.complaint).toContain('Omit --with-key');
});

test('includes the master key in a backup on request', async () => {
  const copy = join(workDir, 'copy');
  const reader = operatorCliOf(server, { ...empty, DATABASE_BACKUP_URL: superuserUrl(empty.DATABASE_URL) });
  expect(await reader.cli(['backup', copy, '--with-key'])).toMatchObject({ code: 0, complaint: '' });
  expect(await readFile(join(copy, 'master.key'), 'utf8')).toBe(
    await readFile(join(server.config.dataDir, 'master.key'), 'utf8'),
  );
  const [before, after] = [await manifestIn(folder), await manifestIn(copy)];
  const columnsOf = ({ tables }: Manifest) => tables.map(({ name, columns }) => ({ name, columns }));
  expect(columnsOf(after)).toEqual(columnsOf(before));
  expect(rowsOf(after, 'public.event')).toBe(rowsOf(before, 'public.event'));
});

test('encrypts a backup, and verifies its ledgers in a trial restore without a trace', {
  timeout: 60_000,
}, async () => {
  const sealed = join(workDir, 'sealed');
  const keys = { mine: join(workDir, 'mine.txt'), other: join(workDir, 'other.txt') };
  const [mine, other] = [await generateIdentity(), await generateIdentity()];
  await writeFile(keys.mine, `# public key: ${await identityToRecipient(mine)}\n${mine}\n`);
  await writeFile(keys.other, other);
  const reader = operatorCliOf(server, { ...empty, DATABASE_BACKUP_URL: superuserUrl(empty.DATABASE_URL) });
  const recipient = await identityToRecipient(mine);
  const odd = await reader.cli(['backup', sealed, '--recipient', `${recipient},age1invented`]);
  expect(odd.complaint).toContain('--recipient is not an age key');
  expect(await reader.cli(['backup', sealed, '--with-key', '--recipient', recipient])).toMatchObject({ code: 0 });
  for (const name of await readdir(sealed)) {
    if (name.startsWith('manifest.')) continue;
    expect([name, (await readFile(join(sealed, name))).subarray(0, 21).toString()]).toEqual([
      expect.stringMatching(/\.age$/),
      'age-encryption.org/v1',
    ]);
  }

  // A machine that has only the backup and the key that decrypts it.
  const { cli, ask } = operatorCliOf(server, { ...empty, DATA_DIR: join(workDir, 'drill') });
  expect((await cli(['restore', sealed, '--drill'])).complaint).toContain('is encrypted for age1');
  const wrong = await cli(['restore', sealed, '--drill', '--identity', keys.other]);
  expect(wrong.complaint).toContain('cannot decrypt this backup');
  const { drill } = await ask<{ drill: RestoreDrillResult }>('restore', sealed, '--drill', '--identity', keys.mine);
  expect(drill).toMatchObject({ ledgers: 1, problems: [] });
  expect(drill.entries).toBeGreaterThan(0);
  expect(await readdir(join(workDir, 'drill'))).toEqual([]);
});

test('a trial restore reports a ledger that does not match the signed checkpoints', {
  timeout: 60_000,
}, async () => {
  const client = new pg.Client({ connectionString: superuserUrl(empty.DATABASE_URL) });
  await client.connect();
  const forged = Buffer.from('{"forged":true}');
  const leaf = createHash('sha256')
    .update(Buffer.concat([Buffer.of(0), forged]))
    .digest();
  await client.query('update ledger_entry set packed = $1, leaf_hash = $2 where org_id = $3 and leaf_index = 1', [
    ...[forged.toString(), leaf, orgId],
  ]);
  await client.end();
  const tampered = join(workDir, 'tampered');
  const operator = operatorCliOf(server, { ...empty, DATABASE_BACKUP_URL: superuserUrl(empty.DATABASE_URL) });
  await operator.cli(['backup', tampered]);
  const { code, out } = await operator.cli(['restore', tampered, '--drill']);
  expect([code, out]).toEqual([1, expect.stringContaining(`${orgId}: epoch 1, `)]);
});

const manifestIn = async (where: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(where, 'manifest.json'), 'utf8')) as Manifest;

const rowsOf = ({ tables }: Manifest, name: string): number => tables.find((one) => one.name === name)?.rows ?? -1;

/** Creates a database without tables. */
async function emptyDatabase(): Promise<string> {
  const { url, template } = inject('cluster');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name} owner sightline`);
  await client.end();
  return Object.assign(new URL(template), { pathname: `/${name}` }).href;
}

async function rowsIn<Row extends pg.QueryResultRow>(databaseUrl: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: superuserUrl(databaseUrl) });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}
