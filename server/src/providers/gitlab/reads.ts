import { z } from 'zod';
import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import { readItems } from '#providers/host-data.ts';
import type { HostPage, HostPullRequest, HostRef, ListedPullRequest } from '../host-facts.ts';
import type { AccountLookup } from './accounts.ts';
import { changesOfFiles, changesWithTotals, commitFrom } from './commit-shapes.ts';
import { scopeProjectsPath } from './holder.ts';
import {
  listedTotalsFrom,
  type MergeRequestTotals,
  pullRequestFrom,
  pullRequestListedFrom,
  reviewsFrom,
  totalsFrom,
  unknownTotals,
} from './merge-request-shapes.ts';
import { readAllItems, readPage } from './paging.ts';
import { repositoryFrom } from './shapes.ts';
import type { GitlabApi } from './transport.ts';

const withCount = z.object({
  default_branch: z.string().nullish(),
  statistics: z.object({ commit_count: z.number().int() }).nullish(),
});

type Reads = Pick<
  CodeHost,
  | 'listRepositories'
  | 'getRepository'
  | 'listCommits'
  | 'getCommit'
  | 'compareCommits'
  | 'listPullRequests'
  | 'getPullRequest'
  | 'getPullRequests'
  | 'getReviews'
  | 'getChanges'
>;

/** Reads a GitLab instance with the access of a token. */
export function createReads(ask: GitlabApi, accounts: AccountLookup): Reads {
  const commitsFrom = async (ref: HostRef, found: readonly unknown[]) => {
    const unresolved = found.map((json) => commitFrom(json));
    const known = await accounts.look(
      pathOf(ref),
      unresolved.map(({ sha, author: { email } }) => ({ sha, email })),
    );
    return found.map((json) => commitFrom(json, known));
  };

  return {
    async listRepositories(installationId, page) {
      const { path, query } = scopeProjectsPath(installationId);
      const read = { ...query, archived: false, order_by: 'id', sort: 'asc' };
      const { items, ...paging } = await readPage(ask, path, read, page);
      return { items: items.map(repositoryFrom), ...paging };
    },

    async getRepository(ref) {
      return repositoryFrom((await ask(projectOf(ref))).data);
    },

    async listCommits(ref, branch, page) {
      const path = `${projectOf(ref)}/repository/commits`;
      const { items, next } = await readPage(ask, path, { ref_name: branch }, page).catch(emptyIfUnavailable);
      const total = page === null ? (next === null ? items.length : await countOf(ask, ref, branch)) : null;
      const { unreadable = [] } = readItems(items, commitFrom, ({ id }) => id);
      const missing = new Set(unreadable.map(({ item }) => item));
      const readable = items.filter((json) => !missing.has(String((json as { id?: unknown }).id)));
      return { items: await commitsFrom(ref, readable), ...(unreadable.length > 0 && { unreadable }), next, total };
    },

    async getCommit(ref, sha) {
      const path = `${projectOf(ref)}/repository/commits/${encodeURIComponent(sha)}`;
      const { data } = await ask(path);
      const diffs = await readAllItems(ask, `${path}/diff`);
      const [commit] = await commitsFrom(ref, [data]);
      if (!commit) throw new HostRefused(404, 'GitLab knows no such commit');
      return { ...commit, changes: changesWithTotals(data, changesOfFiles(diffs)) };
    },

    async getChanges(ref, sha) {
      const path = `${projectOf(ref)}/repository/commits/${encodeURIComponent(sha)}`;
      const changes = changesOfFiles(await readAllItems(ask, `${path}/diff`));
      // The lines of large files are unknown, so that the commit has to be read for its totals.
      return changes.additions === null ? changesWithTotals((await ask(path)).data, changes) : changes;
    },

    async compareCommits(ref, base, head) {
      // A range, because the comparison endpoint returns all files in one response.
      const query = { ref_name: `${base}..${head}` };
      const found = await readAllItems(ask, `${projectOf(ref)}/repository/commits`, query, 100);
      return commitsFrom(ref, found.reverse());
    },

    async listPullRequests(ref, page) {
      const query = { state: 'all', scope: 'all', order_by: 'updated_at', sort: 'desc' };
      const { items, ...paging } = await readPage(ask, `${projectOf(ref)}/merge_requests`, query, page).catch(
        emptyIfUnavailable,
      );
      return { ...readItems(items, pullRequestListedFrom, ({ iid }) => iid), ...paging };
    },

    async getPullRequest(ref, number) {
      const { data } = await ask(`${projectOf(ref)}/merge_requests/${number}`);
      const notes = await notesOf(ask, ref, number);
      const pullRequest = pullRequestFrom(data, await sumsOf(ask, ref, number));
      return { pullRequest, reviews: reviewsFrom(notes, pullRequest.author.login), notes };
    },

    async getPullRequests(ref, numbers) {
      const found = new Map<number, ListedPullRequest>();
      for (let from = 0; from < numbers.length; from += NUMBERS_PER_LIST) {
        const some = numbers.slice(from, from + NUMBERS_PER_LIST);
        for (const pullRequest of await listedWithTotals(ask, ref, some))
          found.set(pullRequest.number, { pullRequest, reviews: undefined });
      }
      return found;
    },

    getReviews: async (ref, { number, author }) => reviewsFrom(await notesOf(ask, ref, number), author.login),
  };
}

