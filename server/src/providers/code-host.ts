import type { HostCopilot } from './host-copilot.ts';
import type { HostEvidence } from './host-evidence.ts';
import type {
  HostAlert,
  HostBlame,
  HostChanges,
  HostCommit,
  HostFile,
  HostPage,
  HostPullRequest,
  HostRef,
  HostRepository,
  HostReview,
  ListedPullRequest,
  ReviewedPullRequest,
} from './host-facts.ts';

/** Reads a list page by page and yields the items of each page. */
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

/** Thrown during a rate limit of the host. The work can continue at `until`. */
export class HostLimited extends Error {
  override name = 'HostLimited';
  readonly until: Date;
  constructor(until: Date) {
    super(`The code host is rate limiting requests until ${until.toISOString()}`);
    this.until = until;
  }
}

/** Thrown for a response that a retry cannot change, such as not found or a missing permission. */
export class HostRefused extends Error {
  override name = 'HostRefused';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Thrown for a temporary failure: the host returned a server error or could not be reached. */
export class HostFailed extends Error {
  override name = 'HostFailed';
}

/**
 * The API of a code host. `page` is null for the first page, else the `next` of the previous one. A page has up to 100
 * items. All methods throw HostLimited, HostRefused or HostFailed.
 */
export interface CodeHost extends HostCode {
  listRepositories: (installationId: string, page: string | null) => Promise<HostPage<HostRepository>>;
  getRepository: (ref: HostRef) => Promise<HostRepository>;
  /** Newest first along `branch`, which can also be the SHA of a commit. */
  listCommits: (ref: HostRef, branch: string, page: string | null) => Promise<HostPage<HostCommit>>;
  /** A commit with its changes. */
  getCommit: (ref: HostRef, sha: string) => Promise<HostCommit>;
  /**
   * The changes of many commits in few requests, without line counts per file. Omits commits that need `getCommit` for
   * an exact result. Undefined if the host does not support it.
   */
  listChanges?: (ref: HostRef, shas: readonly string[]) => Promise<Map<string, HostChanges>>;
  /** The changes of a commit, in fewer requests than `getCommit`. Undefined if that needs only one. */
  getChanges?: (ref: HostRef, sha: string) => Promise<HostChanges>;
  /** Commits reachable from `head` and not from `base`, oldest first. */
  compareCommits: (ref: HostRef, base: string, head: string) => Promise<HostCommit[]>;
  /** Pull requests in all states, latest update first. */
  listPullRequests: (ref: HostRef, page: string | null) => Promise<HostPage<{ number: number; updatedAt: string }>>;
  /** A pull request with merge data, the actor who closed it, and its reviews. */
  getPullRequest: (ref: HostRef, number: number) => Promise<ReviewedPullRequest>;
  /**
   * Many pull requests by number in few requests. Omits those that need `getPullRequest` for an exact result. Undefined
   * if the host does not support it.
   */
  getPullRequests?: (ref: HostRef, numbers: readonly number[]) => Promise<Map<number, ListedPullRequest>>;
  /** The reviews of a pull request. Undefined if `getPullRequests` returns them. */
  getReviews?: (ref: HostRef, pullRequest: HostPullRequest) => Promise<HostReview[]>;
  /** The alerts of the scanners of the host; undefined if not supported. */
  alerts?: HostAlerts;
  /**
   * Sets a commit status, which the host can require before a merge. The last status of a context applies. Undefined if
   * not supported.
   */
  setStatus?: (ref: HostRef, sha: string, status: HostStatus) => Promise<void>;
  /** Comments in pull requests. Undefined if not supported. */
  comments?: HostComments;
  /** Sends the result of an external status check. Undefined if the host has no such checks. */
  answerCheck?: (ref: HostRef, number: number, answer: CheckAnswer) => Promise<void>;
  /** Evidence of changes; undefined if not supported. */
  evidence?: HostEvidence;
  /** Usage reports of Copilot; undefined if not supported. */
  copilot?: HostCopilot;
  /** Undefined if the app receives all webhooks. */
  hooks?: HostHooks;
}

/** The context of our commit status. It must never change, because branch protections require it by name. */
export const OWN_STATUS_CONTEXT = 'sightline/policy';

export interface CheckAnswer {
  sha: string;
  checkId: string;
  state: HostStatus['state'];
}

export interface HostStatus {
  state: 'success' | 'failure' | 'pending';
  /** The name of the status at the host. */
  context: string;
  /** At most 140 characters. */
  description: string;
  /** The page with details. */
  url: string;
}

/** Pull request comments in Markdown. Throw the errors of CodeHost, HostRefused 403 with read-only access. */
export interface HostComments {
  /** The ID of a comment that contains a text; undefined if there is none. */
  findComment: (ref: HostRef, number: number, text: string) => Promise<string | undefined>;
  /** Creates a comment and returns its ID. */
  writeComment: (ref: HostRef, number: number, body: string) => Promise<string>;
  /** Changes a comment. Throws HostRefused 404 if it was deleted. */
  changeComment: (ref: HostRef, number: number, id: string, body: string) => Promise<void>;
}

/** Reads code. All methods throw the errors of CodeHost. */
export interface HostCode {
  /** The head commit of a branch. Throws HostRefused 404 if there is none. */
  headOf: (ref: HostRef, branch: string) => Promise<string>;
  /** A file at a commit. Throws HostRefused 404 if it is not a file, and 413 if it is too large for the host. */
  readFile: (ref: HostRef, commit: string, path: string) => Promise<Buffer>;
  /**
   * All files of a commit, without links and submodules. If the tree is too large for the host, only the files of the
   * root and of its folders whose names start with a dot.
   */
  listTree: (ref: HostRef, commit: string) => Promise<HostFile[]>;
  /** The last commit up to `commit` that changed a file; undefined if there is none. */
  lastChangeOf: (ref: HostRef, commit: string, path: string) => Promise<HostCommit | undefined>;
  /** A file by the ID of its content, up to 100 MB. */
  readBlob: (ref: HostRef, blob: string) => Promise<Buffer>;
  /**
   * The commits that introduced the lines of files, as of a commit; without missing files. Expensive: request a few
   * files at once, but not many. Undefined if the host has no blame.
   */
  blame?: (ref: HostRef, commit: string, paths: readonly string[]) => Promise<Map<string, HostBlame[]>>;
}

/** Alerts of the scanners of a host. Throw the errors of CodeHost, 403 and 404 also for a disabled scanner. */
export interface HostAlerts {
  /** The latest refs that code scanning analyzed, from a limited number of pages. */
  listAnalyzedRefs: (ref: HostRef) => Promise<string[]>;
  /** The code scanning alerts of one full ref in every state, page by page. */
  listCodeAlerts: (ref: HostRef, gitRef: string) => AsyncGenerator<HostAlert[]>;
  /** All alerts of the default branch in every state, page by page. */
  listAlerts: (ref: HostRef, kind: Exclude<HostAlert['kind'], 'code_scanning'>) => AsyncGenerator<HostAlert[]>;
  /** Whether a branch exists. */
  hasBranch: (ref: HostRef, branch: string) => Promise<boolean>;
  /** One alert; for code scanning its state on `gitRef`, or undefined if the ref does not have it. */
  getAlert: (ref: HostRef, kind: HostAlert['kind'], number: number, gitRef: string) => Promise<HostAlert | undefined>;
}

/** Webhooks that we create per repository. Throw the errors of CodeHost. */
export interface HostHooks {
  /** Creates a webhook for pushes and pull requests to `url`, signed with `secret`. Returns its ID at the host. */
  createHook: (ref: HostRef, hook: { url: string; secret: string }) => Promise<string>;
  /** Changes the secret of a webhook. The other fields must be the same as at creation. */
  setHookSecret: (ref: HostRef, hookId: string, hook: { url: string; secret: string }) => Promise<void>;
  /** Deletes a webhook. Does nothing if it is already deleted. */
  deleteHook: (ref: HostRef, hookId: string) => Promise<void>;
}
