import { type CodeHost, type HostCode, HostRefused } from '#providers/code-host.ts';
import { readItems } from '#providers/host-data.ts';
import type { HostPage, HostRef } from '../host-facts.ts';
import { changesFrom, commitFrom } from './commit-shapes.ts';
import {
  abbreviatedCommitsOf,
  activityFrom,
  closingFrom,
  pullRequestFrom,
  pullRequestListedFrom,
  reviewsFrom,
} from './pull-request-shapes.ts';
import { pageFrom, repositoryFrom } from './shapes.ts';
import { type BitbucketRequest, type BitbucketTransport, pathSegment } from './transport.ts';

type Reads = Omit<CodeHost, keyof HostCode | 'alerts' | 'hooks' | 'evidence'>;

const states = ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'];
const perPage = 100;
// The maximum page size of Bitbucket for pull requests.
const pullRequestsPerPage = 50;
const filesPerPage = 500;
// The same limit as for commits on GitHub.
const MAX_FILES = 3000;
const MAX_COMMITS = 1000;

/** Reads Bitbucket. The ID of an installation is the UUID of a workspace, or of a workspace and a repository. */
export function createReads(transport: BitbucketTransport): Reads {
  const { json } = transport;

  return {
    async listRepositories(scopeId, page) {
      const path = `/repositories/${scopeId.split('/').map(pathSegment).join('/')}`;
      if (scopeId.includes('/')) return { items: [repositoryFrom(await json(path))], next: null, total: 1 };
      return listed(transport, {
        path,
        page,
        question: { query: { pagelen: perPage, sort: 'created_on' } },
        from: repositoryFrom,
      });
    },

    getRepository: async (ref) => repositoryFrom(await json(repositoryPathOf(ref))),

    async listCommits(ref, branch, page) {
      const query = { include: branch, pagelen: perPage };
      return listed(transport, {
        path: `${repositoryPathOf(ref)}/commits`,
        page,
        question: { query },
        from: commitFrom,
      }).catch(async (error: unknown) => {
        // An empty repository has no commits. A deleted branch is an error.
        if (!(error instanceof HostRefused) || error.status !== 404 || page !== null) throw error;
        const found = (await json(repositoryPathOf(ref))) as { mainbranch?: unknown };
        if (found.mainbranch) throw error;
        return { items: [], next: null, total: 0 };
      });
    },

    async getCommit(ref, sha) {
      const [commit, files] = await Promise.all([
        json(`${repositoryPathOf(ref)}/commit/${pathSegment(sha)}`),
        readAllPages(
          transport,
          `${repositoryPathOf(ref)}/diffstat/${pathSegment(sha)}`,
          { pagelen: filesPerPage },
          MAX_FILES,
        ),
      ]);
      return { ...commitFrom(commit), changes: changesFrom(files.values) };
    },

    async compareCommits(ref, base, head) {
      const query = { include: head, exclude: base, pagelen: perPage };
      const { values } = await readAllPages(transport, `${repositoryPathOf(ref)}/commits`, query);
      return values.map(commitFrom).reverse();
    },

    async listPullRequests(ref, page) {
      const query = { state: states, sort: '-updated_on', pagelen: pullRequestsPerPage };
      return listed(transport, {
        path: `${repositoryPathOf(ref)}/pullrequests`,
        page,
        question: { query },
        from: pullRequestListedFrom,
      });
    },

    async getPullRequest(ref, number) {
      const path = `${repositoryPathOf(ref)}/pullrequests/${number}`;
      const found = await json(path);
      const shorts = abbreviatedCommitsOf(found);
      // The commits and files of a deleted branch may be deleted too.
      const [entries, commits, files, mergeSha] = await Promise.all([
        readAllPages(transport, `${path}/activity`, { pagelen: pullRequestsPerPage }),
        unlessRefused(readAllPages(transport, `${path}/commits`, { pagelen: perPage }, MAX_COMMITS)),
        unlessRefused(readAllPages(transport, `${path}/diffstat`, { pagelen: filesPerPage }, MAX_FILES)),
        shorts.merge === null ? null : unlessRefused(fullSha(transport, ref, shorts.merge)),
      ]);
      const shas = commits?.values.map((json) => commitFrom(json).sha) ?? [];
      const activity = entries.values.map(activityFrom);
      const changes = files && changesFrom(files.values);
      const headSha =
        shorts.head === null
          ? null
          : (completed(shas, shorts.head) ?? (await unlessRefused(fullSha(transport, ref, shorts.head))));
      const all = [...shas, ...[headSha, mergeSha].filter((sha) => sha !== null)];
      const pullRequest = pullRequestFrom(found, {
        headSha,
        mergeSha,
        closing: closingFrom(activity),
        additions: changes?.additions ?? null,
        deletions: changes?.deletions ?? null,
        changedFiles: files?.isWhole ? files.values.length : null,
        commits: commits?.isWhole ? shas.length : null,
      });
      return { pullRequest, reviews: reviewsFrom(found, activity, (short) => completed(all, short)) };
    },
  };
}

/** The API path of a repository. */
export const repositoryPathOf = ({ owner, name }: HostRef): string =>
  `/repositories/${pathSegment(owner)}/${pathSegment(name)}`;

/** Reads the pages of a list up to `most` items. `isWhole`: the list is complete. */
export async function readAllPages(
  { json }: BitbucketTransport,
  path: string,
  query: NonNullable<BitbucketRequest['query']>,
  most = Number.POSITIVE_INFINITY,
): Promise<{ values: unknown[]; isWhole: boolean }> {
  const values: unknown[] = [];
  let page = pageFrom(await json(path, { query }));
  for (;;) {
    values.push(...page.values);
    if (page.next === null || values.length >= most) return { values, isWhole: page.next === null };
    page = pageFrom(await json(page.next));
  }
}

// `page` is the full URL of the page from Bitbucket.
async function listed<Item>(
  { json }: BitbucketTransport,
  {
    path,
    page,
    question,
    from,
  }: { path: string; page: string | null; question: BitbucketRequest; from: (json: unknown) => Item },
): Promise<HostPage<Item>> {
  const { values, next, size } = pageFrom(page === null ? await json(path, question) : await json(page));
  const total = page !== null ? null : (size ?? (next === null ? values.length : null));
  return { ...readItems(values, from, ({ hash, id }) => hash ?? id), next, total };
}

const completed = (shas: readonly string[], short: string): string | null =>
  shas.find((sha) => sha.startsWith(short)) ?? null;

const fullSha = async ({ json }: BitbucketTransport, ref: HostRef, short: string): Promise<string> =>
  commitFrom(await json(`${repositoryPathOf(ref)}/commit/${pathSegment(short)}`)).sha;

const unlessRefused = <Result>(response: Promise<Result>): Promise<Result | null> =>
  response.catch((error: unknown) => {
    if (error instanceof HostRefused) return null;
    throw error;
  });
