/** A result without a known source, or an instance without a result: candidates for the same weakness. */
export interface PairCandidate {
  id: string;
  ruleId: string;
  movedKey: string | null;
  nearKey: string;
  path: string | null;
  line: number | null;
}

export interface ResultPair<New, Old> {
  fresh: New;
  gone: Old;
}

/**
 * Pairs absent instances with new results of one scan: first by content in another file, then by rule in the same file
 * if the content is not distinctive. Pairs each once, in line order.
 */
export function pairResults<New extends PairCandidate, Old extends PairCandidate>(
  fresh: readonly New[],
  gone: readonly Old[],
): ResultPair<New, Old>[] {
  const moved = pairMovedResults(fresh, gone);
  const unmatched = withoutPairs(fresh, gone, moved);
  const near = pairBy(unmatched.fresh, unmatched.gone, ({ movedKey, nearKey }) => (movedKey === null ? nearKey : null));
  return [...moved, ...near];
}

/** Pairs equal content at different paths. */
export const pairMovedResults = <New extends PairCandidate, Old extends PairCandidate>(
  fresh: readonly New[],
  gone: readonly Old[],
) => pairBy(fresh, gone, ({ movedKey }) => movedKey);

/** Returns the items that are in no pair. */
export function withoutPairs<New extends PairCandidate, Old extends PairCandidate>(
  fresh: readonly New[],
  gone: readonly Old[],
  pairs: readonly ResultPair<New, Old>[],
): { fresh: New[]; gone: Old[] } {
  const used = new Set<PairCandidate>(pairs.flatMap((pair) => [pair.fresh, pair.gone]));
  return { fresh: fresh.filter((one) => !used.has(one)), gone: gone.filter((one) => !used.has(one)) };
}

function pairBy<New extends PairCandidate, Old extends PairCandidate>(
  fresh: readonly New[],
  gone: readonly Old[],
  keyOf: (one: PairCandidate) => string | null,
): ResultPair<New, Old>[] {
  const olds = groupedBy(gone, keyOf);
  return [...groupedBy(fresh, keyOf)].flatMap(([key, notifications]) => {
    const others = olds.get(key) ?? [];
    return alignLines(notifications.map(lineOf), others.map(lineOf)).flatMap(([a, b]) => {
      const [one, other] = [notifications[a], others[b]];
      return one && other ? [{ fresh: one, gone: other }] : [];
    });
  });
}

/**
 * Pairs the results of renamed files without distinctive content: all results of a path are absent, and a path without
 * earlier results has the same rules at the same lines. Of several candidates, only files with the same name are
 * paired.
 */
export function pairRenamedFiles<New extends PairCandidate, Old extends PairCandidate>(
  fresh: readonly New[],
  gone: readonly Old[],
): ResultPair<New, Old>[] {
  const after = filesByShape(fresh);
  return [...filesByShape(gone)].flatMap(([shape, olds]) => {
    const notifications = after.get(shape) ?? [];
    const [old, other] = [olds[0], notifications[0]];
    if (old && other && olds.length === 1 && notifications.length === 1) return zip(other.list, old.list);
    return olds.flatMap((one) => {
      const sameName = notifications.filter(({ name }) => name === one.name);
      const alone = sameName.length === 1 && olds.filter(({ name }) => name === one.name).length === 1;
      return alone && sameName[0] ? zip(sameName[0].list, one.list) : [];
    });
  });
}

function filesByShape<One extends PairCandidate>(all: readonly One[]): Map<string, { name: string; list: One[] }[]> {
  const files = [...groupedBy(all, ({ path }) => path)].flatMap(([path, list]) => {
    const shape = shapeOf(list);
    return shape === null ? [] : [{ shape, name: path.slice(path.lastIndexOf('/') + 1), list }];
  });
  return Map.groupBy(files, ({ shape }) => shape);
}

const zip = <New extends PairCandidate, Old extends PairCandidate>(fresh: New[], gone: Old[]): ResultPair<New, Old>[] =>
  fresh.flatMap((one, index) => {
    const other = gone[index];
    return other ? [{ fresh: one, gone: other }] : [];
  });

/** The rules and lines of a file. Null if they are not distinctive: half of all files have a result at line 1. */
function shapeOf(list: readonly PairCandidate[]): string | null {
  const signatures = list.map(({ ruleId, line }) => `${line} ${ruleId}`);
  return list.length > 1 || (list[0]?.line ?? 0) > 1 ? signatures.join('\n') : null;
}

/** Groups items and sorts them by line, then by rule, since the order of arrival is arbitrary. */
function groupedBy<One extends PairCandidate>(
  all: readonly One[],
  keyOf: (one: One) => string | null,
): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  for (const group of groups.values()) group.sort(compareByLine);
  return groups;
}

function compareByLine(one: PairCandidate, other: PairCandidate): number {
  if (one.line !== other.line) return (one.line ?? 0) - (other.line ?? 0);
  const [a, b] = [`${one.ruleId}\n${one.path}\n${one.id}`, `${other.ruleId}\n${other.path}\n${other.id}`];
  return a < b ? -1 : 1;
}

const lineOf = ({ line }: PairCandidate) => line ?? 0;

/**
 * Pairs two ascending lists of line numbers: all items of the shorter one, in order, with the least total distance.
 * Lists of equal length are paired by index. Returns pairs of indexes.
 */
export function alignLines(one: readonly number[], other: readonly number[]): [number, number][] {
  if (one.length > other.length) return alignLines(other, one).map(([a, b]) => [b, a]);
  const spare = other.length - one.length;
  if (one.length === 0) return [];
  if (spare === 0 || one.length * spare > MAX_COSTS) return one.map((_, index) => [index, index]);
  // cost[a][s]: the least total distance for the first a items of `one` if s items of `other` were skipped
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

const MAX_COSTS = 250_000;
