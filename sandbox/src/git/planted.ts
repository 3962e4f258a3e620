import { firstParents } from './graph.ts';
import type { Person, PullRequest } from './pull-requests.ts';
import type { Repository } from './repository.ts';

/** A ref that moved, as the host remembers it; a null sha where it was made or deleted. Times are epoch milliseconds. */
export type Push = {
  ref: string;
  before: string | null;
  after: string | null;
  at: number;
  by: Person | null;
  kind: 'push' | 'force_push' | 'branch_creation' | 'branch_deletion' | 'pr_merge' | 'merge_queue_merge';
};

/** A check run (`isStatus` false) or a commit status on a commit. `completedAt` null: it is not over. */
export type Check = {
  sha: string;
  name: string;
  isStatus: boolean;
  conclusion: 'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | 'action_required' | null;
  startedAt: number;
  completedAt: number | null;
};

/** How a branch is protected. `requiredReviews` null: a pull request is not asked for. */
export type Rules = {
  requiredReviews: number | null;
  dismissesStale: boolean;
  allowsForcePush: boolean;
  allowsDeletion: boolean;
  includesAdmins: boolean;
  requiredChecks: string[];
};

/** The rules of a branch from a time on; null: it is not protected from then on. */
export type Protection = { at: number; rules: Rules | null };

/** What is laid over a pull request that git knows of; or a whole one, which git could not tell. */
export type PlantedPull = Partial<PullRequest> & { number: number };

/** What a host knows and git does not. `rulesets` hold for branches beside `protections`. */
export type Planted = {
  pulls: Map<number, PlantedPull>;
  pushes: Push[];
  checks: Check[];
  protections: Map<string, Protection[]>;
  rulesets: Map<string, Protection[]>;
};

export const emptyPlanted = (): Planted => ({
  pulls: new Map(),
  pushes: [],
  checks: [],
  protections: new Map(),
  rulesets: new Map(),
});

/** Pull requests with what was planted; one that was merged by a planted merge stands as that says. */
export const withPlanted = (found: PullRequest[], { pulls }: Planted): PullRequest[] => {
  if (pulls.size === 0) return found;
  const known = new Set(found.map(({ number }) => number));
  const laid = found.map((pull) => ({ ...pull, ...pulls.get(pull.number) }));
  const others = [...pulls.values()].filter((pull): pull is PullRequest => !known.has(pull.number) && isWhole(pull));
  return [...laid, ...others].sort((one, other) => one.number - other.number);
};

const isWhole = (pull: PlantedPull): boolean => pull.key !== undefined;

/** The rules of a branch at a time; null where it is not protected. */
export const rulesAt = (history: ReadonlyMap<string, Protection[]>, branch: string, at: number): Rules | null =>
  history.get(branch)?.findLast((protection) => protection.at <= at)?.rules ?? null;

/**
 * Every move of a ref, oldest first: those the host saw, and before them those that the history of the default branch and its
 * merged pull requests must have had.
 */
export const pushesOf = (repository: Repository): Push[] => {
  const { planted, refs } = repository;
  const known = remembered.get(repository);
  if (known?.refs === refs && known.count === planted.pushes.length) return known.pushes;
  const pushes = [...inferredPushes(repository), ...planted.pushes].sort((one, other) => one.at - other.at);
  remembered.set(repository, { refs, count: planted.pushes.length, pushes });
  return pushes;
};

const remembered = new WeakMap<Repository, { refs: Repository['refs']; count: number; pushes: Push[] }>();

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
    // Before the host saw it move it was made where that began.
    const last = commits.get(known === undefined ? headSha : (known.before ?? ''));
    const isFork = headOwner !== undefined && headOwner.toLowerCase() !== remoteOwner.toLowerCase();
    if (last === undefined || isFork || ref === main) return [];
    const { at, name, email } = last.committer;
    return [{ ref, before: null, after: last.sha, at, by: { name, email }, kind: 'branch_creation' }];
  });
  return [...along, ...heads];
};
