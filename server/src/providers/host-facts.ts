/** A repository as the host knows it; `id` survives a rename. */
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

/** Somebody as git or the host names them. */
export interface HostPerson {
  name: string;
  email: string;
  login: string | null;
  /** What tells accounts apart on a host whose logins do not. */
  id?: string;
  /** The number or UUID that the host gave to the account, where the source names it: a login passes to others. */
  hostId?: string;
  avatarUrl: string | null;
}

/** An account on the host, as pull requests name it. */
export interface HostUser {
  login: string;
  /** What tells accounts apart on a host whose logins do not. */
  id?: string;
  /** The number or UUID that the host gave to the account, where the source names it: a login passes to others. */
  hostId?: string;
  avatarUrl: string | null;
  isAgent: boolean;
}

/** What a code host tells, in one shape for GitHub, GitLab and Bitbucket. Times are RFC 3339 UTC. */

export interface HostChanges {
  /** Lines; null where only the names of the files are known. */
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
  /** Null where the source does not say (a push payload). */
  parents: string[] | null;
  /** Undefined where it was not asked. */
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
  /** Undefined where it was not told. */
  body?: string;
  labels?: readonly string[];
  /** Whether its branch lies in another repository. */
  isFromFork?: boolean;
}

export interface ReviewedPullRequest {
  pullRequest: HostPullRequest;
  reviews: HostReview[];
}

/** What a code host's own scanners say of one weakness, as it stands on one ref. */
export interface HostAlert {
  kind: 'code_scanning' | 'dependabot' | 'secret_scanning';
  number: number;
  /** Where the host shows it. */
  url: string;
  createdAt: string;
  state: 'open' | 'dismissed' | 'fixed';
  /** In the host's own words; both may be empty. */
  dismissed: { reason: string; comment: string } | null;
  tool: { name: string; version: string | null };
  /** `description` is Markdown, and empty where the host gives none. */
  rule: { id: string; name: string | null; title: string; description: string; tags: readonly string[] };
  /** critical, high, medium, low or info; null where the host tells none. */
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

/** Who brought a run of lines into a file, as the host's blame says. Lines count from 1. */
export interface HostBlame {
  from: number;
  to: number;
  commit: { sha: string; message: string; author: HostPerson; authoredAt: string };
  /** The pull request it came by; null where the host names none. */
  pullRequest: number | null;
}

/** A file of a commit. `blob` is the id of its content, another one once that changes; `size` in bytes, null where unsaid. */
export interface HostFile {
  path: string;
  blob: string;
  size: number | null;
}

/** Which repository, and through which installation it may be read. */
export interface HostRef {
  installationId: string;
  owner: string;
  name: string;
}

/**
 * One page of a list. `next` is how the host names the page after it, to be handed back as it is; null at the end.
 * `total` where the host says it.
 */
export interface HostPage<Item> {
  items: Item[];
  next: string | null;
  total: number | null;
  /** Items that are not what they should be: `item` as the host names them. */
  unreadable?: readonly { item: string; reason: string }[];
}
