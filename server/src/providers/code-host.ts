import type { HostEvidence } from './host-evidence.ts';

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

/** The items of every page of a list, page by page. */
export async function* pagesOf<Item>(
  read: (page: string | null) => Promise<HostPage<Item>>,
): AsyncGenerator<Item[], void> {
  let page: string | null = null;
  do {
    const { items, next }: HostPage<Item> = await read(page);
    yield items;
    page = next;
  } while (page !== null);
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

/** Thrown for what may pass: the host answered with an error of its own, or could not be reached. */
export class HostFailed extends Error {
  override name = 'HostFailed';
}

/**
 * Reads of a code host. `page` is null for the first, else the `next` of the one before; a page holds up to 100 items.
 * Throws HostLimited, HostRefused, or HostFailed.
 */
export interface CodeHost extends HostCode {
  listRepositories: (installationId: string, page: string | null) => Promise<HostPage<HostRepository>>;
  getRepository: (ref: HostRef) => Promise<HostRepository>;
  /** Newest first along `branch`. */
  listCommits: (ref: HostRef, branch: string, page: string | null) => Promise<HostPage<HostCommit>>;
  /** With its changes. */
  getCommit: (ref: HostRef, sha: string) => Promise<HostCommit>;
  /**
   * What each of these commits changed, in far fewer requests than one for each; without the lines of each file. Left out are
   * those that only `getCommit` tells exactly. Undefined on hosts without such a way.
   */
  listChanges?: (ref: HostRef, shas: readonly string[]) => Promise<Map<string, HostChanges>>;
  /** Commits reachable from `head` and not from `base`, oldest first. */
  compareCommits: (ref: HostRef, base: string, head: string) => Promise<HostCommit[]>;
  /** All states, the last updated first. */
  listPullRequests: (ref: HostRef, page: string | null) => Promise<HostPage<{ number: number; updatedAt: string }>>;
  /** With merge data, who closed it, and its reviews. */
  getPullRequest: (ref: HostRef, number: number) => Promise<ReviewedPullRequest>;
  /**
   * The same of many by their numbers, in far fewer requests. Left out are those that only `getPullRequest` tells exactly.
   * Undefined on hosts without such a way.
   */
  getPullRequests?: (ref: HostRef, numbers: readonly number[]) => Promise<Map<number, ReviewedPullRequest>>;
  /** What its own scanners say; undefined where we read none. */
  alerts?: HostAlerts;
  /**
   * Says something of a commit that a host can ask for before a merge; said again under the same context, the last counts.
   * Undefined where we say nothing there.
   */
  setStatus?: (ref: HostRef, sha: string, status: HostStatus) => Promise<void>;
  /** Words of ours at a pull request. Undefined where we write none. */
  comments?: HostComments;
  /** Answers a check that asks about a pull request at a commit. Undefined on hosts whose checks do not ask. */
  answerCheck?: (ref: HostRef, number: number, answer: CheckAnswer) => Promise<void>;
  /** How changes came about; undefined where we read nothing of it. */
  evidence?: HostEvidence;
  /** Undefined where installing the app brings every webhook. */
  hooks?: HostHooks;
}

/** What our status is called on code hosts: names stay for ever, since protections of branches require it. */
export const ownStatus = 'sightline/policy';

export interface CheckAnswer {
  sha: string;
  checkId: string;
  state: HostStatus['state'];
}

export interface HostStatus {
  state: 'success' | 'failure' | 'pending';
  /** What it is called there. */
  context: string;
  /** At most 140 characters. */
  description: string;
  /** Where it is explained. */
  url: string;
}

/** Comments at pull requests, in Markdown. They throw as CodeHost does: HostRefused 403 where we may read only. */
export interface HostComments {
  /** The id of a comment that holds some text; undefined where none does. */
  findComment: (ref: HostRef, number: number, text: string) => Promise<string | undefined>;
  /** Answers its id. */
  writeComment: (ref: HostRef, number: number, body: string) => Promise<string>;
  /** Throws HostRefused 404 where somebody deleted it. */
  changeComment: (ref: HostRef, number: number, id: string, body: string) => Promise<void>;
}

/** Reads of the code itself. They throw as CodeHost does. */
export interface HostCode {
  /** The commit a branch stands at. Throws HostRefused 404 where it has none. */
  headOf: (ref: HostRef, branch: string) => Promise<string>;
  /** A file at a commit. Throws HostRefused 404 for what is no file there, and 413 for one the host will not give. */
  readFile: (ref: HostRef, commit: string, path: string) => Promise<Buffer>;
  /**
   * All files of a commit, without links and submodules. Of a tree too large for the host to list, those at the top and in
   * the folders at the top whose names begin with a dot.
   */
  listTree: (ref: HostRef, commit: string) => Promise<HostFile[]>;
  /** A file by the id of its content, up to 100 MB. */
  readBlob: (ref: HostRef, blob: string) => Promise<Buffer>;
  /**
   * Which commit brought each line of some files, as seen from a commit; without those that are not there. Dear: ask for a
   * few files at once, but not for many. Undefined on a host that has no blame to ask for.
   */
  blame?: (ref: HostRef, commit: string, paths: readonly string[]) => Promise<Map<string, HostBlame[]>>;
}

/** Reads of what a host's own scanners say. They throw as CodeHost does; 403 and 404 also where one is switched off. */
export interface HostAlerts {
  /** The refs code scanning has looked at, the latest first; as many as stand on the first pages. */
  listAnalysedRefs: (ref: HostRef) => Promise<string[]>;
  /** Alerts of code scanning as they stand on one full ref, page by page, in every state. */
  listCodeAlerts: (ref: HostRef, gitRef: string) => AsyncGenerator<HostAlert[]>;
  /** All alerts of the default branch, page by page, in every state. */
  listAlerts: (ref: HostRef, kind: Exclude<HostAlert['kind'], 'code_scanning'>) => AsyncGenerator<HostAlert[]>;
  /** Whether a branch is there. */
  hasBranch: (ref: HostRef, branch: string) => Promise<boolean>;
  /** One alert; of code scanning as it stands on `gitRef`. Undefined where it does not stand there. */
  getAlert: (ref: HostRef, kind: HostAlert['kind'], number: number, gitRef: string) => Promise<HostAlert | undefined>;
}

/** Webhooks that we make ourselves. They throw as CodeHost does. */
export interface HostHooks {
  /** Has the host tell `url` of pushes and pull requests, signed with `secret`; answers the id the host gives the hook. */
  createHook: (ref: HostRef, hook: { url: string; secret: string }) => Promise<string>;
  /** Has the host sign deliveries of a hook with another secret. The rest of the hook must be given as it was made. */
  setHookSecret: (ref: HostRef, hookId: string, hook: { url: string; secret: string }) => Promise<void>;
  /** Nothing happens where it is gone already. */
  deleteHook: (ref: HostRef, hookId: string) => Promise<void>;
}
