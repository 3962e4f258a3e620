import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import { readItems } from '#providers/host-data.ts';
import type { HostPage, HostRef } from '../host-facts.ts';
import type { AccountLookup } from './accounts.ts';
import { type AzureDevopsCommit, changesFrom, isShortened, readCommit } from './commit-shapes.ts';
import { readAllSkipped, readFullPage, readSkippedPage } from './paging.ts';
import { isActive, iterationsFrom, pullRequestFrom, readPullRequest } from './pull-request-shapes.ts';
import { list, project, repositoryFrom, webURLOf } from './shapes.ts';
import { lastThreadTime, reviewersFrom, reviewsFrom, threadsFrom, votesFrom } from './threads.ts';
import type { AzureDevopsApi, AzureDevopsRequest } from './transport.ts';

type AzureDevopsReads = Pick<
  CodeHost,
  | 'listRepositories'
  | 'getRepository'
  | 'listCommits'
  | 'getCommit'
  | 'getChanges'
  | 'compareCommits'
  | 'listPullRequests'
  | 'getPullRequest'
>;

/** Reads an organization or collection with the access of a token. */
export function createReads(api: AzureDevopsApi, accounts: AccountLookup): AzureDevopsReads {
  const closed = createClosedPullRequests(api);
  return {
    async listRepositories(installationId) {
      const path = `/${projectIdOf(installationId)}/_apis/git/repositories`;
      const found = list.parse((await api.json(path)).data).map((json) => repositoryFrom(json, api.baseURL));
      const items = found.filter(({ isDisabled }) => !isDisabled).map(({ isDisabled: _, ...one }) => one);
      return { items, next: null, total: items.length };
    },

    async getRepository(ref) {
      const { isDisabled: _, ...found } = repositoryFrom((await api.json(repositoryPath(ref))).data, api.baseURL);
      return found;
    },

    async listCommits(ref, branch, page) {
      const query = versionQuery('searchCriteria.itemVersion', typeOf(branch), branch);
      const one = { path: `${repositoryPath(ref)}/commits`, query, prefix: 'searchCriteria.' } as const;
      const { items, ...paging } = await readFullPage(api, one, page).catch(emptyWithoutBranch(api, ref));
      const { items: found, unreadable } = readItems(items, readCommit, ({ commitId }) => commitId);
      const commits = await accounts.commitsWith(await wholeCommits(api, ref, found));
      return { items: commits, ...(unreadable && { unreadable }), ...paging };
    },

    async getCommit(ref, sha) {
      const [found, changes] = [await readOneCommit(api, ref, sha), await readChanges(api, ref, sha)];
      const [commit] = await accounts.commitsWith([found]);
      if (!commit) throw new HostRefused(404, 'There is no such commit');
      return { ...commit, changes: changesFrom(changes) };
    },

    getChanges: async (ref, sha) => changesFrom(await readChanges(api, ref, sha)),

    compareCommits: async (ref, base, head) => {
      const found = await commitsBetween(api, ref, base, head);
      return (await accounts.commitsWith(await wholeCommits(api, ref, found))).reverse();
    },

    listPullRequests: (ref, page) => closed.list(ref, page),

    async getPullRequest(ref, number) {
      const path = `${repositoryPath(ref)}/pullRequests/${number}`;
      const found = readPullRequest((await api.json(path)).data);
      const notes = list.parse((await api.json(`${path}/threads`)).data);
      const threads = threadsFrom(notes);
      const iterations = await readIterations(api, ref, number);
      const last = iterations.at(-1);
      const times = [found.creationDate, found.closedDate ?? '', lastThreadTime(threads), last?.updatedDate ?? ''];
      const pullRequest = pullRequestFrom(found, {
        repositoryURL: webURLOf(api.baseURL, projectNameOf(ref), ref.name),
        updatedAt: times.sort().at(-1) ?? found.creationDate,
        mergeBase: last?.commonRefCommit?.commitId,
      });
      const votes = votesFrom(threads, reviewersFrom(found.reviewers ?? []));
      // The timeline needs the threads too.
      return { pullRequest, reviews: reviewsFrom(votes, found.creationDate), notes };
    },
  };
}

/**
 * Lists pull requests: active ones first, then the others by the time they were closed. The API has no time of an update
 * and sorts by creation: an active one counts as just updated, and the closed ones are read as a whole.
 */
function createClosedPullRequests(api: AzureDevopsApi) {
  const kept = new Map<string, { until: number; all: Promise<ListedPullRequest[]> }>();
  const read = (ref: HostRef): Promise<ListedPullRequest[]> => {
    const path = `${repositoryPath(ref)}/pullrequests`;
    const found = kept.get(path);
    if (found && found.until > Date.now()) return found.all;
    const all = readClosed(api, path);
    kept.set(path, { until: Date.now() + KEPT_MS, all });
    all.catch(() => kept.delete(path));
    return all;
  };
  return {
    async list(ref: HostRef, page: string | null): Promise<HostPage<ListedPullRequest>> {
      if (page !== null && !page.startsWith(closedPage)) return nextActive(await readActive(api, ref, page));
      if (page === null) return nextActive(await readActive(api, ref, null));
      const all = await read(ref);
      const from = Number(page.slice(closedPage.length));
      const next = from + perPage < all.length ? `${closedPage}${from + perPage}` : null;
      return { items: all.slice(from, from + perPage), next, total: null };
    },
  };
}

type ListedPullRequest = { number: number; updatedAt: string };
const closedPage = 'closed ';
const perPage = 100;
const KEPT_MS = 5 * 60_000;

const nextActive = (page: HostPage<ListedPullRequest>): HostPage<ListedPullRequest> => ({
  ...page,
  next: page.next ?? `${closedPage}0`,
});

