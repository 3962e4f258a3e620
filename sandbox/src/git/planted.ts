import { firstParents } from './graph.ts';
import type { Planted, PlantedPull, Protection, Push, Repository, Rules } from './model.ts';
import type { PullRequest } from './pull-request.ts';

export const emptyPlanted = (): Planted => ({
  pulls: new Map(),
  pushes: [],
  checks: [],
  protections: new Map(),
  rulesets: new Map(),
  protectsTags: false,
  access: null,
  signatures: new Map(),
});

/** Applies the planted data to inferred pull requests. A planted merge determines the merge data. */
export const withPlanted = (found: PullRequest[], { pulls }: Planted): PullRequest[] => {
  if (pulls.size === 0) return found;
  const known = new Set(found.map(({ number }) => number));
  const inferred = found.map((pull) => ({ ...pull, ...pulls.get(pull.number) }));
  const others = [...pulls.values()].filter((pull): pull is PullRequest => !known.has(pull.number) && isWhole(pull));
  return [...inferred, ...others].sort((one, other) => one.number - other.number);
};

/** Whether a planted pull request is complete, not only changes of an inferred one. */
export const isWhole = (pull: PlantedPull): pull is PullRequest => pull.key !== undefined;

/** The protection of a branch at a time; null if not protected. */
export const rulesAt = (history: ReadonlyMap<string, Protection[]>, branch: string, at: number): Rules | null =>
  history.get(branch)?.findLast((protection) => protection.at <= at)?.rules ?? null;

/**
 * All ref updates, oldest first: recorded ones, preceded by those inferred from the default branch and its merged pull
 * requests.
 */
export const pushesOf = (repository: Repository): Push[] => {
  const { planted, refs } = repository;
  const known = pushCache.get(repository);
  if (known?.refs === refs && known.count === planted.pushes.length) return known.pushes;
  const pushes = [...inferredPushes(repository), ...planted.pushes].sort((one, other) => one.at - other.at);
  pushCache.set(repository, { refs, count: planted.pushes.length, pushes });
  return pushes;
};

const pushCache = new WeakMap<Repository, { refs: Repository['refs']; count: number; pushes: Push[] }>();

const inferredPushes = (repository: Repository): Push[] => {
  const { commits, refs, defaultBranch, pullRequests, planted, remoteOwner = 'sandbox' } = repository;
  const main = `refs/heads/${defaultBranch}`;
  const first = new Map(planted.pushes.toReversed().map((push) => [push.ref, push]));
  const tip = first.has(main) ? first.get(main)?.before : refs.get(main);
  const merges = new Map(pullRequests.map((pull) => [pull.mergeSha, pull]));
  const along = firstParents(commits, tip ?? '').map(({ sha, parents, committer }): Push => {
    const before = parents[0] ?? null;
    const pull = merges.get(sha);
    const by = pull?.mergedBy ?? committer;
    const kind = before === null ? 'branch_creation' : pull === undefined ? 'push' : 'pr_merge';
    return { ref: main, before, after: sha, at: committer.at, by, kind };
  });
  const heads = pullRequests.flatMap(({ headRef, headSha, headOwner }): Push[] => {
    const ref = `refs/heads/${headRef}`;
    const known = first.get(ref);
    // Before the first recorded update, the branch was created at that update's start.
    const last = commits.get(known === undefined ? headSha : (known.before ?? ''));
    const isFork = headOwner !== undefined && headOwner.toLowerCase() !== remoteOwner.toLowerCase();
    if (last === undefined || isFork || ref === main) return [];
    const { at, name, email } = last.committer;
    return [{ ref, before: null, after: last.sha, at, by: { name, email }, kind: 'branch_creation' }];
  });
  return [...along, ...heads];
};
