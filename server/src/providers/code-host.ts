import type { HostEvidence } from './host-evidence.ts';
import type {
  HostAlert,
  HostBlame,
  HostChanges,
  HostCommit,
  HostFile,
  HostPage,
  HostRef,
  HostRepository,
  ReviewedPullRequest,
} from './host-facts.ts';

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
    super(`The code host is rate limiting requests until ${until.toISOString()}`);
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
