/** What a code host tells, in one shape for GitHub, GitLab and Bitbucket. Times are RFC 3339 UTC. */

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
  avatarUrl: string | null;
}

/** An account on the host, as pull requests name it. */
export interface HostUser {
  login: string;
  avatarUrl: string | null;
  isAgent: boolean;
}

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
  /** critical, high, medium, low or info. */
  severity: string;
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

/** A file of a commit. `blob` is the id of its content, `size` in bytes. */
export interface HostFile {
  path: string;
  blob: string;
  size: number;
}

/** Which repository, and through which installation it may be read. */
export interface HostRef {
  installationId: string;
  owner: string;
  name: string;
}

/** One page of a list and where the next begins; `next` null at the end. `total` where the host says it. */
export interface HostPage<Item> {
  items: Item[];
  next: number | null;
  total: number | null;
}

/** Thrown while a host holds us back: nothing is lost, the work goes on at `until`. */
export class HostLimited extends Error {
  override name = 'HostLimited';
  readonly until: Date;
  constructor(until: Date) {
    super(`The code host asks us to wait until ${until.toISOString()}`);
    this.until = until;
  }
}

/** Thrown for an answer that another try will not change: gone, forbidden, a permission missing. */
export class HostRefused extends Error {
  override name = 'HostRefused';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Reads of a code host. Pages are numbered from 1 and hold up to 100 items.
 * Throws HostLimited, HostRefused, or an ordinary Error for what may pass (5xx, network).
 */
export interface CodeHost {
  listRepositories: (installationId: string, page: number) => Promise<HostPage<HostRepository>>;
  getRepository: (ref: HostRef) => Promise<HostRepository>;
  /** Newest first along `branch`. */
  listCommits: (ref: HostRef, branch: string, page: number) => Promise<HostPage<HostCommit>>;
  /** With its changes. */
  getCommit: (ref: HostRef, sha: string) => Promise<HostCommit>;
  /** Commits reachable from `head` and not from `base`, oldest first. */
  compareCommits: (ref: HostRef, base: string, head: string) => Promise<HostCommit[]>;
  /** All states, the last updated first. */
  listPullRequests: (ref: HostRef, page: number) => Promise<HostPage<{ number: number; updatedAt: string }>>;
  /** With merge data, who closed it, and its reviews. */
  getPullRequest: (ref: HostRef, number: number) => Promise<{ pullRequest: HostPullRequest; reviews: HostReview[] }>;
}
