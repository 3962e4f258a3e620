import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareStoredEvents } from '../../crash/testing/evidence.ts';
import { type CrashScene, createScene } from '../../crash/testing/scene.ts';
import { startEventWriters } from '../../crash/testing/writers.ts';
import { createInstallation, type Installation } from '../testing/installation.ts';

const environment = { PUBLIC_URL: 'http://sightline.example' };
let scene: CrashScene;
let empty: Installation;
let workDir: string;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'sightline-backup-'));
  scene = await createScene(environment);
  empty = await createInstallation(environment);
}, 120_000);
afterAll(async () => {
  await Promise.all([scene?.installation.close(), empty?.close()]);
  await rm(workDir, { recursive: true, force: true });
});

test('restores a backup of the built-in PostgreSQL into an empty data directory', {
  tags: 'full',
  timeout: 240_000,
}, async () => {
  const writers = startEventWriters(scene.installation.url, await scene.token());
  await writers.reached(300);
  const promised = new Set(writers.acknowledged);
  const folder = join(workDir, 'monday');
  await scene.installation.ask('backup', folder);
  await scene.server.end('SIGTERM');
  await writers.finished;

  await mkdir(empty.dataDir, { recursive: true });
  await copyFile(join(scene.installation.dataDir, 'master.key'), join(empty.dataDir, 'master.key'));
  expect(await empty.cli(['restore', folder])).toMatchObject({ code: 0, complaint: '' });
  await empty.start();
  expect(await empty.cli(['doctor'])).toMatchObject({ code: 0 });
  const found = await compareStoredEvents(await empty.databaseUrl(), scene.orgId, promised);
  expect(found).toMatchObject({ missing: [], unproven: [], broken: [] });
});
