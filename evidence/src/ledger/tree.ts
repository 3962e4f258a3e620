import { type Bytes, concat } from './bytes.ts';
import { sha256 } from './sha256.ts';

export const hashSize = 32;

/** RFC 6962: the hash of a leaf. */
export const leafHash = (data: Bytes | string): Bytes =>
  sha256(typeof data === 'string' ? `\0${data}` : concat(leafPrefix, data));

const leafPrefix = Uint8Array.of(0);

// A reused buffer, since a tree has as many nodes as leaves.
const node = new Uint8Array(1 + 2 * hashSize).fill(1, 0, 1);

export function nodeHash(left: Bytes, right: Bytes): Bytes {
  node.set(left, 1);
  node.set(right, 1 + hashSize);
  return sha256(node);
}

/** RFC 6962: the hash of two concatenated hashes. */
export function pairHash(pair: Bytes): Bytes {
  node.set(pair, 1);
  return sha256(node);
}

/** The root of a tree without leaves. */
export const emptyRoot = (): Bytes => sha256(new Uint8Array());

/** A tree that grows leaf by leaf. It stores as many hashes as the binary form of its size has ones. */
export interface IncrementalTree {
  /** Number of leaves. */
  size: () => number;
  add: (leaf: Bytes) => void;
  root: () => Bytes;
}

/** Computes the root of a tree of any size in memory proportional to its height. */
export function createIncrementalTree(): IncrementalTree {
  let size = 0;
  // The roots of complete subtrees, largest first: one for each bit of the size.
  const roots: Bytes[] = [];
  return {
    size: () => size,
    add(leaf) {
      let hash = leaf;
      for (let remaining = size; remaining % 2 === 1; remaining = (remaining - 1) / 2)
        hash = nodeHash(roots.pop() ?? hash, hash);
      roots.push(hash);
      size += 1;
    },
    root: () => roots.reduceRight<Bytes | undefined>(joined, undefined) ?? emptyRoot(),
  };
}

const joined = (right: Bytes | undefined, left: Bytes): Bytes => (right === undefined ? left : nodeHash(left, right));

/** The root over leaf hashes in order. */
export function rootOf(leaves: Iterable<Bytes>): Bytes {
  const tree = createIncrementalTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}
