import { z } from 'zod';
import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import { readItems } from '#providers/host-data.ts';
import type { HostPage, HostRef, HostRepository } from '../host-facts.ts';
import { closedByOf, readActivities, reviewsFrom } from './activities.ts';
import { commitFrom } from './commit-shapes.ts';
import { commitsBetween } from './commits-between.ts';
import { changeFrom, changesFrom, diffsFrom } from './diff-shapes.ts';
import { readAllItems, readPage } from './paging.ts';
import { commitPath, pullRequestPath, repositoryPath } from './paths.ts';
import { readProjects } from './projects.ts';
import { pullRequestFrom, pullRequestListedFrom } from './pull-request-shapes.ts';
import { repositoryFrom } from './shapes.ts';
import type { DataCenterApi } from './transport.ts';

type DataCenterReads = Pick<
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

const branch = z.object({ displayId: z.string() });
const archivable = z.looseObject({ archived: z.boolean().nullish(), defaultBranch: z.string().nullish() });

/** Reads a Bitbucket Data Center with the access of a token. */
export function createReads(api: DataCenterApi): DataCenterReads {
  return {
    async listRepositories(installationId, page) {
      const key = await projectKeyOf(api, installationId);
      const path = `/api/latest/projects/${encodeURIComponent(key)}/repos`;
      const { items, next, total } = await readPage(api, path, {}, page);
      const repositories: HostRepository[] = [];
      for (const json of items) {
        if (!archivable.parse(json).archived) repositories.push(await withDefaultBranch(api, json));
      }
      return { items: repositories, next, total };
    },

    getRepository: async (ref) => withDefaultBranch(api, (await api.json(repositoryPath(ref))).data),

    async listCommits(ref, name, page) {
      const query = { until: `refs/heads/${name}`, merges: 'include' };
      const found = await readPage(api, `${repositoryPath(ref)}/commits`, query, page).catch(
        emptyIfUnavailable(api, ref),
      );
      return { ...readItems(found.items, commitFrom, ({ id }) => id), next: found.next, total: found.total };
    },

    async getCommit(ref, sha) {
      const { data } = await api.json(commitPath(ref, sha));
      return { ...commitFrom(data), changes: await readChanges(api, ref, sha) };
    },

    getChanges: (ref, sha) => readChanges(api, ref, sha),

    compareCommits: (ref, base, head) => commitsBetween(api, ref, base, head),

    async listPullRequests(ref, page) {
      const query = { state: 'ALL', order: 'NEWEST', withAttributes: false };
      const { items, next, total } = await readPage(api, `${repositoryPath(ref)}/pull-requests`, query, page);
      return { ...readItems(items, pullRequestListedFrom, ({ id }) => id), next, total };
    },

    async getPullRequest(ref, number) {
      const { data } = await api.json(pullRequestPath(ref, number));
      const activities = await readActivities(api, ref, number);
      const pullRequest = pullRequestFrom(data, closedByOf(activities));
      const reviews = reviewsFrom(data, activities, pullRequest.headSha).map(({ review }) => review);
      // The timeline needs both too.
      return { pullRequest, reviews, notes: [data, ...activities.map(({ json }) => json)] };
    },
  };
}

/** The key of the project of a host scope: it can be changed, its ID cannot. */
async function projectKeyOf(api: DataCenterApi, installationId: string): Promise<string> {
  const [, id] = /^(\d+)@/.exec(installationId) ?? [];
  const { projects } = await readProjects(api);
  const found = projects.find((one) => one.id === id);
  if (!found) throw new HostRefused(404, 'The token cannot read this project');
  return found.key;
}

/** Adds the default branch, which lists of repositories omit. An empty repository has none. */
async function withDefaultBranch(api: DataCenterApi, json: unknown): Promise<HostRepository> {
  const found = repositoryFrom(json);
  if (archivable.parse(json).defaultBranch) return found;
  try {
    const { data } = await api.json(`${repositoryPath({ ...found, installationId: '' })}/default-branch`);
    return repositoryFrom(json, branch.nullable().parse(data)?.displayId);
  } catch (error) {
    if (error instanceof HostRefused && error.status === 404) return found;
    throw error;
  }
}

/** The changes of a commit to its first parent. */
async function readChanges(api: DataCenterApi, ref: HostRef, sha: string) {
  const query = { contextLines: 0, whitespace: 'show', withComments: false };
  const { items, isWhole } = diffsFrom((await api.json(`${commitPath(ref, sha)}/diff`, { query })).data);
  if (isWhole) return changesFrom(items);
  // The instance cuts large differences; the list of files is longer, but has no counts.
  const files = (await readAllItems(api, `${commitPath(ref, sha)}/changes`)).items.map(changeFrom);
  return changesFrom(files.map((file) => ({ ...file, additions: null, deletions: null, patch: null })));
}

// A branch that does not exist, as in an empty repository, is not an error if the repository is visible.
const emptyIfUnavailable =
  (api: DataCenterApi, ref: HostRef) =>
  async (error: unknown): Promise<HostPage<unknown>> => {
    if (!(error instanceof HostRefused && error.status === 404)) throw error;
    const { items } = await readPage(api, `${repositoryPath(ref)}/branches`, { limit: 1 }, null);
    if (items.length > 0) throw error;
    return { items: [], next: null, total: 0 };
  };
