import type { FileChange } from './changes.ts';
import type { Commit } from './log.ts';
import type { Person, PullRequest } from './pull-request.ts';
import type { Refs } from './refs.ts';

/** A git repository with its complete commit graph in memory. */
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
  /** Commits whose changes are missing from a partial clone. */
  unreadable: Set<string>;
  histories: Map<string, Commit[]>;
  planted: Planted;
};

/** Data of a code host that git does not contain. `rulesets` apply to branches in addition to `protections`. */
export type Planted = {
  pulls: Map<number, PlantedPull>;
  pushes: Push[];
  checks: CommitCheck[];
  protections: Map<string, Protection[]>;
  rulesets: Map<string, Protection[]>;
  /** Whether a ruleset blocks that any tag is moved or deleted. */
  protectsTags: boolean;
  /** Null: recent authors can write. */
  access: PlantedAccess | null;
  /** Armored signatures of commits, by commit. */
  signatures: Map<string, string>;
};

export type AccessRole = 'read' | 'triage' | 'write' | 'maintain' | 'admin';

/** Who and what has access to a repository. Accounts are named by login. */
export type PlantedAccess = {
  people: { login: string; role: AccessRole; via: 'direct' | 'outside' | 'organization' }[];
  /** Their members have the role of the team. */
  teams: { slug: string; role: AccessRole; members: string[] }[];
  keys: { id: number; title: string; isReadOnly: boolean; addedBy: string | null }[];
  /** Apps and owners of the organization; owners administer every repository. */
  apps: { id: number; slug: string; permissions: Record<string, 'read' | 'write'>; hasAllRepositories: boolean }[];
  owners: string[];
};

/** Overrides for a pull request inferred from git, or a complete one that git does not contain. */
export type PlantedPull = Partial<PullRequest> & { number: number };

/** An update of a ref in the host's records; a SHA is null for a creation or deletion. Times are epoch milliseconds. */
export type Push = {
  ref: string;
  before: string | null;
  after: string | null;
  at: number;
  by: Person | null;
  kind: 'push' | 'force_push' | 'branch_creation' | 'branch_deletion' | 'pr_merge' | 'merge_queue_merge';
};

/** A check run (`isStatus` false) or a commit status on a commit. `completedAt` null: not completed. */
export type CommitCheck = {
  sha: string;
  name: string;
  isStatus: boolean;
  /** ID of the app that reported it; undefined: that of the installation. */
  app?: number | undefined;
  conclusion: 'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | 'action_required' | null;
  startedAt: number;
  completedAt: number | null;
};

/** The protection of a branch from a time on; null: not protected from then on. */
export type Protection = { at: number; rules: Rules | null };

/** The protection settings of a branch. `requiredReviews` null: pull requests are not required. */
export type Rules = {
  requiredReviews: number | null;
  dismissesStale: boolean;
  allowsForcePush: boolean;
  allowsDeletion: boolean;
  includesAdmins: boolean;
  requiredChecks: string[];
  /** IDs of the apps that must report checks, by name. */
  checkApps?: Record<string, number> | undefined;
  /** Logins and team slugs that can bypass required pull requests. */
  bypassUsers?: string[] | undefined;
  bypassTeams?: string[] | undefined;
};
