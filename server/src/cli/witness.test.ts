import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { openNote, publicKeyOf, signerOf, verifierOf, verifierText } from '@sightline/evidence/ledger/note.ts';
import { consistencyProof } from '@sightline/evidence/ledger/proofs.ts';
import { appendLeaves, rootAt, tileKey } from '@sightline/evidence/ledger/tiles.ts';
import { leafHash } from '@sightline/evidence/ledger/tree.ts';
import { addCheckpointRequestText } from '@sightline/evidence/ledger/witness.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningWitness, serveWitness } from './witness/serve.ts';
import { openWitnessKeys, readLogKeys } from './witness/store.ts';

const origin = 'log.example/org/1';
const secret = new Uint8Array(32).fill(7);
const log = verifierOf(origin, publicKeyOf(secret));

let folder: string;
let running: RunningWitness | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-witness-'));
  await writeFile(join(folder, 'logs'), `# ours\n${verifierText(log)}\n`);
});
afterEach(async () => {
  await running?.stop();
  await rm(folder, { recursive: true });
});

async function start(name?: string): Promise<void> {
  await running?.stop();
  const keys = await openWitnessKeys(join(folder, 'own'), name);
  const logs = await readLogKeys(join(folder, 'logs'));
  running = await serveWitness({ folder: join(folder, 'own'), keys, logs, log: () => undefined }, '127.0.0.1', 0);
}

async function ask(body: string) {
  const answer = await fetch(`http://127.0.0.1:${running?.port}/add-checkpoint`, { method: 'POST', body });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

function made(salt = '') {
  const tiles = appendLeaves(
    0,
    new Map(),
    Array.from({ length: 300 }, (_, n) => leafHash(`${salt}${n}`)),
  );
  const read = async (tile: { level: number; n: number }) => tiles.get(tileKey(tile))?.hashes;
  const signedNote = async (size: number) =>
    signCheckpoint({ size, root: await rootAt(read, size) }, signerOf(origin, secret));
  return async (oldSize: number, size: number) =>
    addCheckpointRequestText({
      oldSize,
      proof: await consistencyProof(read, oldSize, size),
      note: await signedNote(size),
    });
}
const ours = made();
const fork = made('other ');

test('cosigns a growing log and preserves its state across a restart', async () => {
  await start('witness.example/one');
  const first = await ours(0, 100);
  const answer = await ask(first);
  expect(answer.status).toBe(200);
  const verifiers = (await openWitnessKeys(join(folder, 'own'), undefined)).map(({ verifier }) => verifier);
  expect(verifiers.map(({ algorithm }) => algorithm)).toEqual(['ed25519-cosignature', 'ml-dsa-44-cosignature']);
  const { signed } = openNote(`${first.slice(first.indexOf('\n\n') + 2)}${answer.text}`, verifiers);
  expect(signed.map(({ by }) => by)).toEqual(verifiers);
  for (const { at } of signed) expect(at).toBeGreaterThan(1_700_000_000);

  await start();
  expect(await ask(await fork(100, 200))).toMatchObject({ status: 422 });
  expect(await ask(await ours(0, 200))).toEqual({ status: 409, type: 'text/x.tlog.size', text: '100\n' });
  expect(await ask(await ours(100, 200))).toMatchObject({ status: 200 });
  expect(await ask(await fork(200, 200))).toEqual({ status: 409, type: 'text/x.tlog.size', text: '200\n' });
});

test('cosigns only one of several concurrent requests from the same size', async () => {
  await start('witness.example/one');
  const answers = await Promise.all([ask(await ours(0, 10)), ask(await ours(0, 20)), ask(await ours(0, 30))]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test('rejects unknown logs and malformed requests', async () => {
  await start('witness.example/one');
  const request = await ours(0, 10);
  expect(await ask(request.replaceAll(origin, 'other.example/org/1'))).toMatchObject({ status: 404 });
  expect(await ask(request.replace('\n10\n', '\n11\n'))).toMatchObject({ status: 403 });
  expect(await ask('nonsense')).toMatchObject({ status: 400 });
  expect(await ask('x'.repeat(100_000))).toMatchObject({ status: 400 });
  expect((await fetch(`http://127.0.0.1:${running?.port}/add-checkpoint`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${running?.port}/`)).status).toBe(404);
});

test('refuses to continue after losing its stored state', async () => {
  await start('witness.example/one');
  expect(await ask(await ours(0, 10))).toMatchObject({ status: 200 });
  await writeFile(join(folder, 'own', 'latest.json'), '{"log.example');
  expect(await ask(await ours(10, 20))).toMatchObject({ status: 500 });
});

test('creates its keys once, under one name', async () => {
  await expect(openWitnessKeys(join(folder, 'own'), undefined)).rejects.toThrow('--name');
  const created = await openWitnessKeys(join(folder, 'own'), 'witness.example/one');
  expect(await openWitnessKeys(join(folder, 'own'), undefined)).toEqual(created);
  await expect(openWitnessKeys(join(folder, 'own'), 'witness.example/two')).rejects.toThrow('belong to');
  expect((await readFile(join(folder, 'own', 'keys'), 'utf8')).startsWith('witness.example/one ')).toBe(true);
});
