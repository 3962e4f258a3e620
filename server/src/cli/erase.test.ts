import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createClient } from '@sightline/contract/client.ts';
import { recordEvents } from '@sightline/contract/events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { searchFor } from '../features/erasure/testing/dump.ts';
import { createInstallation, type Installation } from './testing/installation.ts';

let installation: Installation;
let place: string;
beforeAll(async () => {
  installation = await createInstallation();
  place = await mkdtemp(join(tmpdir(), 'sightline-erased-'));
});
afterAll(async () => {
  await installation.close();
  await rm(place, { recursive: true, force: true });
});

/** Whatever a backup holds, each file as PostgreSQL wrote it. */
async function backUp(name: string): Promise<{ file: string; text: string }[]> {
  const folder = join(place, name);
  await installation.ask('backup', folder);
  return Promise.all(
    (await readdir(folder)).map(async (file) => {
      const bytes = await readFile(join(folder, file));
      return { file, text: (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1') };
    }),
  );
}

test('an operator erases a person, and a backup holds no trace of them', { timeout: 240_000 }, async () => {
  const [address, name] = ['zelda.quixote@example.org', 'Zelda Quixote'];
  const user = (email: string, called: string) =>
    installation.ask<{ user: { id: string } }>('user', 'create', '--email', email, '--name', called, '--verified');
  await user('ada@example.org', 'Ada');
  await user(address, name);
  const { organization } = await installation.ask<{ organization: { id: string } }>(
    ...['org', 'create', '--name', 'Acme', '--owner', 'ada@example.org'],
  );
  await installation.ask('member', 'add', '--org', 'acme', '--email', address, '--role', 'contributor');
  const server = await installation.start();
  const { token } = await installation.ask<{ token: string }>('token', '--email', address, '--org', organization.id);
  const event = { plugin_id: 'editor', event_type: 'other', original_timestamp: new Date().toISOString() };
  const call = createClient({ baseUrl: `${installation.url}/api`, token: () => token });
  expect(await call(recordEvents, { body: [{ ...event, message_id: newId() }] })).toMatchObject({ accepted: 1 });

  const search = searchFor({ address, name });
  const traces = (files: { file: string; text: string }[]) =>
    files.flatMap(({ file, text }) => search(text).map((found) => ({ file, ...found })));
  expect(new Set(traces(await backUp('before')).map(({ value }) => value))).toEqual(new Set(['address', 'name']));

  const erase = ['person', 'erase', address, '--org', 'acme'];
  const unsure = await installation.cli(erase);
  expect(unsure).toMatchObject({ code: 1, out: '' });
  expect(unsure.complaint).toContain('--yes');
  const done = await installation.cli([...erase, '--yes']);
  expect(done).toMatchObject({ code: 0, complaint: '' });
  expect(done.out).toContain('Erased from Acme');
  expect(traces(await backUp('after'))).toEqual([]);

  expect(await installation.cli([...erase, '--yes'])).toMatchObject({ code: 1 });
  expect(await installation.cli(['doctor', '--ledger'])).toMatchObject({ code: 0 });
  await server.end('SIGTERM');
});
