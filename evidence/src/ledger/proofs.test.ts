import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../scripts/properties.ts';
import { equalBytes, fromHex, toHex, utf8 } from './bytes.ts';
import { consistencyProof, inclusionProof, isConsistent, isIncluded } from './proofs.ts';
import { logInMemory } from './testing/log.ts';
import { auditPath, consistency, treeHead } from './testing/oracle.ts';
import { rootAt, tilePath } from './tiles.ts';
import { createIncrementalTree, leafHash, rootOf } from './tree.ts';

// The test inputs and roots of Certificate Transparency.
const reference = {
  inputs: ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'],
  roots: [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ],
};

test('computes the roots of Certificate Transparency for one to eight leaves', async () => {
  const inputs = reference.inputs.map(fromHex);
  for (const [index, root] of reference.roots.entries()) {
    const leaves = inputs.slice(0, index + 1);
    const log = logInMemory();
    log.append(leaves);
    expect(toHex(rootOf(leaves.map(leafHash)))).toBe(root);
    expect(toHex(await rootAt(log.read, leaves.length))).toBe(root);
  }
  expect(toHex(await rootAt(logInMemory().read, 0))).toBe(toHex(treeHead([])));
});

const entries = Array.from({ length: 1100 }, (_, index) => utf8(`entry ${index}`));

/** Verifies the proof with an independent implementation. */
function evaluate(
  body: Uint8Array,
  { index, size, hashes, root }: { index: number; size: number; hashes: Uint8Array[]; root: Uint8Array },
): boolean {
  const buffers = hashes.map((hash) => Buffer.from(hash));
  const entry = {
    canonicalizedBody: Buffer.from(body),
    inclusionProof: { logIndex: String(index), treeSize: String(size), rootHash: Buffer.from(root), hashes: buffers },
  } as unknown as Parameters<typeof verifyMerkleInclusion>[0];
  try {
    verifyMerkleInclusion(entry, { origin: '', logSize: BigInt(size), logHash: Buffer.from(root), rest: [] });
    return true;
  } catch {
    return false;
  }
}

test('computes proofs of the RFC from tiles, accepted by an independent verifier', {
  timeout: 120_000,
}, async () => {
  const size = fc.oneof(
    { weight: 60, arbitrary: fc.nat(24) },
    { weight: 1, arbitrary: fc.integer({ min: 25, max: 1100 }) },
  );
  await fc.assert(
    fc.asyncProperty(size, fc.nat(), fc.nat(), fc.nat(), async (some, one, other, cut) => {
      const n = Math.max(1, some);
      const [index, from, step] = [one % n, other % (n + 1), (cut % n) + 1];
      const log = logInMemory();
      for (let at = 0; at < n; at += step) log.append(entries.slice(at, Math.min(at + step, n)));
      const prefix = entries.slice(0, n);
      const root = await rootAt(log.read, n);
      expect(toHex(root)).toBe(toHex(treeHead(prefix)));

      const path = await inclusionProof(log.read, index, n);
      expect(path.map(toHex)).toEqual(auditPath(index, prefix).map(toHex));
      const body = prefix[index] ?? new Uint8Array();
      expect(isIncluded(leafHash(body), { index, size: n, proof: path, root })).toBe(true);
      expect(evaluate(body, { index, size: n, hashes: path, root })).toBe(true);

      const older = { size: from, root: await rootAt(log.read, from) };
      const proof = await consistencyProof(log.read, from, n);
      expect(proof.map(toHex)).toEqual((from === 0 ? [] : consistency(from, prefix)).map(toHex));
      expect(isConsistent(older, { size: n, root }, proof)).toBe(true);
    }),
    { numRuns: propertyRuns(1000) },
  );
});

test('rejects a proof for another leaf, index, size or root like the independent verifier', async () => {
  const log = logInMemory();
  log.append(entries.slice(0, 300));
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 300 }),
      fc.nat(),
      fc.nat(299),
      fc.integer({ min: 1, max: 310 }),
      fc.nat(),
      async (n, one, claimedIndex, size, bit) => {
        const index = one % n;
        const body = entries[index] ?? new Uint8Array();
        const path = await inclusionProof(log.read, index, n);
        const root = await rootAt(log.read, n);
        const ours = isIncluded(leafHash(body), { index: claimedIndex, size, proof: path, root });
        expect(ours).toBe(evaluate(body, { index: claimedIndex, size, hashes: path, root }));
        if (claimedIndex === index && size === n) expect(ours).toBe(true);
        const at = bit % Math.max(1, path.length);
        const bent = path.map((hash, which) =>
          hash.map((byte, i) => (which === at && i === bit % 32 ? byte ^ 1 : byte)),
        );
        if (path.length > 0) expect(isIncluded(leafHash(body), { index, size: n, proof: bent, root })).toBe(false);
        expect(isIncluded(leafHash(body), { index, size: n, proof: [...path, root], root })).toBe(false);
        expect(isIncluded(leafHash(body), { index, size: n, proof: path.slice(1), root })).toBe(path.length === 0);
        expect(isIncluded(leafHash('another'), { index, size: n, proof: path, root })).toBe(false);
      },
    ),
  );
});

test('finds no consistency proof for a log that changed', async () => {
  const original = logInMemory();
  original.append(entries.slice(0, 100));
  const forged = logInMemory();
  forged.append(entries.slice(0, 100).map((entry, index) => (index === 17 ? utf8('forged') : entry)));
  forged.append(entries.slice(100, 150));
  const from = { size: 100, root: await rootAt(original.read, 100) };
  const to = { size: 150, root: await rootAt(forged.read, 150) };
  const proof = await consistencyProof(forged.read, 100, 150);
  expect(isConsistent(from, to, proof)).toBe(false);
  expect(isConsistent({ size: 100, root: await rootAt(forged.read, 100) }, to, proof)).toBe(true);
  expect(isConsistent(to, from, proof)).toBe(false);
  expect(isConsistent(from, from, [])).toBe(true);
  expect(isConsistent(from, to, [])).toBe(false);
});

test('proves the first and last leaf of a log with several levels of tiles', async () => {
  const log = logInMemory();
  const many = Array.from({ length: 66_000 }, (_, index) => String(index));
  for (let at = 0; at < many.length; at += 1000) log.append(many.slice(at, at + 1000));
  const tree = createIncrementalTree();
  for (const entry of many) tree.add(leafHash(entry));
  const root = await rootAt(log.read, many.length);
  expect(equalBytes(root, tree.root())).toBe(true);
  for (const index of [0, 255, 256, 65_535, 65_536, 65_999]) {
    const path = await inclusionProof(log.read, index, many.length);
    expect(isIncluded(leafHash(String(index)), { index, size: many.length, proof: path, root })).toBe(true);
  }
  await expect(inclusionProof(log.read, 66_000, 66_000)).rejects.toThrow();
  await expect(inclusionProof(log.read, 5, 70_000)).rejects.toThrow();
});

test('names tiles according to C2SP', () => {
  expect(tilePath({ level: 0, n: 0 })).toBe('tile/0/000');
  expect(tilePath({ level: 1, n: 273 }, 12)).toBe('tile/1/273.p/12');
  expect(tilePath({ level: 0, n: 1_234_067 })).toBe('tile/0/x001/x234/067');
});
