import { execFile, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { getLedger, ledgerCosignerKeysPath, updateLedgerAccess } from '@sightline/contract/ledger/ledger.ts';
import { vkey as vkeyOfAnotherLog } from '@sightline/evidence/bundle/testing/scene.ts';
import { openCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { isFullSuite } from '../../../../../scripts/full-suite.ts';
import { openMlDsaNote, readTiledLog } from './c2sp-client.fixture.ts';
import { signHead } from './checkpoints.ts';
import { rotateKey } from './epochs.ts';
import { sequenceEntries } from './sequence.ts';
import { parseTilePath } from './tlog-tiles.ts';

let server: TestServer;
let org: TestOrganization;
beforeAll(async () => {
  server = await startTestServer();
  org = await server.make.organization('Acme');
});
afterAll(() => server.close());

/** Adds entries until the log has `size`, and signs it. */
async function growTo(size: number): Promise<void> {
  const { ledger, database } = server.services;
  await sequenceEntries(ledger, org.id);
  const { size: before } = await server.as(org.owner, org.id)(getLedger, {});
  const at = new Date().toISOString();
  const entries = Array.from({ length: size - before }, (_, index) =>
    createLedgerEntry(
      {
        id: newId(),
        org: org.id,
        kind: 'test.made',
        asOf: at,
        receivedAt: at,
        person: null,
        source: 'test',
        subject: { text: 'ä'.repeat(index % 300) },
        personal: {},
      },
      undefined,
    ),
  );
  await database.withOrg(org.id, (tx) => appendEntries(tx, org.id, entries));
  await sequenceEntries(ledger, org.id);
  await signHead(ledger, org.id);
}

const prefixOf = (origin: string) => `${server.url}${origin.slice(origin.indexOf('/'))}`;

test('a client of the C2SP specifications reads and verifies a log of any size with an access key', async () => {
  const call = server.as(org.owner, org.id);
  const { key } = await call(createAccessKey, { body: { name: 'Monitor', use: 'ledger' } });
  const headers = { authorization: `Bearer ${key}` };
  for (const size of [200, 256, 257, 700]) {
    await growTo(size);
    const { origin, keys } = await call(getLedger, {});
    const log = await readTiledLog(prefixOf(origin), keys.at(-1) ?? '', headers);
    expect([log.origin, log.size, log.entries.length]).toEqual([origin, size, size]);
  }
});

test('the log signs its published checkpoint with ML-DSA-44 too, also after its key was replaced', async () => {
  const call = server.as(org.owner, org.id);
  const { key } = await call(createAccessKey, { body: { name: 'Quantum', use: 'ledger' } });
  await growTo(701);
  const { origin, keys } = await call(getLedger, {});
  const read = async () =>
    (await fetch(`${prefixOf(origin)}/checkpoint`, { headers: { authorization: `Bearer ${key}` } })).text();
  const keysNow = async () =>
    (await (await fetch(`${server.url}${ledgerCosignerKeysPath(org.id)}`)).text()).trim().split('\n');
  const [first = ''] = await keysNow();
  expect(first.startsWith(`${origin}+`)).toBe(true);
  const note = await read();
  expect(note.split('\n').filter((line) => line.startsWith('— '))).toHaveLength(2);
  const signedAt = openMlDsaNote(note, first);
  expect(Math.abs(signedAt * 1000 - Date.now())).toBeLessThan(3_600_000);
  // The same checkpoint has the same signature, and the product verifies both.
  expect(await read()).toBe(note);
  const verifiers = [keys.at(-1) ?? '', first].map(parseVerifier);
  expect(openCheckpoint(note, origin, verifiers).signed.map(({ by }) => by.algorithm)).toEqual([
    'ed25519',
    'ml-dsa-44-cosignature',
  ]);
  for (const [from, to] of [
    ['\n701\n', '\n702\n'],
    [origin, origin.replace('/org/', '/orh/')],
  ] as const) {
    expect(() => openMlDsaNote(note.replace(from, to), first)).toThrow();
  }
  await rotateKey(server.services, { operator: 'root', requestId: 'r' }, org.id);
  await growTo(710);
  const [, second = ''] = await keysNow();
  expect(() => openMlDsaNote('', second)).toThrow('No ML-DSA-44 signature');
  const next = await read();
  openMlDsaNote(next, second);
  expect(() => openMlDsaNote(next, first)).toThrow('No ML-DSA-44 signature');
});

const sumdbReader = fileURLToPath(new URL('sumdb-reader/main.go', import.meta.url));
const goEnvironment = {
  ...process.env,
  GO111MODULE: 'off',
  GOPATH: '/usr/share/gocode',
  GOCACHE: join(tmpdir(), 'sightline-go'),
};
/** Whether Go and its libraries are installed; Debian packages golang-go and golang-golang-x-mod-dev. */
const hasSumdb = isFullSuite && spawnSync('go', ['vet', sumdbReader], { env: goEnvironment }).status === 0;
if (isFullSuite && !hasSumdb) console.log('Go and golang.org/x/mod are missing: no Go program reads the log.');

test.skipIf(!hasSumdb)(
  'the libraries of the Go checksum database verify every tile, entry and proof of a log',
  { tags: 'full', timeout: 120_000 },
  async () => {
    const call = server.as(org.owner, org.id);
    const { key } = await call(createAccessKey, { body: { name: 'Go', use: 'ledger' } });
    await growTo(700);
    const { origin, keys } = await call(getLedger, {});
    // The server of the test answers in this process, so that the program may not block it.
    const read = async (token: string, vkey = keys.at(-1) ?? '') => {
      const args = ['run', sumdbReader, prefixOf(origin), vkey, token];
      return promisify(execFile)('go', args, { env: goEnvironment });
    };
    const { stdout } = await read(key);
    const { size } = await call(getLedger, {});
    expect(JSON.parse(stdout)).toEqual({ origin, size, entries: size, tiles: expect.any(Number) });
    await expect(read(key, vkeyOfAnotherLog)).rejects.toMatchObject({ code: 1 });
    await expect(read('sightline_wrong')).rejects.toMatchObject({ stderr: expect.stringContaining('401') });
  },
);

test('refuses readers without a valid key for the ledger, and unknown logs in the same way', async () => {
  const call = server.as(org.owner, org.id);
  const { origin } = await call(getLedger, {});
  const { key } = await call(createAccessKey, { body: { name: 'Build' } });
  const other = await server.make.organization('Other');
  const foreign = await server.as(other.owner, other.id)(createAccessKey, { body: { name: 'Theirs', use: 'ledger' } });
  const statusOf = async (url: string, token?: string) =>
    (await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })).status;
  const url = `${prefixOf(origin)}/checkpoint`;
  expect(await statusOf(url)).toBe(401);
  expect(await statusOf(url, key)).toBe(401);
  expect(await statusOf(url, foreign.key)).toBe(401);
  expect(await statusOf(`${server.url}/org/${newId()}/1/checkpoint`)).toBe(401);
  expect(await statusOf(`${server.url}/org/acme/1/checkpoint`)).toBe(401);
});

