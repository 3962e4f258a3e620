import type { Commit } from './log.ts';

export type Commits = ReadonlyMap<string, Commit>;

/** All commits reachable from `tip`, newest committer date first, as in `git log`. */
export const history = (commits: Commits, tip: string): Commit[] => walk(commits, [tip], () => false);

/** Commits reachable from `head` that are not in `known` (see reachable), newest first. */
export const ahead = (commits: Commits, head: string, known: ReadonlySet<string>): Commit[] =>
  walk(commits, [head], (sha) => known.has(sha));

export const isAncestor = (commits: Commits, ancestor: string, descendant: string): boolean =>
  reachable(commits, [descendant]).has(ancestor);

/** SHAs reachable from these tips, inclusive. Adds them to `seen`, which must contain all ancestors of its members. */
export const reachable = (commits: Commits, tips: string[], seen = new Set<string>()): Set<string> => {
  const queue = [...tips];
  for (let sha = queue.pop(); sha !== undefined; sha = queue.pop()) {
    const commit = commits.get(sha);
    if (commit === undefined || seen.has(sha)) continue;
    seen.add(sha);
    queue.push(...commit.parents);
  }
  return seen;
};

/** The newest common ancestor, of equally old ones the descendant; undefined for unrelated histories. */
export const mergeBase = (commits: Commits, one: string, other: string): Commit | undefined => {
  const known = reachable(commits, [one]);
  const queue = [other];
  const seen = new Set<string>();
  let best: Commit | undefined;
  for (let sha = queue.pop(); sha !== undefined; sha = queue.pop()) {
    const commit = commits.get(sha);
    if (commit === undefined || seen.has(sha)) continue;
    seen.add(sha);
    if (!known.has(sha)) queue.push(...commit.parents);
    else if (best === undefined || isNearer(commits, commit, best)) best = commit;
  }
  return best;
};

/** Times of commits are in seconds, so that a commit can have the time of its parent. */
const isNearer = (commits: Commits, one: Commit, other: Commit): boolean =>
  one.committer.at > other.committer.at ||
  (one.committer.at === other.committer.at && isAncestor(commits, other.sha, one.sha));

/** The first-parent chain of `tip`, oldest first. */
export const firstParents = (commits: Commits, tip: string): Commit[] => {
  const chain: Commit[] = [];
  for (let commit = commits.get(tip); commit !== undefined; commit = commits.get(commit.parents[0] ?? '')) {
    chain.push(commit);
  }
  return chain.reverse();
};

/** Commits up to those that `stop` excludes, newest committer date first. Children precede their parents. */
export const walk = (commits: Commits, tips: string[], stop: (sha: string) => boolean): Commit[] => {
  const found: Commit[] = [];
  const heap: Commit[] = [];
  const seen = new Set<string>();
  const visit = (sha: string): void => {
    const commit = commits.get(sha);
    if (commit === undefined || seen.has(sha) || stop(sha)) return;
    seen.add(sha);
    push(heap, commit);
  };
  tips.forEach(visit);
  for (let commit = pop(heap); commit !== undefined; commit = pop(heap)) {
    found.push(commit);
    commit.parents.forEach(visit);
  }
  return found;
};

const push = (heap: Commit[], commit: Commit): void => {
  let at = heap.length;
  heap.push(commit);
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!newer(commit, heap[above])) break;
    heap[at] = heap[above] ?? commit;
    at = above;
  }
  heap[at] = commit;
};

const pop = (heap: Commit[]): Commit | undefined => {
  const top = heap[0];
  const last = heap.pop();
  if (top === undefined || last === undefined || heap.length === 0) return top;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const child = newer(heap[left + 1], heap[left]) ? left + 1 : left;
    const candidate = heap[child];
    if (candidate === undefined || !newer(candidate, last)) break;
    heap[at] = candidate;
    at = child;
  }
  heap[at] = last;
  return top;
};

const newer = (one: Commit | undefined, other: Commit | undefined): boolean =>
  one !== undefined && (other === undefined || one.committer.at > other.committer.at);
