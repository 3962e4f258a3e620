import { type Bytes, concat } from './bytes.ts';
import { sha256 } from './sha256.ts';

export const hashSize = 32;

/** RFC 6962: the hash of what a leaf holds. */
export const leafHash = (data: Bytes | string): Bytes =>
  sha256(typeof data === 'string' ? `\0${data}` : concat(leafPrefix, data));

const leafPrefix = Uint8Array.of(0);

// What a node is the hash of. A tree has as many nodes as leaves: each is written over the last one.
const node = new Uint8Array(1 + 2 * hashSize).fill(1, 0, 1);

export function nodeHash(left: Bytes, right: Bytes): Bytes {
  node.set(left, 1);
  node.set(right, 1 + hashSize);
  return sha256(node);
}

/** The same of two hashes that lie one after the other. */
export function pairHash(pair: Bytes): Bytes {
  node.set(pair, 1);
  return sha256(node);
}

/** The root of a tree without leaves. */
export const emptyRoot = (): Bytes => sha256(new Uint8Array());

/** Leaf hashes added one after the other; keeps as many hashes as their number has bits. */
export interface Growing {
  /** How many leaves there are. */
  size: () => number;
  add: (leaf: Bytes) => void;
  root: () => Bytes;
}

/** Sums up a tree of any size in the memory of its height. */
export function growing(): Growing {
  let size = 0;
  // The roots of whole subtrees, the largest first: one for each bit of the size.
  const roots: Bytes[] = [];
  return {
    size: () => size,
    add(leaf) {
      let hash = leaf;
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) hash = nodeHash(roots.pop() ?? hash, hash);
      roots.push(hash);
      size += 1;
    },
    root: () => roots.reduceRight<Bytes | undefined>(joined, undefined) ?? emptyRoot(),
  };
}

const joined = (right: Bytes | undefined, left: Bytes): Bytes => (right === undefined ? left : nodeHash(left, right));

/** The root over leaf hashes in their order. */
export function rootOf(leaves: Iterable<Bytes>): Bytes {
  const tree = growing();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}
