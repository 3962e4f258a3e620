import { type Bytes, toBase64url } from './bytes.ts';
import { type CanonicalValue, isRecord } from './canonical.ts';
import { createIncrementalTree, type IncrementalTree } from './tree.ts';

/** The number of leaves of a kind in a range of the log, and the root over their hashes in log order, base64url. */
export interface KindCount {
  count: number;
  root: string;
}

/**
 * The counts by kind for leaves in the range [from, to). The census has the index `to`, and the next range starts after
 * it.
 */
export interface Census {
  from: number;
  to: number;
  kinds: { readonly [kind: string]: KindCount };
}

export const censusKind = 'census';

/** Counts a range of the log leaf by leaf, with a few hashes per kind in memory. */
export interface CensusCounter {
  add: (kind: string, leaf: Bytes) => void;
  census: (from: number, to: number) => Census;
}

export function createCensusCounter(): CensusCounter {
  const kinds = new Map<string, IncrementalTree>();
  let leaves = 0;
  return {
    add(kind, leaf) {
      const tree = kinds.get(kind) ?? createIncrementalTree();
      kinds.set(kind, tree);
      tree.add(leaf);
      leaves += 1;
    },
    census(from, to) {
      if (to - from !== leaves) throw new Error('A census must count every leaf of its range');
      const counted = [...kinds].map(([kind, tree]) => [kind, { count: tree.size(), root: toBase64url(tree.root()) }]);
      return { from, to, kinds: Object.fromEntries(counted) };
    },
  };
}

/** Encodes a census as the subject of an entry. */
export const censusSubject = ({ from, to, kinds }: Census): { readonly [key: string]: CanonicalValue } => ({
  from,
  to,
  kinds: Object.fromEntries(Object.entries(kinds).map(([kind, { count, root }]) => [kind, { count, root }])),
});

/** Throws for an invalid census. */
export function parseCensus(subject: { readonly [key: string]: CanonicalValue }): Census {
  const { from, to, kinds } = subject;
  if (!isCount(from) || !isCount(to) || from > to || !isRecord(kinds)) throw new Error('Not a census');
  const counted = Object.entries(kinds).map(([kind, value]) => {
    const { count, root } = isRecord(value) ? value : {};
    if (!isCount(count) || count === 0 || typeof root !== 'string') throw new Error('Not a census');
    return [kind, { count, root }] as const;
  });
  const census = { from, to, kinds: Object.fromEntries(counted) };
  if (counted.reduce((sum, [, { count }]) => sum + count, 0) !== to - from)
    throw new Error('The census counts do not match');
  return census;
}

const isCount = (value: CanonicalValue | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** A census with its index in the log. */
export interface PlacedCensus extends Census {
  index: number;
}

/**
 * Checks whether the censuses cover the log from `from` to `to` without a gap, which could hide omissions. Returns the
 * problem in words, or undefined.
 */
export function censusGap(censuses: readonly PlacedCensus[], from: number, to: number): string | undefined {
  const ordered = censuses.toSorted((one, other) => one.index - other.index);
  let covered: number | undefined;
  for (const { index, from: start, to: end } of ordered) {
    if (end !== index) return `the census at ${index} ends at ${end}`;
    if (covered === undefined && start > from) return `no census counts the leaves before ${start}`;
    if (covered !== undefined && start !== covered) return `no census counts the leaves from ${covered} to ${start}`;
    covered = index + 1;
  }
  if (covered === undefined || covered < to) return `no census counts the leaves after ${covered ?? from}`;
  return undefined;
}

/** Whether these are all leaves of a kind in the range of the census, in order. */
export function matchesCensus(census: Census, kind: string, leaves: readonly Bytes[]): boolean {
  const expected = census.kinds[kind];
  const tree = createIncrementalTree();
  for (const leaf of leaves) tree.add(leaf);
  if (expected === undefined) return leaves.length === 0;
  return expected.count === leaves.length && expected.root === toBase64url(tree.root());
}
