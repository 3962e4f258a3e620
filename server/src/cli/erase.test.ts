import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createClient } from '@sightline/contract/core/client.ts';
import { recordEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { startTestServer, superuserUrl, type TestServer } from '#testing/server.ts';
import { sequenceAndSign } from '../domains/ledger/ledger/commands.ts';
import { createTraceFinder } from '../domains/organization/erasure/testing/dump.ts';
import { operatorCliOf } from './testing/in-process.ts';

let server: TestServer;
let operator: ReturnType<typeof operatorCliOf>;
let workDir: string;
beforeAll(async () => {
  server = await startTestServer();
  operator = operatorCliOf(server, { DATABASE_BACKUP_URL: superuserUrl(server.databaseUrl) });
  workDir = await mkdtemp(join(tmpdir(), 'sightline-erased-'));
});
afterAll(async () => {
  await server.close();
  await rm(workDir, { recursive: true, force: true });
});

/** Creates a backup and returns its files, decompressed. */
async function backUp(name: string): Promise<{ file: string; text: string }[]> {
  const folder = join(workDir, name);
  await operator.ask('backup', folder);
  return Promise.all(
    (await readdir(folder)).map(async (file) => {
      const bytes = await readFile(join(folder, file));
      return { file, text: (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1') };
    }),
  );
}

test('an operator erases a person, and a backup contains no trace of them', { tags: ['full'] }, async () => {
  const [address, name] = ['zelda.quixote@example.org', 'Zelda Quixote'];
  const user = (email: string, called: string) =>
    operator.ask<{ user: { id: string } }>('user', 'create', '--email', email, '--name', called, '--verified');
  await user('ada@example.org', 'Ada');
  await user(address, name);
  const { organization } = await operator.ask<{ organization: { id: string } }>(
    ...['org', 'create', '--name', 'Acme', '--owner', 'ada@example.org'],
  );
  await operator.ask('member', 'add', '--org', 'acme', '--email', address, '--role', 'contributor');
  const { token } = await operator.ask<{ token: string }>('token', '--email', address, '--org', organization.id);
  const event = { plugin_id: 'editor', event_type: 'other', original_timestamp: new Date().toISOString() };
  const call = createClient({ baseUrl: `${server.url}/api`, token: () => token });
  expect(await call(recordEvents, { body: [{ ...event, message_id: newId() }] })).toMatchObject({ accepted: 1 });

  await sequenceAndSign(server.services.ledger, organization.id);

  const search = createTraceFinder({ address, name });
  const traces = (files: { file: string; text: string }[]) =>
    files.flatMap(({ file, text }) => search(text).map((found) => ({ file, ...found })));
  expect(new Set(traces(await backUp('before')).map(({ value }) => value))).toEqual(new Set(['address', 'name']));

  const erase = ['person', 'erase', address, '--org', 'acme'];
  const unsure = await operator.cli(erase);
  expect(unsure).toMatchObject({ code: 1, out: '' });
  expect(unsure.complaint).toContain('--yes');
  const done = await operator.cli([...erase, '--yes']);
  expect(done).toMatchObject({ code: 0, complaint: '' });
  expect(done.out).toContain('Deleted from Acme');
  expect(traces(await backUp('after'))).toEqual([]);

  expect(await operator.cli([...erase, '--yes'])).toMatchObject({ code: 1 });
  await sequenceAndSign(server.services.ledger, organization.id);
  expect(await operator.cli(['doctor', '--ledger'])).toMatchObject({ code: 0 });
});
