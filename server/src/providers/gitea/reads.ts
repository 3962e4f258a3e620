import { z } from 'zod';
import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import { readItems } from '#providers/host-data.ts';
import type { HostPage, HostRef, HostUser } from '../host-facts.ts';
import { commitFrom } from './commit-shapes.ts';
import { timelineOf } from './evidence-shapes.ts';
import { readAllItems, readPage } from './paging.ts';
import { pullRequestFrom, pullRequestListedFrom, reviewsFrom } from './pull-request-shapes.ts';
import { repositoryFrom } from './shapes.ts';
import type { GiteaApi } from './transport.ts';

type GiteaReads = Pick<
  CodeHost,
  | 'listRepositories'
  | 'getRepository'
  | 'listCommits'
  | 'getCommit'
  | 'compareCommits'
  | 'listPullRequests'
  | 'getPullRequest'
>;

const compared = z.object({ commits: z.array(z.unknown()).nullish() });

/** Reads a Forgejo or Gitea with the access of a token. */
export function createReads(api: GiteaApi): GiteaReads {
  return {
    async listRepositories(installationId, page) {
      const query = { uid: ownerIdOf(installationId), exclusive: true, archived: false, sort: 'id', order: 'asc' };
      const { items, ...paging } = await readPage(api, '/repos/search', query, page);
      return { items: items.map(repositoryFrom), ...paging };
    },

    getRepository: async (ref) => repositoryFrom((await api.json(repositoryPath(ref))).data),

    async listCommits(ref, branch, page) {
      const query = { sha: branch, stat: false, files: false, verification: true };
      const { items, ...paging } = await readPage(api, `${repositoryPath(ref)}/commits`, query, page).catch(
        emptyIfUnavailable,
      );
      return { ...readItems(items, commitFrom, ({ sha }) => sha), ...paging };
    },

    async getCommit(ref, sha) {
      const query = { stat: true, files: true, verification: true };
      return commitFrom(
        (await api.json(`${repositoryPath(ref)}/git/commits/${encodeURIComponent(sha)}`, { query })).data,
      );
    },

    compareCommits: (ref, base, head) => commitsBetween(api, ref, base, head),

    async listPullRequests(ref, page) {
      const query = { state: 'all', sort: 'recentupdate' };
      const { items, ...paging } = await readPage(api, `${repositoryPath(ref)}/pulls`, query, page).catch(
        emptyIfUnavailable,
      );
      return { ...readItems(items, pullRequestListedFrom, ({ number }) => number), ...paging };
    },

    async getPullRequest(ref, number) {
      const path = `${repositoryPath(ref)}/pulls/${number}`;
      const { data } = await api.json(path);
      const reviews = await readAllItems(api, `${path}/reviews`);
      if (!reviews.isWhole) throw new HostRefused(404, 'The pull request has more reviews than can be read');
      const pullRequest = pullRequestFrom(data);
      const closedBy = pullRequest.state === 'closed' ? await closedByOf(api, ref, number) : null;
      // The timeline needs the reviews too.
      return { pullRequest: { ...pullRequest, closedBy }, reviews: reviewsFrom(reviews.items), notes: reviews.items };
    },
  };
}

export const repositoryPath = ({ owner, name }: HostRef): string =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;

/** The ID of the organization or user of a host scope. */
function ownerIdOf(installationId: string): number {
  const [, id] = /^(\d+)@/.exec(installationId) ?? [];
  if (id === undefined) throw new HostRefused(404, 'This is no organization of the code host');
  return Number(id);
}

/** The commits reachable from `head` and not from `base`, oldest first. */
export async function commitsBetween(api: GiteaApi, ref: HostRef, base: string, head: string) {
  const path = `${repositoryPath(ref)}/compare/${encodeURIComponent(base)}...${encodeURIComponent(head)}`;
  const { data } = await api.json(path, { query: { files: false, verification: true } });
  return (compared.parse(data).commits ?? []).map(commitFrom).reverse();
}

/** The events of a pull request, oldest first. */
export async function readTimeline(api: GiteaApi, ref: HostRef, number: number) {
  const { items, isWhole } = await readAllItems(api, `${repositoryPath(ref)}/issues/${number}/timeline`);
  if (!isWhole) throw new HostRefused(404, 'The pull request has more events than can be read');
  return timelineOf(items);
}

async function closedByOf(api: GiteaApi, ref: HostRef, number: number): Promise<HostUser | null> {
  try {
    return (await readTimeline(api, ref, number)).findLast(({ type }) => type === 'close')?.user ?? null;
  } catch (error) {
    if (error instanceof HostRefused) return null;
    throw error;
  }
}

// An empty repository (409), and one with disabled pull requests or code (404), are not errors if the repository is visible.
async function emptyIfUnavailable(error: unknown): Promise<HostPage<unknown>> {
  if (error instanceof HostRefused && error.status === 409) return { items: [], next: null, total: 0 };
  throw error;
}