test('an owner makes the log public and private again', async () => {
  const call = server.as(org.owner, org.id);
  const { origin, keys, isPublic } = await call(getLedger, {});
  expect(isPublic).toBe(false);
  await call(updateLedgerAccess, { body: { isPublic: true } });
  expect((await call(getLedger, {})).isPublic).toBe(true);
  await readTiledLog(prefixOf(origin), keys.at(-1) ?? '');
  const tile = await fetch(`${prefixOf(origin)}/tile/0/000`);
  expect(tile.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await fetch(`${prefixOf(origin)}/checkpoint`)).headers.get('cache-control')).toBe('no-cache');
  for (const path of ['tile/0/999', 'tile/0/000.p/256', 'tile/0/x000/001', 'tile/00/000', 'tile/64/000', 'tile/0/0']) {
    expect([path, (await fetch(`${prefixOf(origin)}/${path}`)).status]).toEqual([path, 404]);
  }
  expect((await fetch(`${prefixOf(origin).replace(/1$/, '2')}/checkpoint`)).status).toBe(404);
  await call(updateLedgerAccess, { body: { isPublic: false } });
  expect((await fetch(`${prefixOf(origin)}/checkpoint`)).status).toBe(401);
});

test('serves no tile beyond the last checkpoint', async () => {
  const call = server.as(org.owner, org.id);
  const { key } = await call(createAccessKey, { body: { name: 'Unsigned', use: 'ledger' } });
  await sequenceEntries(server.services.ledger, org.id);
  const { origin, size, checkpoint } = await call(getLedger, {});
  expect(size).toBeGreaterThan(checkpoint?.size ?? 0);
  const statusOf = async (width: number) =>
    (
      await fetch(`${prefixOf(origin)}/tile/entries/${String(Math.floor(size / 256)).padStart(3, '0')}.p/${width}`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).status;
  expect(await statusOf((checkpoint?.size ?? 0) % 256)).toBe(200);
  expect(await statusOf(size % 256)).toBe(404);
});

test.each([
  ['0/000', { level: 0, n: 0, width: 256 }],
  ['1/x001/x234/067.p/17', { level: 1, n: 1_234_067, width: 17 }],
  ['entries/012', { level: null, n: 12, width: 256 }],
  ['0/x000/012', undefined],
  ['0/012.p/0', undefined],
  ['01/012', undefined],
])('parses the tile path %s', (path, tile) => {
  expect(parseTilePath(path)).toEqual(tile);
});
