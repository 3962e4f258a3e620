import { expect, test } from 'vitest';
import { type Bytes, toBase64 } from './bytes.ts';
import { signCheckpoint } from './checkpoint.ts';
import { cosign, cosignerOf, withSignatures } from './cosignature.ts';
import { openNote, parseVerifier, publicKeyOf, signerOf, verifierOf, verifierText } from './note.ts';
import { consistencyProof } from './proofs.ts';
import { appendLeaves, rootAt, tileKey } from './tiles.ts';
import { emptyRoot, leafHash } from './tree.ts';
import {
  addCheckpointRequestText,
  checkAddCheckpointRequest,
  parseAddCheckpointRequest,
  type WatchedLog,
} from './witness.ts';

const origin = 'log.example/org/1';
const secret = new Uint8Array(32).fill(7);
const key = verifierOf(origin, publicKeyOf(secret));

/** A log with the given number of leaves. Another `salt` yields another log. */
function logOf(count: number, salt = '') {
  const tiles = appendLeaves(
    0,
    new Map(),
    Array.from({ length: count }, (_, n) => leafHash(`${salt}${n}`)),
  );
  const read = async (tile: { level: number; n: number }) => tiles.get(tileKey(tile))?.hashes;
  return {
    root: (size: number) => rootAt(read, size),
    note: async (size: number, by: Bytes = secret) =>
      signCheckpoint({ size, root: await rootAt(read, size) }, signerOf(origin, by)),
    proof: (from: number, to: number) => consistencyProof(read, from, to),
  };
}

const log = logOf(1000);
const fork = logOf(1000, 'other ');
const seen = async (size: number): Promise<WatchedLog> => ({
  verifiers: [key],
  latest: size === 0 ? undefined : { size, root: await log.root(size) },
});

async function evaluate(known: number, addition: { oldSize: number; size: number; from?: typeof log; by?: Bytes }) {
  const { oldSize, size, from = log, by } = addition;
  const text = addCheckpointRequestText({
    oldSize,
    proof: oldSize <= size ? await from.proof(oldSize, size) : [],
    note: await from.note(size, by),
  });
  const watched = await seen(known);
  return checkAddCheckpointRequest(text, (named) => (named === origin ? watched : undefined));
}

test('cosigns a log that only grew', async () => {
  expect(await evaluate(0, { oldSize: 0, size: 300 })).toMatchObject({ status: 200, origin, head: { size: 300 } });
  expect(await evaluate(300, { oldSize: 300, size: 300 })).toMatchObject({ status: 200 });
  for (const size of [301, 511, 512, 513, 999]) {
    expect(await evaluate(300, { oldSize: 300, size })).toMatchObject({ status: 200, head: { size } });
  }
});

test('requires the last cosigned size and names it in the response', async () => {
  expect(await evaluate(300, { oldSize: 0, size: 400 })).toMatchObject({ status: 409, size: 300 });
  expect(await evaluate(300, { oldSize: 299, size: 400 })).toMatchObject({ status: 409, size: 300 });
  expect(await evaluate(300, { oldSize: 350, size: 400 })).toMatchObject({ status: 409, size: 300 });
  expect(await evaluate(0, { oldSize: 1, size: 400 })).toMatchObject({ status: 409, size: 0 });
});

test('rejects a fork in every form', async () => {
  expect(await evaluate(300, { oldSize: 300, size: 400, from: fork })).toMatchObject({ status: 422 });
  expect(await evaluate(300, { oldSize: 300, size: 300, from: fork })).toMatchObject({ status: 409, size: 300 });
  expect(await evaluate(300, { oldSize: 300, size: 200 })).toMatchObject({ status: 400 });
  expect(await evaluate(300, { oldSize: 200, size: 200 })).toMatchObject({ status: 409, size: 300 });
});