async function readActive(
  api: AzureDevopsApi,
  ref: HostRef,
  page: string | null,
): Promise<HostPage<ListedPullRequest>> {
  const query = { 'searchCriteria.status': 'active' };
  const one = { path: `${repositoryPath(ref)}/pullrequests`, query };
  const { items, ...paging } = await readSkippedPage(api, one, page);
  const now = new Date().toISOString();
  const listed = (json: unknown) => ({ number: readPullRequest(json).pullRequestId, updatedAt: now });
  return { ...readItems(items, listed, ({ pullRequestId }) => pullRequestId), ...paging };
}

async function readClosed(api: AzureDevopsApi, path: string): Promise<ListedPullRequest[]> {
  const query = { 'searchCriteria.status': 'all' };
  const items = await readAllSkipped(api, { path, query, top: 1000 });
  return items
    .map(readPullRequest)
    .filter((one) => !isActive(one))
    .map(({ pullRequestId, closedDate, creationDate }) => ({
      number: pullRequestId,
      updatedAt: closedDate ?? creationDate,
    }))
    .toSorted((one, other) =>
      one.updatedAt < other.updatedAt ? 1 : one.updatedAt > other.updatedAt ? -1 : other.number - one.number,
    );
}

/** The name of the project, which is the last part of the owner. */
export const projectNameOf = ({ owner }: HostRef): string => owner.slice(owner.lastIndexOf('/') + 1);

export const projectPath = (ref: HostRef): string => `/${encodeURIComponent(projectNameOf(ref))}`;

export const repositoryPath = (ref: HostRef): string =>
  `${projectPath(ref)}/_apis/git/repositories/${encodeURIComponent(ref.name)}`;

/** The query that names a branch or commit. */
export const versionQuery = (
  prefix: string,
  type: 'branch' | 'commit',
  name: string,
): NonNullable<AzureDevopsRequest['query']> => ({
  [`${prefix}.version`]: name,
  [`${prefix}.versionType`]: type,
});

/** The ID of the project of a host scope. */
function projectIdOf(installationId: string): string {
  const id = project.shape.id.safeParse(installationId.slice(0, installationId.indexOf('@'))).data;
  if (id === undefined) throw new HostRefused(404, 'This is no project of Azure DevOps');
  return id;
}

export const readOneCommit = async (api: AzureDevopsApi, ref: HostRef, sha: string): Promise<AzureDevopsCommit> =>
  readCommit((await api.json(`${repositoryPath(ref)}/commits/${encodeURIComponent(sha)}`)).data);

/** Reads the commits whose messages a list shortened again, and the first `withParents` ones, for their parents. */
export async function wholeCommits(
  api: AzureDevopsApi,
  ref: HostRef,
  found: readonly AzureDevopsCommit[],
  withParents = 0,
): Promise<AzureDevopsCommit[]> {
  const whole: AzureDevopsCommit[] = [];
  for (const [index, one] of found.entries()) {
    const isLacking = isShortened(one) || (index < withParents && !one.parents);
    whole.push(isLacking ? await readOneCommit(api, ref, one.commitId) : one);
  }
  return whole;
}

const CHANGES_PER_PAGE = 1000;

async function readChanges(api: AzureDevopsApi, ref: HostRef, sha: string): Promise<unknown[]> {
  const changes: unknown[] = [];
  for (;;) {
    const query = { top: CHANGES_PER_PAGE, skip: changes.length };
    const { data } = await api.json(`${repositoryPath(ref)}/commits/${encodeURIComponent(sha)}/changes`, { query });
    const found = changeList(data);
    changes.push(...found);
    if (found.length < CHANGES_PER_PAGE) return changes;
  }
}

const changeList = (data: unknown): unknown[] => {
  const { changes } = data as { changes?: unknown };
  return Array.isArray(changes) ? changes : [];
};

// More commits are not compared.
const MAX_COMPARED = 5_000;

/** The commits reachable from `head` and not from `base`, newest first, without their parents. */
export async function commitsBetween(
  api: AzureDevopsApi,
  ref: HostRef,
  base: string,
  head: string,
): Promise<AzureDevopsCommit[]> {
  const found: AzureDevopsCommit[] = [];
  const query = {
    ...versionQuery('searchCriteria.itemVersion', typeOf(base), base),
    ...versionQuery('searchCriteria.compareVersion', typeOf(head), head),
  };
  const one = { path: `${repositoryPath(ref)}/commits`, query, prefix: 'searchCriteria.' } as const;
  let page: string | null = null;
  do {
    const { items, next }: HostPage<unknown> = await readFullPage(api, one, page);
    found.push(...items.map(readCommit));
    if (found.length > MAX_COMPARED) throw new HostRefused(404, 'The commits are too many to compare');
    page = next;
  } while (page !== null);
  return found;
}

const typeOf = (name: string): 'branch' | 'commit' => (/^[0-9a-f]{40}$/.test(name) ? 'commit' : 'branch');

export const readIterations = async (api: AzureDevopsApi, ref: HostRef, number: number) =>
  iterationsFrom(list.parse((await api.json(`${repositoryPath(ref)}/pullRequests/${number}/iterations`)).data));

/** An empty repository has no branch, which is no error if it is visible. */
const emptyWithoutBranch =
  (api: AzureDevopsApi, ref: HostRef) =>
  async (error: unknown): Promise<HostPage<unknown>> => {
    if (!(error instanceof HostRefused && error.status === 404)) throw error;
    const { data } = await api.json(`${repositoryPath(ref)}/refs`, { query: { filter: 'heads/', $top: 1 } });
    if (list.parse(data).length > 0) throw error;
    return { items: [], next: null, total: 0 };
  };
