import { type CodeHost, HostLimited } from '#providers/code-host.ts';
import type { HostFileDifference } from '#providers/host-evidence.ts';
import type { HostCommit, HostRef } from '../../../../providers/host-facts.ts';
import { addedTextsIn, type CommitDifferences, rangesOf } from './added-lines.ts';
import type { AttributionClaim } from './attribution-claim.ts';

// Each previous head is a request. Earlier ones are not read.
const MAX_HEADS = 10;
const MAX_COMMITS = 100;
// The product of the numbers of lines of two versions of a file, which the comparison takes time and memory for: of one
// file, and of all files of a change.
const MAX_COMPARISON = 4_000_000;
const MAX_COMPARISONS = 40_000_000;

/**
 * Reads the commits that commits of a change were made from: those of previous heads of its branch, before a rebase,
 * an amended commit or a local squash, and those that a cherry-pick names in its message. Leaves out those that the host
 * no longer has. Throws HostLimited.
 */
export async function readPreviousCommits(
  host: CodeHost,
  ref: HostRef,
  { commits, head, previousHeads }: { commits: readonly HostCommit[]; head: string; previousHeads: readonly string[] },
): Promise<HostCommit[]> {
  const own = new Set(commits.map(({ sha }) => sha));
  const heads = [...new Set(previousHeads)].filter((sha) => !own.has(sha)).slice(0, MAX_HEADS);
  const picked = [...new Set(commits.flatMap(({ message }) => pickedFrom(message)))].filter((sha) => !own.has(sha));
  const found = await Promise.all([
    ...heads.map((old) => orNothing(host.compareCommits(ref, head, old))),
    ...picked.slice(0, MAX_COMMITS).map((sha) => orNothing(host.getCommit(ref, sha).then((commit) => [commit]))),
  ]);
  const bySha = new Map(found.flat().flatMap((commit) => (own.has(commit.sha) ? [] : [[commit.sha, commit]])));
  return [...bySha.values()].slice(0, MAX_COMMITS);
}

/** The host deletes commits that no branch contains. */
const orNothing = (commits: Promise<HostCommit[]>): Promise<HostCommit[]> =>
  commits.catch((error: unknown) => {
    if (error instanceof HostLimited) throw error;
    return [];
  });

/** The commits of `git cherry-pick -x`. */
const pickedFrom = (message: string): string[] =>
  [...message.matchAll(/^\(cherry picked from commit ([0-9a-f]{40})\)$/gm)].map(([, sha = '']) => sha);

/**
 * Carries claims about previous commits over to commits without a claim of the same source. Lines are attributed where
 * the new commit adds the same text to the same file in the same order. A commit that changes exactly the same is
 * declared as the previous one; of any other, that its lines are those of the agent is inferred.
 */
export function carryClaims(
  commits: readonly HostCommit[],
  claims: readonly AttributionClaim[],
  differences: CommitDifferences,
): { carried: AttributionClaim[]; dropped: number } {
  const byPrevious = [...Map.groupBy(claims, ({ commit }) => commit)];
  const budget = { left: MAX_COMPARISONS, dropped: 0 };
  const all = commits.flatMap(({ sha }) => {
    const changed = differences.get(sha);
    if (!changed) return [];
    const attributed = new Set<string>();
    return byPrevious.flatMap(([previous, ofPrevious]) => {
      const before = differences.get(previous);
      if (!before) return [];
      const linesOf = createLineMatcher(before, changed, budget);
      const confidence = isSameChange(before, changed) ? 'declared' : 'inferred';
      return ofPrevious.flatMap((claim): AttributionClaim[] => {
        const carried = { ...claim, commit: sha, carriedFrom: previous };
        // Without lines, the claim is about all that the commit changes.
        if (claim.lines.length === 0) return confidence === 'declared' ? [carried] : [];
        const lines = linesOf(claim).filter((line) => !attributed.has(`${line} ${claim.path}`));
        for (const line of lines) attributed.add(`${line} ${claim.path}`);
        if (lines.length === 0) return [];
        return [{ ...carried, lines: rangesOf(lines), ...(claim.confidence === 'declared' && { confidence }) }];
      });
    });
  });
  return { carried: all, dropped: budget.dropped };
}

/** Returns the lines of a claim in another version of its file, in ascending order. Compares each file once. */
function createLineMatcher(
  before: readonly HostFileDifference[],
  after: readonly HostFileDifference[],
  budget: { left: number; dropped: number },
): (claim: AttributionClaim) => number[] {
  const textsIn = (files: readonly HostFileDifference[], path: string | null) =>
    addedTextsIn(files.find((file) => file.path === path)?.patch ?? '');
  const pairsByPath = new Map<string | null, [number, number][] | undefined>();
  const compare = (path: string | null): [number, number][] | undefined => {
    const [from, to] = [textsIn(before, path), textsIn(after, path)];
    const size = from.length * to.length;
    if (size > MAX_COMPARISON || size > budget.left) return undefined;
    budget.left -= size;
    return commonLines(from, to);
  };
  return ({ path, lines }) => {
    if (!pairsByPath.has(path)) pairsByPath.set(path, compare(path));
    const pairs = pairsByPath.get(path);
    if (!pairs) budget.dropped += 1;
    const isClaimed = (line: number) => lines.some((range) => range.from <= line && line <= range.to);
    return (pairs ?? []).flatMap(([old, now]) => (isClaimed(old) ? [now] : []));
  };
}

type AddedText = ReturnType<typeof addedTextsIn>[number];

/** The pairs of line numbers in a longest common subsequence of two lists of added lines. */
function commonLines(from: readonly AddedText[], to: readonly AddedText[]): [number, number][] {
  const width = to.length + 1;
  const lengths = new Uint16Array((from.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = from.length - 1; row >= 0; row -= 1) {
    for (let column = to.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        from[row]?.text === to[column]?.text
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < from.length && column < to.length) {
    const [old, now] = [from[row], to[column]];
    if (old && now && old.text === now.text) {
      pairs.push([old.line, now.line]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** Whether two commits add and remove the same lines in the same files, wherever these lines are. */
const isSameChange = (one: readonly HostFileDifference[], other: readonly HostFileDifference[]): boolean => {
  const [first, second] = [contentOf(one), contentOf(other)];
  return first !== null && first === second;
};

/** What a commit changes, without line numbers and context; null if the host omits a part. */
function contentOf(files: readonly HostFileDifference[]): string | null {
  if (files.some(({ patch }) => patch === null)) return null;
  const parts = files.map(({ path, patch }) => [
    path,
    ...(patch ?? '').split('\n').filter((line) => /^[+-]/.test(line)),
  ]);
  return JSON.stringify(parts.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)));
}