test('requires a complete proof, and an empty one without growth', async () => {
  const note = await log.note(400);
  const proof = await log.proof(300, 400);
  const watched = await seen(300);
  const status = (hashes: readonly Uint8Array[], oldSize = 300, known: WatchedLog = watched) =>
    checkAddCheckpointRequest(addCheckpointRequestText({ oldSize, proof: hashes, note }), () => known).status;
  expect(status(proof)).toBe(200);
  expect(status(proof.slice(1))).toBe(422);
  expect(status([...proof, emptyRoot()])).toBe(422);
  expect(status(proof.map((hash, at) => (at === 0 ? hash.map((byte) => byte ^ 1) : hash)))).toBe(422);
  expect(status([emptyRoot()], 0, { verifiers: [key], latest: undefined })).toBe(422);
  expect(status([emptyRoot()], 400, { verifiers: [key], latest: { size: 400, root: await log.root(400) } })).toBe(422);
});

test('rejects an unknown log and signatures by other keys', async () => {
  const text = addCheckpointRequestText({ oldSize: 0, proof: [], note: await log.note(10) });
  expect(checkAddCheckpointRequest(text, () => undefined).status).toBe(404);
  expect(await evaluate(0, { oldSize: 0, size: 10, by: new Uint8Array(32).fill(9) })).toMatchObject({ status: 403 });
  expect(
    checkAddCheckpointRequest(text.replace('\n10\n', '\n11\n'), () => ({ verifiers: [key], latest: undefined })).status,
  ).toBe(403);
});

test('accepts one root for an empty log', async () => {
  const signed = (root: Uint8Array) => signCheckpoint({ size: 0, root }, signerOf(origin, secret));
  const status = (root: Uint8Array) =>
    checkAddCheckpointRequest(addCheckpointRequestText({ oldSize: 0, proof: [], note: signed(root) }), () => ({
      verifiers: [key],
      latest: undefined,
    })).status;
  expect(status(emptyRoot())).toBe(200);
  expect(status(leafHash('x'))).toBe(409);
});

test('rejects an invalid request', async () => {
  const note = await log.note(10);
  const hash = toBase64(emptyRoot());
  for (const text of [
    '',
    note,
    `old\n\n${note}`,
    `old 01\n\n${note}`,
    `old -1\n\n${note}`,
    `old 1e3\n\n${note}`,
    `old 99999999999999999999\n\n${note}`,
    `old 0\nAAAA\n\n${note}`,
    `old 0\n${`${hash}\n`.repeat(64)}\n${note}`,
    `old 0\n\nnothing`,
    `old 0\n\n${note.replace('\n10\n', '\n010\n')}`,
  ]) {
    expect([text, checkAddCheckpointRequest(text, () => ({ verifiers: [key], latest: undefined })).status]).toEqual([
      text,
      400,
    ]);
  }
  expect(parseAddCheckpointRequest(`old 0\n${`${hash}\n`.repeat(63)}\n${note}`).proof).toHaveLength(63);
});

test.each(['ed25519-cosignature', 'ml-dsa-44-cosignature'] as const)(
  'appends a cosignature with its time after the signature of the log: %s',
  async (algorithm) => {
    const note = await log.note(10);
    const cosigner = cosignerOf('witness.example', algorithm, new Uint8Array(32).fill(3));
    const { verifier } = cosigner;
    const line = cosign(note, cosigner, 1_790_000_000);
    const both = withSignatures(note, [line, line]);
    expect(withSignatures(both, [line])).toBe(both);
    expect(openNote(both, [key, verifier]).signed.map(({ by, at }) => [by.name, at])).toEqual([
      [origin, undefined],
      ['witness.example', 1_790_000_000],
    ]);
    for (const [field, other] of [
      ['\n10\n', '\n11\n'],
      [`${origin}\n`, `${origin}/2\n`],
    ] as const) {
      expect(() => openNote(both.replace(field, other), [verifier]), field).toThrow('is invalid');
    }
    expect(parseVerifier(verifierText(verifier))).toEqual(verifier);
  },
);
