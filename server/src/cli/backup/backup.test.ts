import { randomBytes } from 'node:crypto';
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@sightline/contract/client.ts';
import { getEvent } from '@sightline/contract/events.ts';
import { createOutgoingWebhook, testOutgoingWebhook } from '@sightline/contract/outgoing-webhooks.ts';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { examine } from '../../crash/testing/evidence.ts';
import { createScene, type Scene } from '../../crash/testing/scene.ts';
import { startWriters } from '../../crash/testing/writers.ts';
import { type Receiver, startReceiver } from '../../features/outgoing-webhooks/testing/receiver.ts';
import { createInstallation, type Installation } from '../testing/installation.ts';
import type { Manifest } from './manifest.ts';

interface Made {
  backup: { folder: string; rows: number; tables: number };
}

let receiver: Receiver;
let environment: Record<string, string>;
let scene: Scene;
let empty: Installation;
let place: string;
let folder: string;
let secret: string;
let webhookId: string;
/** Good at every installation of this address, once it has the keys. */
let token: string;
let promised: Set<string>;
let sent: Set<string>;

beforeAll(async () => {
  receiver = await startReceiver();
  place = await mkdtemp(join(tmpdir(), 'sightline-backup-'));
  folder = join(place, 'monday');
  environment = { PUBLIC_URL: 'http://sightline.example', OUTBOUND_ALLOW: receiver.url };
  scene = await createScene(environment);
  empty = await createInstallation(environment);
  const made = await scene.call(createOutgoingWebhook, { body: { url: `${receiver.url}/told` } });
  secret = made.secret;
  webhookId = made.webhook.id;
  token = await scene.token();
}, 300_000);
afterAll(async () => {
  await Promise.all([scene?.installation.close(), empty?.close(), receiver?.close()]);
  await rm(place, { recursive: true, force: true });
});

test('a backup under load holds everything that was acknowledged before it began', { timeout: 180_000 }, async () => {
  const writers = startWriters(scene.installation.url, token, 3);
  await writers.reached(300);
  promised = new Set(writers.acknowledged);
  const { backup } = await scene.installation.ask<Made>('backup', folder);
  const during = writers.acknowledged.size - promised.size;
  await writers.reached(writers.acknowledged.size + 50);
  await scene.server.end('SIGTERM');
  await writers.finished;
  ({ sent } = writers);
  expect(during).toBeGreaterThan(0);
  const manifest = await manifestIn(folder);
  expect(backup).toMatchObject({ folder, tables: manifest.tables.length });
  expect(rowsOf(manifest, 'public.event')).toBeGreaterThanOrEqual(promised.size);
  expect(rowsOf(manifest, 'public.event')).toBeLessThan(sent.size);
  expect((await stat(folder)).mode & 0o077).toBe(0);
  expect((await stat(join(folder, 'public.account.copy.gz'))).mode & 0o077).toBe(0);
});

test('a restore without the right key, or of a changed file, is refused before anything is written', {
  timeout: 120_000,
}, async () => {
  const without = await empty.cli(['restore', folder]);
  expect(without).toMatchObject({ code: 1, out: '' });
  expect(without.complaint).toContain('needs the master key');
  const wrong = await empty.cli(['restore', folder], { MASTER_KEY: randomBytes(32).toString('base64') });
  expect(wrong.complaint).toContain('MASTER_KEY is not the master key this backup was made with');
  await expect(stat(join(empty.dataDir, 'postgres.password'))).rejects.toThrow();

  await mkdir(empty.dataDir, { recursive: true });
  await copyFile(join(scene.installation.dataDir, 'master.key'), join(empty.dataDir, 'master.key'));
  const file = join(folder, 'public.organization.copy.gz');
  const kept = join(place, 'kept');
  await copyFile(file, kept);
  await appendFile(file, 'x');
  expect((await empty.cli(['restore', folder])).complaint).toContain('is not what the backup wrote');
  await copyFile(kept, file);
  expect((await empty.cli(['restore', place])).complaint).toContain('holds no whole backup');
  expect((await empty.cli(['backup', folder])).complaint).toContain('There is no installation');
});

