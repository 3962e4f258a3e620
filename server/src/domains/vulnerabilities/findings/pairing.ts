/** A result that no known source tells of, or an instance that no result tells of: the two sides that may be the same. */
export interface Unpaired {
  id: string;
  ruleId: string;
  movedKey: string | null;
  nearKey: string;
  path: string | null;
  line: number | null;
}

export interface Pair<New, Old> {
  fresh: New;
  gone: Old;
}

/**
 * What vanished and what appeared in one scan, and is the same: first by content in another file, then by rule in the same
 * file where there is no content to go by. In the order of their lines, each once.
 */
export function pairUp<New extends Unpaired, Old extends Unpaired>(
  fresh: readonly New[],
  gone: readonly Old[],
): Pair<New, Old>[] {
  const moved = pairMoved(fresh, gone);
  const left = unpaired(fresh, gone, moved);
  const near = pairBy(left.fresh, left.gone, ({ movedKey, nearKey }) => (movedKey === null ? nearKey : null));
  return [...moved, ...near];
}

/** The same content at another path. */
export const pairMoved = <New extends Unpaired, Old extends Unpaired>(fresh: readonly New[], gone: readonly Old[]) =>
  pairBy(fresh, gone, ({ movedKey }) => movedKey);

/** Those that are in none of the pairs. */
export function unpaired<New extends Unpaired, Old extends Unpaired>(
  fresh: readonly New[],
  gone: readonly Old[],
  pairs: readonly Pair<New, Old>[],
): { fresh: New[]; gone: Old[] } {
  const used = new Set<Unpaired>(pairs.flatMap((pair) => [pair.fresh, pair.gone]));
  return { fresh: fresh.filter((one) => !used.has(one)), gone: gone.filter((one) => !used.has(one)) };
}

function pairBy<New extends Unpaired, Old extends Unpaired>(
  fresh: readonly New[],
  gone: readonly Old[],
  keyOf: (one: Unpaired) => string | null,
): Pair<New, Old>[] {
  const olds = groupedBy(gone, keyOf);
  return [...groupedBy(fresh, keyOf)].flatMap(([key, news]) => {
    const others = olds.get(key) ?? [];
    return align(news.map(lineOf), others.map(lineOf)).flatMap(([a, b]) => {
      const [one, other] = [news[a], others[b]];
      return one && other ? [{ fresh: one, gone: other }] : [];
    });
  });
}

/**
 * Files that were renamed where no content tells so: everything a path had is gone, and another path that had nothing has
 * the same rules at the same lines. The same file name decides between several; without that nothing is said.
 */
export function pairFiles<New extends Unpaired, Old extends Unpaired>(
  fresh: readonly New[],
  gone: readonly Old[],
): Pair<New, Old>[] {
  const after = filesByShape(fresh);
  return [...filesByShape(gone)].flatMap(([shape, olds]) => {
    const news = after.get(shape) ?? [];
    const [old, other] = [olds[0], news[0]];
    if (old && other && olds.length === 1 && news.length === 1) return zip(other.list, old.list);
    return olds.flatMap((one) => {
      const named = news.filter(({ name }) => name === one.name);
      const alone = named.length === 1 && olds.filter(({ name }) => name === one.name).length === 1;
      return alone && named[0] ? zip(named[0].list, one.list) : [];
    });
  });
}

function filesByShape<One extends Unpaired>(all: readonly One[]): Map<string, { name: string; list: One[] }[]> {
  const files = [...groupedBy(all, ({ path }) => path)].flatMap(([path, list]) => {
    const shape = shapeOf(list);
    return shape === null ? [] : [{ shape, name: path.slice(path.lastIndexOf('/') + 1), list }];
  });
  return Map.groupBy(files, ({ shape }) => shape);
}

const zip = <New extends Unpaired, Old extends Unpaired>(fresh: New[], gone: Old[]): Pair<New, Old>[] =>
  fresh.flatMap((one, place) => {
    const other = gone[place];
    return other ? [{ fresh: one, gone: other }] : [];
  });

/** Null where it is too little to go by: half of all files have something at line 1. */
function shapeOf(list: readonly Unpaired[]): string | null {
  const marks = list.map(({ ruleId, line }) => `${line} ${ruleId}`);
  return list.length > 1 || (list[0]?.line ?? 0) > 1 ? marks.join('\n') : null;
}

/** In the order of lines, then of rules: the order of arrival says nothing. */
function groupedBy<One extends Unpaired>(all: readonly One[], keyOf: (one: One) => string | null): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  for (const group of groups.values()) group.sort(inOrder);
  return groups;
}

function inOrder(one: Unpaired, other: Unpaired): number {
  if (one.line !== other.line) return (one.line ?? 0) - (other.line ?? 0);
  const [a, b] = [`${one.ruleId}\n${one.path}\n${one.id}`, `${other.ruleId}\n${other.path}\n${other.id}`];
  return a < b ? -1 : 1;
}

const lineOf = ({ line }: Unpaired) => line ?? 0;

/**
 * Which of two ascending lists of lines belong together: all of the shorter one, in order, so that the lines moved as
 * little as can be. Equal numbers pair off whatever the lines are. Answers pairs of places.
 */
export function align(one: readonly number[], other: readonly number[]): [number, number][] {
  if (one.length > other.length) return align(other, one).map(([a, b]) => [b, a]);
  const spare = other.length - one.length;
  if (one.length === 0) return [];
  if (spare === 0 || one.length * spare > widest) return one.map((_, place) => [place, place]);
  // cost[a][s]: the least sum for the first a of `one` when s of `other` were passed over
  const cost = [Array.from({ length: spare + 1 }, () => 0)];
  for (let a = 1; a <= one.length; a += 1) {
    const row: number[] = [];
    for (let s = 0; s <= spare; s += 1) {
      const paired = (cost[a - 1]?.[s] ?? 0) + Math.abs((one[a - 1] ?? 0) - (other[a - 1 + s] ?? 0));
      row.push(Math.min(paired, s > 0 ? (row[s - 1] ?? Infinity) : Infinity));
    }
    cost.push(row);
  }
  const pairs: [number, number][] = [];
  let s = spare;
  for (let a = one.length; a > 0; a -= 1) {
    while (s > 0 && cost[a]?.[s] === cost[a]?.[s - 1]) s -= 1;
    pairs.unshift([a - 1, a - 1 + s]);
  }
  return pairs;
}

const widest = 250_000;
