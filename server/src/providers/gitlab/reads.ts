import { z } from 'zod';
import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import { readItems } from '#providers/host-data.ts';
import type { HostPage, HostRef } from '../host-facts.ts';
import { createAccounts } from './accounts.ts';
import { changesFrom, commitFrom } from './commit-shapes.ts';
import { scopeProjectsPath } from './holder.ts';
import {
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
>;

/** Reads a GitLab instance with the access of a token. */
export function createReads(ask: GitlabApi, baseURL: string): Reads {
  const accounts = createAccounts(ask, baseURL);

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
      return { ...commit, changes: changesFrom(data, diffs) };
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
      const path = `${projectOf(ref)}/merge_requests/${number}`;
      const { data } = await ask(path);
      const notes = await readAllItems(ask, `${path}/notes`, { order_by: 'created_at', sort: 'asc' });
      const pullRequest = pullRequestFrom(data, await sumsOf(ask, ref, number));
      return { pullRequest, reviews: reviewsFrom(notes, pullRequest.author.login) };
    },
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

const sumsQuestion = `query ($path: ID!, $iid: String!) {
  project(fullPath: $path) {
    mergeRequest(iid: $iid) { commitCount diffStatsSummary { additions deletions fileCount } }
  }
}`;

// REST returns no line counts of a merge request.
async function sumsOf(ask: GitlabApi, ref: HostRef, number: number): Promise<MergeRequestTotals> {
  const variables = { path: pathOf(ref), iid: String(number) };
  try {
    const { data } = await ask('/api/graphql', { method: 'POST', body: { query: sumsQuestion, variables } });
    return totalsFrom(data);
  } catch (error) {
    if (error instanceof HostRefused || error instanceof z.ZodError) return unknownTotals;
    throw error;
  }
}