test('it restores into an empty machine: the counts, the record, and secrets that can be read', {
  timeout: 180_000,
}, async () => {
  const manifest = await manifestIn(folder);
  const { restored } = await empty.ask<{ restored: { rows: number; entries: number } }>('restore', folder);
  expect(restored.rows).toBe(manifest.tables.reduce((sum, { rows }) => sum + rows, 0));
  expect(restored.entries).toBeGreaterThan(0);

  await empty.start();
  expect(await empty.cli(['doctor'])).toMatchObject({ code: 0 });
  const found = await examine(await empty.databaseUrl(), scene.orgId, promised);
  expect(found).toEqual({ missing: [], unproven: [], broken: [], events: rowsOf(manifest, 'public.event') });
  const ids = await eventIds(await empty.databaseUrl());
  expect(ids.filter((id) => !sent.has(id))).toEqual([]);

  const call = createClient({ baseUrl: `${empty.url}/api`, token: () => token });
  const [first = ''] = promised;
  expect(await call(getEvent, { params: { eventId: first } })).toMatchObject({ uuid: first });
  await call(testOutgoingWebhook, { params: { webhookId } });
  const told = await vi.waitFor(
    () => {
      const [one] = receiver.at('/told');
      if (!one) throw new Error('nothing came yet');
      return one;
    },
    { timeout: 30_000 },
  );
  expect(() => new Webhook(secret).verify(told.body, told.headers as Record<string, string>)).not.toThrow();

  const again = await empty.cli(['restore', folder]);
  expect(again).toMatchObject({ code: 1, complaint: expect.stringContaining('Stop it first') });
});

test('it restores into a PostgreSQL of your own, and refuses one that is used', { timeout: 180_000 }, async () => {
  const { url, template } = inject('cluster');
  const database = `backup_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${database} owner sightline`);
  const on = (login: string) => Object.assign(new URL(login), { pathname: `/${database}` }).href;
  const own = { DATABASE_URL: on(template), DATA_DIR: join(place, 'own') };
  try {
    await mkdir(own.DATA_DIR);
    await copyFile(join(scene.installation.dataDir, 'master.key'), join(own.DATA_DIR, 'master.key'));
    expect(await empty.cli(['restore', folder], own)).toMatchObject({ code: 0, complaint: '' });
    const again = await empty.cli(['restore', folder], own);
    expect(again.complaint).toContain('has accounts or organizations already');

    const held = await empty.cli(['backup', join(place, 'held')], own);
    expect(held.complaint).toContain('Set DATABASE_BACKUP_URL');
    await expect(stat(join(place, 'held.partial'))).rejects.toThrow();
    const elsewhere = { ...own, MASTER_KEY: randomBytes(32).toString('base64') };
    const keyed = await empty.cli(['backup', join(place, 'keyed'), '--with-key'], elsewhere);
    expect(keyed.complaint).toContain('Leave --with-key out');
    const copy = join(place, 'copy');
    const reader = { ...own, DATABASE_BACKUP_URL: on(url) };
    expect(await empty.cli(['backup', copy, '--with-key'], reader)).toMatchObject({ code: 0, complaint: '' });
    expect(await readFile(join(copy, 'master.key'), 'utf8')).toBe(
      await readFile(join(scene.installation.dataDir, 'master.key'), 'utf8'),
    );
    const [before, after] = [await manifestIn(folder), await manifestIn(copy)];
    expect(after.tables.map(({ name, rows, columns }) => ({ name, rows, columns }))).toEqual(
      before.tables.map(({ name, rows, columns }) => ({ name, rows, columns })),
    );
  } finally {
    await client.query(`drop database ${database} with (force)`);
    await client.end();
  }
});

const manifestIn = async (where: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(where, 'manifest.json'), 'utf8')) as Manifest;

const rowsOf = ({ tables }: Manifest, name: string): number => tables.find((one) => one.name === name)?.rows ?? -1;

async function eventIds(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('select id from event');
  await client.end();
  return rows.map(({ id }) => id);
}
