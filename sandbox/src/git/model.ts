import type { FileChange } from './changes.ts';
import type { Commit } from './log.ts';
import type { Person, PullRequest } from './pull-request.ts';
import type { Refs } from './refs.ts';

/** A real git repository with its whole commit graph in memory. */
export type Repository = {
  path: string;
  gitDirectory: string;
  bare: boolean;
  folder: string;
  remoteOwner: string | undefined;
  defaultBranch: string;
  startedAt: number; // committer date of the oldest commit, epoch milliseconds
  commits: Map<string, Commit>;
  refs: Refs;
  pullRequests: PullRequest[];
  changes: Map<string, FileChange[]>;
  isPartial: boolean;
  /** Commits whose changes a partial clone cannot tell. */
  unreadable: Set<string>;
  histories: Map<string, Commit[]>;
  planted: Planted;
};

/** What a host knows and git does not. `rulesets` hold for branches beside `protections`. */
export type Planted = {
  pulls: Map<number, PlantedPull>;
  pushes: Push[];
  checks: CommitCheck[];
  protections: Map<string, Protection[]>;
  rulesets: Map<string, Protection[]>;
};

/** What is laid over a pull request that git knows of; or a whole one, which git could not tell. */
export type PlantedPull = Partial<PullRequest> & { number: number };

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
export type CommitCheck = {
  sha: string;
  name: string;
  isStatus: boolean;
  conclusion: 'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | 'action_required' | null;
  startedAt: number;
  completedAt: number | null;
};

/** The rules of a branch from a time on; null: it is not protected from then on. */
export type Protection = { at: number; rules: Rules | null };

/** How a branch is protected. `requiredReviews` null: a pull request is not asked for. */
export type Rules = {
  requiredReviews: number | null;
  dismissesStale: boolean;
  allowsForcePush: boolean;
  allowsDeletion: boolean;
  includesAdmins: boolean;
  requiredChecks: string[];
};
