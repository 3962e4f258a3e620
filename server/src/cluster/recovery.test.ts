import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInstallation } from '../cli/testing/installation.ts';
import { compareStoredEvents } from '../crash/testing/evidence.ts';
import { startEventWriters } from '../crash/testing/writers.ts';
import { createClusterDatabase } from './testing/cluster.ts';
import { runPostgres, startPostgres } from './testing/programs.ts';
import { setUpOrganization } from './testing/set-up.ts';

const undo: (() => Promise<unknown>)[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-recovery-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
});
afterAll(async () => {
  for (const task of undo.reverse()) await task();
});

/** Creates a folder that PostgreSQL can write to. */
async function folderOfPostgres(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { mode: 0o700 });
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', path]);
  return path;
}

// Uses the statements of docs/operations/backup.md with folders of the test.
test('recovers to a point in time from a base backup made under load and the archived log', async () => {
  const [home, archive] = [await folderOfPostgres('first'), await folderOfPostgres('archive')];
  const postgres = await startPostgres(home, ['archive_mode=on', `archive_command=cp %p ${archive}/%f`]);
  const databases = await createClusterDatabase(postgres.superuser);
  // Tokens of the first installation are valid at the second.
  const environment = { MASTER_KEY: randomBytes(32).toString('base64'), PUBLIC_URL: 'http://sightline.example' };
  const first = await createInstallation({ ...environment, DATABASE_URL: databases.owner });
  undo.push(first.close);
  const server = await first.start();
  const { orgId, token } = await setUpOrganization(first);
  const writers = startEventWriters(first.url, token, 3);
  await writers.reached(60);
  const base = await folderOfPostgres('recovered');
  runPostgres('pg_basebackup', ['-D', base, '-d', postgres.superuser, '--checkpoint=fast', '--wal-method=none']);
  await writers.reached(writers.acknowledged.size + 60);
  const promised = new Set(writers.acknowledged);
  const { at } = await one<{ at: string }>(postgres.superuser, 'select clock_timestamp()::text as at');
  await writers.reached(writers.acknowledged.size + 60);
  await server.end('SIGTERM');
  await writers.finished;
  await one(postgres.superuser, 'select pg_switch_wal()');
  await postgres.end();

  await appendFile(
    join(base, 'postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${at}'\nrecovery_target_action = 'promote'\n`,
  );
  await writeFile(join(base, 'recovery.signal'), '');
  const recovered = await startPostgres(base);
  undo.push(() => recovered.end());
  const DATABASE_URL = recovered.superuser
    .replace('//postgres@', '//sightline:secret@')
    .replace(/postgres$/, 'sightline');
  const superuser = recovered.superuser.replace(/postgres$/, 'sightline');
  const found = await compareStoredEvents(superuser, orgId, promised);
  expect(found).toMatchObject({ missing: [], unproven: [], broken: [] });
  expect(found.events).toBeLessThan(writers.sent.size);

  const second = await createInstallation({ ...environment, DATABASE_URL });
  undo.push(second.close);
  expect((await second.cli(['doctor', '--ledger'])).code).toBe(0);
  await second.start();
  const again = startEventWriters(second.url, token, 1);
  await again.reached(20);
});

async function one<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows[0] as Row;
}
