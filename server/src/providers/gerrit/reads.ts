import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import { readItems } from '#providers/host-data.ts';
import type { HostCommit, HostPage, HostRef } from '../host-facts.ts';
import {
  changeFrom,
  changeOptions,
  type GerritChange,
  pullRequestFrom,
  pullRequestListedFrom,
} from './change-shapes.ts';
import { changesFrom, commitFrom, commitFromLog } from './commit-shapes.ts';
import { readChanges, readLog, readProjects, readWholeLog } from './paging.ts';
import { gitilesPath, nameOf, projectPath, repositoryFrom } from './shapes.ts';
import type { GerritApi } from './transport.ts';
import { reviewsFrom } from './votes.ts';

type GerritReads = Pick<
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

/** Reads a Gerrit with the access of an account. Histories come from its plugin Gitiles: the API itself has none. */
export function createReads(api: GerritApi, baseURL: string): GerritReads {
  return {
    async listRepositories(installationId, page) {
      const folder = folderOf(installationId);
      const { items, ...paging } = await readProjects(api, folder, page);
      const repositories = [];
      for (const { name } of items) {
        // The folder of projects without one.
        if (folder === '' && name.includes('/')) continue;
        repositories.push(repositoryFrom(baseURL, name, await readHead(api, name)));
      }
      return { items: repositories, ...paging };
    },

    async getRepository(ref) {
      const name = nameOf(ref);
      await api.json(projectPath(ref));
      return repositoryFrom(baseURL, name, await readHead(api, name));
    },

    async listCommits(ref, branch, page) {
      const path = `${gitilesPath(ref)}/+log/refs/heads/${encodeRef(branch)}`;
      const { items, ...paging } = await readLog(api, path, page).catch((error) => emptyIfNoBranch(api, ref, error));
      return { ...readItems(items, commitFromLog, ({ commit }) => commit), ...paging };
    },

    async getCommit(ref, sha) {
      const path = commitPath(ref, sha);
      return {
        ...commitFrom((await api.json(path)) ?? {}, sha),
        changes: changesFrom(await api.json(`${path}/files/`)),
      };
    },

    getChanges: async (ref, sha) => changesFrom(await api.json(`${commitPath(ref, sha)}/files/`)),

    compareCommits: (ref, base, head) => commitsBetween(api, ref, base, head),

    async listPullRequests(ref, page) {
      const { items, ...paging } = await readChanges(api, { search: searchIn(ref), options: [] }, page);
      return { ...readItems(items, pullRequestListedFrom, ({ _number }) => _number), ...paging };
    },

    async getPullRequest(ref, number) {
      const json = await readChangeJson(api, ref, number);
      const change = changeFrom(json);
      // The timeline needs the messages too.
      return { pullRequest: pullRequestFrom(baseURL, change), reviews: reviewsFrom(change), notes: [json] };
    },
  };
}

/** `refs/heads/a/b` of a branch in an address: the plugin has names with slashes. */
export const encodeRef = (name: string): string => name.split('/').map(encodeURIComponent).join('/');

export const commitPath = (ref: HostRef, sha: string): string =>
  `${projectPath(ref)}/commits/${encodeURIComponent(sha)}`;

/** The path of a change, which the number alone identifies; the project guards against one of another. */
export const changePath = (ref: HostRef, number: number): string =>
  `/changes/${encodeURIComponent(nameOf(ref))}~${number}`;

const readChangeJson = (api: GerritApi, ref: HostRef, number: number): Promise<unknown> =>
  api.json(changePath(ref, number), { o: changeOptions });

export const readChange = async (api: GerritApi, ref: HostRef, number: number): Promise<GerritChange> =>
  changeFrom(await readChangeJson(api, ref, number));

/** A search in a project. Throws HostRefused 404 for a name that a search cannot contain. */
export function searchIn(ref: HostRef, more = ''): string {
  const name = nameOf(ref);
  if (/["\\{}]/.test(name)) throw new HostRefused(404, 'The name of the project cannot be searched');
  return `project:"${name}"${more === '' ? '' : ` ${more}`}`;
}

/** The folder of a host scope; empty for projects without one. */
function folderOf(installationId: string): string {
  const at = installationId.indexOf('@');
  if (at < 0) throw new HostRefused(404, 'This is no folder of the code host');
  return installationId.slice(0, at);
}

/** The ref that HEAD names; null if the account may not see it. */
async function readHead(api: GerritApi, name: string): Promise<unknown> {
  try {
    return await api.json(`/projects/${encodeURIComponent(name)}/HEAD`);
  } catch (error) {
    if (error instanceof HostRefused && [403, 404].includes(error.status)) return null;
    throw error;
  }
}

/** The commits reachable from `head` and not from `base`, oldest first. */
export async function commitsBetween(api: GerritApi, ref: HostRef, base: string, head: string): Promise<HostCommit[]> {
  const range = `${encodeURIComponent(base)}..${encodeURIComponent(head)}`;
  return (await readWholeLog(api, `${gitilesPath(ref)}/+log/${range}`)).map(commitFromLog).reverse();
}

// A project without a branch has no history. Without Gitiles, the project is visible and its branches exist.
async function emptyIfNoBranch(api: GerritApi, ref: HostRef, error: unknown): Promise<HostPage<unknown>> {
  if (!(error instanceof HostRefused) || error.status !== 404) throw error;
  const branches = await api.json(`${projectPath(ref)}/branches/`, { n: 2 });
  const hasBranch = Array.isArray(branches) && branches.some((one) => String(one?.ref).startsWith('refs/heads/'));
  if (!hasBranch) return { items: [], next: null, total: 0 };
  throw new HostRefused(404, 'The code host has no history of the branch. Sightline needs its plugin Gitiles.');
}
