import { type Bytes, equalBytes } from './bytes.ts';
import { hashOfRange, type ReadTile } from './tiles.ts';
import { emptyRoot, hashSize, nodeHash } from './tree.ts';

/** Inclusion proof of the leaf at `index` in the tree of `size` leaves, lowest first (RFC 6962, 2.1.1). */
export async function inclusionProof(read: ReadTile, index: number, size: number): Promise<Bytes[]> {
  if (!isCount(index) || !isCount(size) || index >= size) throw new Error('The leaf does not exist');
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    ranges.unshift(index < middle ? [middle, end] : [start, middle]);
    [start, end] = index < middle ? [start, middle] : [middle, end];
  }
  return hashesOf(read, ranges);
}

/** Consistency proof of the tree of `from` leaves with that of `to` leaves (RFC 6962, 2.1.2). */
export async function consistencyProof(read: ReadTile, from: number, to: number): Promise<Bytes[]> {
  if (!isCount(from) || !isCount(to) || from > to) throw new Error('The trees do not exist');
  if (from === 0 || from === to) return [];
  const ranges: Range[] = [];
  let [start, end, isWhole] = [0, to, true];
  while (end > from) {
    const middle = start + splitOf(end - start);
    if (from <= middle) {
      ranges.unshift([middle, end]);
      end = middle;
    } else {
      ranges.unshift([start, middle]);
      start = middle;
      isWhole = false;
    }
  }
  if (!isWhole) ranges.unshift([start, end]);
  return hashesOf(read, ranges);
}

/** Verifies an inclusion proof (RFC 9162, 2.1.3.2). */
export function isIncluded(
  leaf: Bytes,
  { index, size, proof, root }: { index: number; size: number; proof: readonly Bytes[]; root: Bytes },
): boolean {
  if (!isCount(index) || !isCount(size) || index >= size || !areHashes(proof)) return false;
  let hash = leaf;
  let at = { first: index, last: size - 1 };
  for (const other of proof) {
    if (at.last === 0) return false;
    if (isOdd(at.first) || at.first === at.last) {
      hash = nodeHash(other, hash);
      at = skipMissingSiblings(at);
    } else hash = nodeHash(hash, other);
    at = up(at);
  }
  return at.last === 0 && equalBytes(hash, root);
}

/** Verifies a consistency proof (RFC 9162, 2.1.4.2). Every tree is consistent with the empty one. */
export function isConsistent(from: Head, to: Head, proof: readonly Bytes[]): boolean {
  if (!isCount(from.size) || !isCount(to.size) || from.size > to.size || !areHashes(proof)) return false;
  if (from.size === 0) return proof.length === 0 && equalBytes(from.root, emptyRoot());
  if (from.size === to.size) return proof.length === 0 && equalBytes(from.root, to.root);
  const [first, ...rest] = isPowerOfTwo(from.size) ? [from.root, ...proof] : proof;
  if (first === undefined || proof.length === 0) return false;
  let at = { first: from.size - 1, last: to.size - 1 };
  while (isOdd(at.first)) at = up(at);
  let [older, newer] = [first, first];
  for (const other of rest) {
    if (at.last === 0) return false;
    if (isOdd(at.first) || at.first === at.last) {
      older = nodeHash(other, older);
      newer = nodeHash(other, newer);
      at = skipMissingSiblings(at);
    } else newer = nodeHash(newer, other);
    at = up(at);
  }
  return at.last === 0 && equalBytes(older, from.root) && equalBytes(newer, to.root);
}

/** Size and root hash of a log. */
export interface Head {
  size: number;
  root: Bytes;
}

type Range = readonly [start: number, end: number];

/** Sequential, since a database connection runs one query at a time. */
async function hashesOf(read: ReadTile, ranges: readonly Range[]): Promise<Bytes[]> {
  const hashes: Bytes[] = [];
  for (const [start, end] of ranges) hashes.push(await hashOfRange(read, start, end));
  return hashes;
}

/** The largest power of two smaller than the number. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

// Bitwise operators of JavaScript are limited to 32 bits.
const isOdd = (number: number): boolean => number % 2 === 1;
const half = (number: number): number => Math.floor(number / 2);

interface NodeRange {
  first: number;
  last: number;
}

const up = ({ first, last }: NodeRange): NodeRange => ({ first: half(first), last: half(last) });

/** Skips the levels at which the node has no sibling. */
function skipMissingSiblings(from: NodeRange): NodeRange {
  let at = from;
  while (!isOdd(at.first) && at.first !== 0) at = up(at);
  return at;
}

const isPowerOfTwo = (number: number): boolean =>
  Number.isInteger(Math.log2(number)) && 2 ** Math.log2(number) === number;
const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 0;
const areHashes = (proof: readonly Bytes[]): boolean => proof.every((hash) => hash.length === hashSize);
