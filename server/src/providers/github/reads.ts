import { z } from 'zod';
import { type CodeHost, type HostCode, HostRefused } from '#providers/code-host.ts';
import { readItems } from '#providers/host-data.ts';
import type { HostPage, HostRef, HostReview } from '../host-facts.ts';
import type { GithubAnswer, GithubApi } from './client.ts';
import { commitFromApi } from './commit-shapes.ts';
import { closedByFromIssue, pullRequestFrom, pullRequestListedFrom, reviewFrom } from './pull-request-shapes.ts';
import { repositoryFrom } from './shapes.ts';

const perPage = 100;
// GitHub lists at most 3000 files of a commit, up to 300 per page.
const MAX_FILE_PAGES = 30;

const list = z.array(z.unknown());
const repositoryPage = z.object({ total_count: z.number().int(), repositories: list });
const compared = z.object({ commits: list });
const withFiles = z.object({ files: list.nullish() });

type Reads = Omit<CodeHost, keyof HostCode | 'alerts' | 'evidence' | 'hooks'>;

/** Reads GitHub with the installations of an app. */
export function createReads(asInstallation: (id: string) => GithubApi): Reads {
  const inRepository = inRepositoryOf(asInstallation);

  return {
    async listRepositories(installationId, named) {
      const ask = asInstallation(installationId);
      const page = numberOf(named);
      const { data, headers } = await ask('GET /installation/repositories', { per_page: perPage, page });
      const { total_count, repositories } = repositoryPage.parse(data);
      return { items: repositories.map(repositoryFrom), next: pageName(nextOf(headers, page)), total: total_count };
    },

    async getRepository(ref) {
      return repositoryFrom((await inRepository(ref)('GET /repos/{owner}/{repo}')).data);
    },

    async listCommits(ref, branch, page) {
      const ask = inRepository(ref);
      const read = (parameters: object) => ask('GET /repos/{owner}/{repo}/commits', { sha: branch, ...parameters });
      return listed(read, page, { from: commitFromApi, nameOf: ({ sha }) => sha }).catch((error: unknown) => {
        // "Git Repository is empty": a repository without commits is not an error.
        if (error instanceof HostRefused && error.status === 409) return { items: [], next: null, total: 0 };
        throw error;
      });
    },

    async getCommit(ref, sha) {
      const pages = readPages(inRepository(ref), 'GET /repos/{owner}/{repo}/commits/{ref}', { ref: sha });
      const answers: unknown[] = [];
      for await (const { data } of pages) {
        answers.push(data);
        if (answers.length === MAX_FILE_PAGES) break;
      }
      const files = answers.flatMap((answer) => withFiles.parse(answer).files ?? []);
      return commitFromApi({ ...z.looseObject({}).parse(answers[0]), files });
    },

    async compareCommits(ref, base, head) {
      const parameters = { basehead: `${base}...${head}` };
      const pages = readPages(inRepository(ref), 'GET /repos/{owner}/{repo}/compare/{basehead}', parameters);
      const commits = [];
      // Omits the files of the comparison, which are not the files of its commits.
      for await (const { data } of pages) commits.push(...compared.parse(data).commits.map(commitFromApi));
      return commits.map(({ changes: _, ...commit }) => commit);
    },

    async listPullRequests(ref, page) {
      const ask = inRepository(ref);
      const order = { state: 'all', sort: 'updated', direction: 'desc' };
      const read = (parameters: object) => ask('GET /repos/{owner}/{repo}/pulls', { ...order, ...parameters });
      return listed(read, page, { from: pullRequestListedFrom, nameOf: ({ number }) => number });
    },

    async getPullRequest(ref, number) {
      const ask = inRepository(ref);
      const { data } = await ask('GET /repos/{owner}/{repo}/pulls/{number}', { number });
      const reviews: HostReview[] = [];
      for await (const page of readPages(ask, 'GET /repos/{owner}/{repo}/pulls/{number}/reviews', { number })) {
        reviews.push(...list.parse(page.data).flatMap((review) => reviewFrom(review) ?? []));
      }
      const pullRequest = pullRequestFrom(data);
      if (pullRequest.state !== 'closed') return { pullRequest, reviews };
      const issue = await ask('GET /repos/{owner}/{repo}/issues/{number}', { number });
      return { pullRequest: { ...pullRequest, closedBy: closedByFromIssue(issue.data) }, reviews };
    },
  };
}

/** Sends requests for one repository: fills `{owner}` and `{repo}` of the route. */
export const inRepositoryOf =
  (asInstallation: (id: string) => GithubApi) =>
  ({ installationId, owner, name }: HostRef): GithubApi => {
    const ask = asInstallation(installationId);
    return (route, parameters) => ask(route, { owner, repo: name, ...parameters });
  };

/** Reads all pages of a list in order. */
export async function* readPages(
  ask: GithubApi,
  route: string,
  parameters: Record<string, unknown> = {},
): AsyncGenerator<GithubAnswer> {
  for (let page: number | null = 1; page !== null; ) {
    const answer: GithubAnswer = await ask(route, { ...parameters, per_page: perPage, page });
    yield answer;
    page = nextOf(answer.headers, page);
  }
}

async function listed<Item>(
  read: (parameters: object) => Promise<GithubAnswer>,
  named: string | null,
  { from, nameOf }: { from: (json: unknown) => Item; nameOf: Parameters<typeof readItems>[2] },
): Promise<HostPage<Item>> {
  const page = numberOf(named);
  const { data, headers } = await read({ per_page: perPage, page });
  const found = list.parse(data);
  const next = nextOf(headers, page);
  const total = page > 1 ? null : next === null ? found.length : await countOf(read);
  return { ...readItems(found, from, nameOf), next: pageName(next), total };
}

// With one item per page, the number of the last page is the number of items, which GitHub does not report.
async function countOf(read: (parameters: object) => Promise<GithubAnswer>): Promise<number | null> {
  const { headers } = await read({ per_page: 1, page: 1 });
  const last = linkUrlOf(headers, 'last')?.searchParams.get('page');
  return last ? Number(last) : null;
}

// GitHub numbers pages from 1.
const numberOf = (page: string | null): number => (page === null ? 1 : Number(page));
const pageName = (page: number | null): string | null => (page === null ? null : String(page));

const nextOf = (headers: GithubAnswer['headers'], page: number): number | null =>
  linkUrlOf(headers, 'next') ? page + 1 : null;

/** The URL of a relation such as `next` in the Link header. */
export function linkUrlOf({ link }: GithubAnswer['headers'], relation: string): URL | undefined {
  for (const [, address = '', name] of String(link ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)) {
    if (name === relation) return new URL(address);
  }
  return undefined;
}
