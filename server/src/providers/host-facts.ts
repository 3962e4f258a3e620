/** A repository at the host. Its `id` survives a rename. */
export interface HostRepository {
  id: string;
  owner: string;
  name: string;
  fullName: string;
  defaultBranch: string;
  isPrivate: boolean;
  url: string;
  pushedAt: string | null;
}

/** An author or committer, from git and from the host. */
export interface HostPerson {
  name: string;
  email: string;
  login: string | null;
  /** The unique ID of the account on hosts whose logins are not unique. */
  id?: string;
  /** The permanent number or UUID of the account, if known: logins can be reassigned. */
  hostId?: string;
  avatarUrl: string | null;
  /** Whether the account is a program, according to the host; undefined if it does not say so. */
  isAgent?: true;
}

/** An account on the host, as in pull requests. */
export interface HostUser {
  login: string;
  /** The unique ID of the account on hosts whose logins are not unique. */
  id?: string;
  /** The permanent number or UUID of the account, if known: logins can be reassigned. */
  hostId?: string;
  avatarUrl: string | null;
  isAgent: boolean;
}

/** Facts of a code host in one format for GitHub, GitLab and Bitbucket. Times are RFC 3339 in UTC. */

export interface HostChanges {
  /** Lines; null if only the names of the files are known. */
  additions: number | null;
  deletions: number | null;
  files: {
    path: string;
    status: 'added' | 'modified' | 'removed' | 'renamed';
    additions: number | null;
    deletions: number | null;
  }[];
}

export interface HostCommit {
  sha: string;
  message: string;
  author: HostPerson;
  authoredAt: string;
  committer: HostPerson;
  committedAt: string;
  /** Null if the source does not contain them, as in a push payload. */
  parents: string[] | null;
  /** Whether the host verified its signature; undefined without one, or if the source does not contain it. */
  isSignatureVerified?: true;
  /** The key of its signature, verified or not, by an ID of its kind; undefined as above. */
  signingKey?: string;
  /** Undefined if they were not requested. */
  changes?: HostChanges;
}

export interface HostReview {
  id: string;
  user: HostUser;
  state: 'approved' | 'changes_requested' | 'commented' | 'dismissed' | 'pending';
  sha: string | null;
  submittedAt: string;
}

export interface HostPullRequest {
  number: number;
  title: string;
  state: 'in-progress' | 'accepted' | 'closed';
  draft: boolean;
  author: HostUser;
  createdAt: string;
  updatedAt: string;
  mergedAt: string | null;
  mergedBy: HostUser | null;
  closedAt: string | null;
  closedBy: HostUser | null;
  baseRef: string;
  headRef: string;
  headSha: string;
  mergeSha: string | null;
  additions: number | null;
  deletions: number | null;
  changedFiles: number | null;
  commits: number | null;
  url: string;
  /** Undefined if the source does not contain it. */
  body?: string;
  labels?: readonly string[];
  /** The merge base of its branch and its target; undefined if the source does not contain it. */
  mergeBase?: string;
  /** Whether its branch is in another repository. */
  isFromFork?: boolean;
}

export interface ReviewedPullRequest {
  pullRequest: HostPullRequest;
  reviews: HostReview[];
  /** The response that contained the reviews, if `timelineOf` needs the same one. */
  notes?: readonly unknown[];
}

/** A pull request that was read together with others. */
export interface ListedPullRequest {
  pullRequest: HostPullRequest;
  /** Undefined if they need a request of their own: `getReviews` of the host. */
  reviews: HostReview[] | undefined;
}

/** An alert of a scanner of a code host with its state on one ref. */
export interface HostAlert {
  kind: 'code_scanning' | 'dependabot' | 'secret_scanning';
  number: number;
  /** Its page at the host. */
  url: string;
  createdAt: string;
  state: 'open' | 'dismissed' | 'fixed';
  /** The texts of the host; both may be empty. */
  dismissed: { reason: string; comment: string } | null;
  tool: { name: string; version: string | null };
  /** `description`: Markdown, empty if the host has none. */
  rule: { id: string; name: string | null; title: string; description: string; tags: readonly string[] };
  /** critical, high, medium, low or info; null if the host reports none. */
  severity: string | null;
  cwes: readonly number[];
  codes: readonly { kind: 'cve' | 'ghsa'; id: string }[];
  references: readonly { title: string; url: string }[];
  /** A full ref; null for the default branch. */
  ref: string | null;
  commit: string | null;
  path: string | null;
  line: number | null;
  endLine: number | null;
  message: string;
  package: { name: string; fixedIn: string | null } | null;
}

/** A range of lines with the commit that introduced it, from the blame of the host. Lines start at 1. */
export interface HostBlame {
  from: number;
  to: number;
  commit: { sha: string; message: string; author: HostPerson; authoredAt: string };
  /** The pull request of the commit; null if the host reports none. */
  pullRequest: number | null;
}

/** A file of a commit. `blob`: the ID of its content. `size`: in bytes, null if unknown. */
export interface HostFile {
  path: string;
  blob: string;
  size: number | null;
}

/** A repository with the installation for its access. */
export interface HostRef {
  installationId: string;
  owner: string;
  name: string;
}

/**
 * One page of a list. `next`: the opaque name of the next page, null for the last one. `total`: null if the host does
 * not report it.
 */
export interface HostPage<Item> {
  items: Item[];
  next: string | null;
  total: number | null;
  /** Invalid items. `item`: the ID of the item at the host. */
  unreadable?: readonly { item: string; reason: string }[];
}
