import { createHash } from 'node:crypto';

/**
 * A literal, unoptimized implementation of RFC 6962, sections 2.1 to 2.1.2. It shares no code with the implementation
 * under test.
 */

const sha256 = (...parts: Uint8Array[]): Uint8Array =>
  new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest());

/** MTH over the leaf data. */
export function treeHead(entries: readonly Uint8Array[]): Uint8Array {
  const n = entries.length;
  if (n === 0) return sha256();
  if (n === 1) return sha256(Uint8Array.of(0x00), entries[0] as Uint8Array);
  const k = largestPowerOfTwoBelow(n);
  return sha256(Uint8Array.of(0x01), treeHead(entries.slice(0, k)), treeHead(entries.slice(k)));
}

/** PATH(m, D[n]). */
export function auditPath(m: number, entries: readonly Uint8Array[]): Uint8Array[] {
  const n = entries.length;
  if (n === 1) return [];
  const k = largestPowerOfTwoBelow(n);
  if (m < k) return [...auditPath(m, entries.slice(0, k)), treeHead(entries.slice(k))];
  return [...auditPath(m - k, entries.slice(k)), treeHead(entries.slice(0, k))];
}

/** PROOF(m, D[n]). */
export const consistency = (m: number, entries: readonly Uint8Array[]): Uint8Array[] => subproof(m, entries, true);

function subproof(m: number, entries: readonly Uint8Array[], isComplete: boolean): Uint8Array[] {
  const n = entries.length;
  if (m === n) return isComplete ? [] : [treeHead(entries)];
  const k = largestPowerOfTwoBelow(n);
  if (m <= k) return [...subproof(m, entries.slice(0, k), isComplete), treeHead(entries.slice(k))];
  return [...subproof(m - k, entries.slice(k), false), treeHead(entries.slice(0, k))];
}

function largestPowerOfTwoBelow(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}
