import type { HostActivity, RequiredApp } from '@sightline/evidence/controls/change-rows.ts';
import type { HostAccess } from './host-access.ts';
import type { HostCommit, HostPullRequest, HostRef, HostUser, ReviewedPullRequest } from './host-facts.ts';

/** A push to a branch from the list of the host. */
export interface HostPush {
  /** Null if the branch was created. */
  before: string | null;
  /** Null if the branch was deleted. */
  after: string | null;
  at: string;
  /** Null if the list does not contain it. */
  isForced: boolean | null;
  pusher: HostUser | null;
  /** Null if the list does not tell merges of pull requests from direct pushes. */
  activity: Exclude<HostActivity, 'not_reported'> | null;
}

/** A push to the branch of a pull request. */
export interface HostHeadPush {
  sha: string;
  /** Null if it created the branch; undefined if the host does not report it. */
  before?: string | null;
  at: string;
  /** `after`: `at` is later than the push, whose time is unknown. */
  atKnown: 'host' | 'after';
  pusher: HostUser | null;
}

/** Events of a pull request other than commits and reviews. Fields that a host never reports are undefined. */
export interface HostTimeline {
  /** Dismissed or revoked reviews. `state`: the previous state, null if unknown. */
  dismissals: readonly { reviewId: string; at: string | null; state: 'approved' | 'changes_requested' | null }[];
  /** Who last enabled the automatic merge or queued it; null if neither happened. */
  mergeRequestedBy: HostUser | null | undefined;
  /** Whether a merge queue merged it. */
  isQueued: boolean | undefined;
  /** The number of linked issues. */
  linkedIssues: number | undefined;
}

/** The protection of a branch; each field is null if the host denies access to it. */
export interface HostProtection {
  requiredReviews: number | null;
  dismissesStaleReviews: boolean | null;
  allowsForcePush: boolean | null;
  allowsDeletion: boolean | null;
  /** Whether no user can bypass it: neither administrators nor named users, teams and apps. */
  includesAdmins: boolean | null;
  /** The names of the checks that must succeed. */
  requiredChecks: readonly string[] | null;
  /** Their number, which a host may report without the names. */
  requiredCheckCount: number | null;
  /** Those that only one app of the host may report. */
  requiredApps: readonly RequiredApp[] | null;
  /** Number of those that any app may report. */
  unboundChecks: number | null;
}

/** A check or status of a commit. `conclusion`: the term of the host. */
export interface HostCheck {
  name: string;
  /** ID of the app that reported it; null: a commit status, or the host does not report it. */
  app: string | null;
  sha: string;
  conclusion: string | null;
  completedAt: string | null;
}

/** A list that may be incomplete. */
export interface HostList<Item> {
  items: readonly Item[];
  isWhole: boolean;
}

/** A file that differs between two commits. */
export interface HostFileDifference {
  path: string;
  /** The path before a rename; null without one. */
  previousPath: string | null;
  status: 'added' | 'modified' | 'removed' | 'renamed';
  /** ID of its content, which may be abbreviated; null if the host does not report it. */
  blob: string | null;
  /** Its hunks in the unified format; null if the host omits them, as for binary files. */
  patch: string | null;
}

/** A file that a pull request changes. */
export type HostChangedFile = Pick<HostFileDifference, 'path' | 'previousPath' | 'status'>;

/** A merged pull request of a commit. */
export interface MergedPullRequest {
  number: number;
  baseRef: string;
}

/**
 * Reads evidence of changes. All methods throw the errors of CodeHost: HostRefused 403 for a missing permission, 404 if
 * deleted or not supported.
 */
export interface HostEvidence {
  /** Whether a review applies to a commit, or to the pull request at its time. */
  reviewsAreFor: 'commit' | 'time';
  /**
   * False if the host may merge a pull request by a merge commit that it does not name: `mergeSha` is then the reviewed
   * commit below it.
   */
  namesMergeCommits?: false;
  /** The pushes to a branch since a time, newest first. Undefined if the host has no list of pushes. */
  listPushes?: (ref: HostRef, branch: string, since: string) => Promise<HostList<HostPush>>;
  /** Whether a push discarded commits; null if unknown. Undefined if the host reports it with the push. */
  wasForced?: (ref: HostRef, before: string, after: string) => Promise<boolean | null>;
  /** The merged pull requests of a commit. */
  pullsOf: (ref: HostRef, sha: string) => Promise<MergedPullRequest[]>;
  /** The commits of a pull request, oldest first, without their changes. */
  pullRequestCommits: (ref: HostRef, number: number) => Promise<HostList<HostCommit>>;
  /** The files that a pull request changes. Not whole above the limit of the host. */
  pullRequestFiles: (ref: HostRef, number: number) => Promise<HostList<HostChangedFile>>;
  /** The pushes to its branch before the merge, newest first; empty if the host does not report them. */
  pullRequestPushes: (ref: HostRef, pullRequest: HostPullRequest) => Promise<HostHeadPush[]>;
  /** The files that differ between the merge base of two commits and `head`. Not whole above the limit of the host. */
  differenceOf: (ref: HostRef, base: string, head: string) => Promise<HostList<HostFileDifference>>;
  /** `read`: what `getPullRequest` has just returned, which may save a request. */
  timelineOf: (ref: HostRef, number: number, read?: Pick<ReviewedPullRequest, 'notes'>) => Promise<HostTimeline>;
  /**
   * The git notes of agents (`refs/notes/ai`) by commit; null for a note longer than 256 KiB. Empty if the repository
   * has no such notes.
   */
  notesOf?: (ref: HostRef, shas: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;
  /** Undefined if the branch is not protected. */
  protectionOf: (ref: HostRef, branch: string) => Promise<HostProtection | undefined>;
  /** Whether the host prevents that any tag is moved or deleted; null if it denies access to these settings. */
  tagsAreProtected: (ref: HostRef) => Promise<boolean | null>;
  /** Everything with access to the repository, and whether it can bypass the protection of `branch`. */
  accessOf?: (ref: HostRef, branch: string) => Promise<HostAccess>;
  /** The checks and statuses of a commit, with all runs. */
  checksOf: (ref: HostRef, sha: string) => Promise<HostCheck[]>;
}
