import type { HostCommit, HostPullRequest, HostRef, HostUser } from './host-facts.ts';

/** A push to a branch as the host's own list of them has it. */
export interface HostPush {
  /** Null: the branch was made. */
  before: string | null;
  /** Null: the branch was deleted. */
  after: string | null;
  at: string;
  /** Null where the list does not say. */
  isForced: boolean | null;
  pusher: HostUser | null;
}

/** A push to the branch of a pull request. */
export interface HostHeadPush {
  sha: string;
  at: string;
  /** `after`: all that is known is that it was no earlier. */
  atKnown: 'host' | 'after';
  pusher: HostUser | null;
}

/** What happened to a pull request beside commits and reviews. What a host never tells is undefined. */
export interface HostTimeline {
  /** Reviews that were dismissed or taken back; `state` is what they said before, null where nobody tells. */
  dismissals: readonly { reviewId: string; at: string | null; state: 'approved' | 'changes_requested' | null }[];
  /** Who had it merged once ready, or put it into the queue last; null: nobody did. */
  mergeRequestedBy: HostUser | null | undefined;
  /** Whether a merge queue merged it. */
  isQueued: boolean | undefined;
  /** Issues it is linked to. */
  linkedIssues: number | undefined;
}

/** What protects a branch; each point null where the host does not let us read it. */
export interface HostProtection {
  requiredReviews: number | null;
  dismissesStaleReviews: boolean | null;
  allowsForcePush: boolean | null;
  allowsDeletion: boolean | null;
  /** Whether nobody may go round it. */
  includesAdmins: boolean | null;
  /** Names of the checks that must be green. */
  requiredChecks: readonly string[] | null;
}

/** A check or status of a commit. `conclusion` in the host's words. */
export interface HostCheck {
  name: string;
  sha: string;
  conclusion: string | null;
  completedAt: string | null;
}

/** A list that the host may have cut off. */
export interface HostList<Item> {
  items: readonly Item[];
  isWhole: boolean;
}

/** A merged pull request that a commit came by. */
export interface HostOrigin {
  number: number;
  baseRef: string;
}

/**
 * Reads of how changes came about. They throw as CodeHost does: HostRefused 403 where a permission is missing, 404 for what is
 * gone or not offered.
 */
export interface HostEvidence {
  /** Whether reviews are given for a commit, or for a pull request as it stands. */
  reviewsAreFor: 'commit' | 'time';
  /** The pushes to a branch since then, newest first. Undefined where the host keeps no list. */
  listPushes?: (ref: HostRef, branch: string, since: string) => Promise<HostList<HostPush>>;
  /** Whether a push threw commits away; null where nobody can say any more. Undefined where the host says so of itself. */
  wasForced?: (ref: HostRef, before: string, after: string) => Promise<boolean | null>;
  /** The merged pull requests a commit belongs to. */
  pullsOf: (ref: HostRef, sha: string) => Promise<HostOrigin[]>;
  /** The commits of a pull request, oldest first, without their changes. */
  pullRequestCommits: (ref: HostRef, number: number) => Promise<HostList<HostCommit>>;
  /** Pushes to its branch until it was merged, newest first; empty where the host does not tell. */
  pullRequestPushes: (ref: HostRef, pullRequest: HostPullRequest) => Promise<HostHeadPush[]>;
  timelineOf: (ref: HostRef, number: number) => Promise<HostTimeline>;
  /**
   * What the notes of agents on some commits say (`refs/notes/ai`), by commit; null for one longer than 256 KiB. Empty where
   * nothing writes notes here.
   */
  notesOf?: (ref: HostRef, shas: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;
  /** Undefined where the host says that nothing protects the branch. */
  protectionOf: (ref: HostRef, branch: string) => Promise<HostProtection | undefined>;
  /** Checks and statuses of a commit, every run of each. */
  checksOf: (ref: HostRef, sha: string) => Promise<HostCheck[]>;
}