const pathOf = ({ owner, name }: HostRef): string => `${owner}/${name}`;

export const projectOf = (ref: HostRef): string => `/api/v4/projects/${encodeURIComponent(pathOf(ref))}`;

// An empty repository, and a project with disabled merge requests or repository, are not errors.
function emptyIfUnavailable(error: unknown): HostPage<unknown> {
  if (error instanceof HostRefused && (error.status === 403 || error.status === 404) && isOff(error.message)) {
    return { items: [], next: null, total: 0 };
  }
  throw error;
}

const isOff = (message: string): boolean => /404 (Repository|Tree|Commit) Not Found|403 Forbidden$/.test(message);

// The list has no total. The project has one for its default branch.
async function countOf(ask: GitlabApi, ref: HostRef, branch: string): Promise<number | null> {
  const { data } = await ask(projectOf(ref), { query: { statistics: true } });
  const { default_branch, statistics } = withCount.parse(data);
  return default_branch === branch ? (statistics?.commit_count ?? null) : null;
}

/** The notes of a merge request, oldest first. */
export const notesOf = (ask: GitlabApi, ref: HostRef, number: number): Promise<unknown[]> =>
  readAllItems(ask, `${projectOf(ref)}/merge_requests/${number}/notes`, { order_by: 'created_at', sort: 'asc' });

// A page of the list has at most 100, and the complexity of a query is limited.
const NUMBERS_PER_LIST = 50;

const listedTotalsQuestion = `query ($path: ID!, $iids: [String!]!) {
  project(fullPath: $path) {
    mergeRequests(iids: $iids, first: ${NUMBERS_PER_LIST}) {
      nodes { iid commitCount diffStatsSummary { additions deletions fileCount } diffRefs { baseSha } }
    }
  }
}`;

/**
 * Reads merge requests of the list, with what it lacks by GraphQL. Omits those that GraphQL does not return: an instance may
 * refuse the query.
 */
async function listedWithTotals(ask: GitlabApi, ref: HostRef, numbers: readonly number[]): Promise<HostPullRequest[]> {
  const variables = { path: pathOf(ref), iids: numbers.map(String) };
  const body = { query: listedTotalsQuestion, variables };
  const totals = await ask('/api/graphql', { method: 'POST', body })
    .then(({ data }) => listedTotalsFrom(data))
    .catch(unlessRefused);
  if (!totals || totals.size === 0) return [];
  const iids = new URLSearchParams(numbers.map((number): [string, string] => ['iids[]', String(number)]));
  const query = { state: 'all', scope: 'all' };
  const { items } = await readPage(ask, `${projectOf(ref)}/merge_requests?${iids}`, query, null);
  return items.flatMap((json) => {
    const known = totals.get(pullRequestListedFrom(json).number);
    return known ? [{ ...pullRequestFrom(json, known.sums), ...known.base }] : [];
  });
}

function unlessRefused(error: unknown): undefined {
  if (error instanceof HostRefused || error instanceof z.ZodError) return undefined;
  throw error;
}

const sumsQuestion = `query ($path: ID!, $iid: String!) {
  project(fullPath: $path) {
    mergeRequest(iid: $iid) { commitCount diffStatsSummary { additions deletions fileCount } }
  }
}`;

// REST returns no line counts of a merge request.
async function sumsOf(ask: GitlabApi, ref: HostRef, number: number): Promise<MergeRequestTotals> {
  const variables = { path: pathOf(ref), iid: String(number) };
  const body = { query: sumsQuestion, variables };
  const totals = await ask('/api/graphql', { method: 'POST', body })
    .then(({ data }) => totalsFrom(data))
    .catch(unlessRefused);
  return totals ?? unknownTotals;
}
