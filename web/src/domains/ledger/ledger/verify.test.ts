import { toBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { signCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { cosign, cosignerOf } from '@sightline/evidence/ledger/cosignature.ts';
import { entryText } from '@sightline/evidence/ledger/entry.ts';
import { publicKeyOf, signerOf, verifierOf, verifierText } from '@sightline/evidence/ledger/note.ts';
import { consistencyProof, inclusionProof } from '@sightline/evidence/ledger/proofs.ts';
import { appendLeaves, rootAt, tileKey } from '@sightline/evidence/ledger/tiles.ts';
import { tlogProofText } from '@sightline/evidence/ledger/tlog-proof.ts';
import { leafHash } from '@sightline/evidence/ledger/tree.ts';
import { expect, test } from 'vitest';
import { entryPositionOf, verifyConsistency, verifyEntry } from './verify.ts';

const origin = 'log.example/org/1/3';
const secret = new Uint8Array(32).fill(7);
const key = verifierText(verifierOf(origin, publicKeyOf(secret)));
const cosigner = cosignerOf('witness.example', 'ml-dsa-44-cosignature', new Uint8Array(32).fill(3));
const witness = verifierText(cosigner.verifier);
const at = '2026-11-22T10:00:00.000Z';
const texts = Array.from({ length: 50 }, (_, n) =>
  entryText({
    commitments: [],
    asOf: at,
    receivedAt: at,
    id: `entry ${n}`,
    kind: 'scan',
    org: 'one',
    person: null,
    source: 'test',
    subject: { n },
  }),
);
const tiles = appendLeaves(0, new Map(), texts.map(leafHash));
const read = async (place: { level: number; n: number }) => tiles.get(tileKey(place))?.hashes;
const noteAt = async (size: number) =>
  signCheckpoint({ size, root: await rootAt(read, size) }, signerOf(origin, secret));
const cosigned = async (size: number) => {
  const note = await noteAt(size);
  return `${note}${cosign(note, cosigner, 1_790_000_000)}`;
};

test('verifies an entry with text, proof and key, and names its cosigners', async () => {
  const proof = tlogProofText({ index: 7, hashes: await inclusionProof(read, 7, 50), checkpoint: await cosigned(50) });
  expect(entryPositionOf(proof)).toEqual({ index: 7, origin, size: 50, epoch: 3 });
  const verified = verifyEntry(texts[7] ?? '', proof, [key], [witness]);
  expect([verified.ok, verified.steps.length]).toEqual([true, 3]);
  expect(verified.signers).toEqual([
    { name: origin, at: undefined },
    { name: 'witness.example', at: new Date(1_790_000_000_000).toISOString() },
  ]);
  const last = ({ ok, steps }: ReturnType<typeof verifyEntry>) => [ok, steps.at(-1)?.message];
  expect(last(verifyEntry((texts[7] ?? '').replace('scan', 'scam'), proof, [key], []))).toEqual([
    false,
    'The proof does not connect the entry to the root of the log.',
  ]);
  expect(verifyEntry(texts[8] ?? '', proof, [key], []).ok).toBe(false);
  expect(verifyEntry(texts[7] ?? '', proof, [], []).ok).toBe(false);
  expect(verifyEntry(`${texts[7]} `, proof, [key], []).ok).toBe(false);
});

test('compares a stored checkpoint with the current one', async () => {
  const proof = (await consistencyProof(read, 20, 50)).map(toBase64);
  const [older, newer] = [await noteAt(20), await cosigned(50)];
  expect(verifyConsistency({ older, newer, proof, keys: [key], witnesses: [witness] })).toMatchObject({
    ok: true,
    signers: [{}, {}],
  });
  expect(verifyConsistency({ older, newer, proof: proof.slice(1), keys: [key], witnesses: [] }).ok).toBe(false);
  expect(
    verifyConsistency({ older: older.replace('\n20\n', '\n21\n'), newer, proof, keys: [key], witnesses: [] }),
  ).toMatchObject({
    ok: false,
    steps: [{ ok: false }],
  });
});
