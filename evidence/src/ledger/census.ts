import { type Bytes, toBase64url } from './bytes.ts';
import { isRecord, type Plain } from './canonical.ts';
import { type Growing, growing } from './tree.ts';

/** How many leaves of a kind a stretch of the log has, and the root over their hashes in the order of the log, base64url. */
export interface KindCount {
  count: number;
  root: string;
}

/** Every leaf of the stretch [from, to), summed up by kind. It stands at `to` itself, and the next begins behind it. */
export interface Census {
  from: number;
  to: number;
  kinds: { readonly [kind: string]: KindCount };
}

export const censusKind = 'census';

/** Sums up a stretch of the log, leaf by leaf, in the memory of a few hashes for each kind. */
export interface Counting {
  add: (kind: string, leaf: Bytes) => void;
  census: (from: number, to: number) => Census;
}

export function counting(): Counting {
  const kinds = new Map<string, Growing>();
  let leaves = 0;
  return {
    add(kind, leaf) {
      const tree = kinds.get(kind) ?? growing();
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

/** The census as the subject of an entry. */
export const censusSubject = ({ from, to, kinds }: Census): { readonly [key: string]: Plain } => ({
  from,
  to,
  kinds: Object.fromEntries(Object.entries(kinds).map(([kind, { count, root }]) => [kind, { count, root }])),
});

/** Throws for a subject that is no census. */
export function parseCensus(subject: { readonly [key: string]: Plain }): Census {
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

const isCount = (value: Plain | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** What a census says of one stretch, and where it stands in the log. */
export interface PlacedCensus extends Census {
  index: number;
}

/**
 * Whether census after census covers the log from `from` up to `to` without a hole; a hole could hide what was left out. Answers what
 * is wrong, in words, or undefined.
 */
export function holeIn(censuses: readonly PlacedCensus[], from: number, to: number): string | undefined {
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

/** Whether these are all leaves of a kind in the stretch of the census, in their order. */
export function areAllOf(census: Census, kind: string, leaves: readonly Bytes[]): boolean {
  const said = census.kinds[kind];
  const tree = growing();
  for (const leaf of leaves) tree.add(leaf);
  if (said === undefined) return leaves.length === 0;
  return said.count === leaves.length && said.root === toBase64url(tree.root());
}
