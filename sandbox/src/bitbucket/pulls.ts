import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PullRequest } from '../git/pull-request.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { pullRequestFiles } from '../github/responses/pull-request.ts';
import { findRepository } from './access.ts';
import type { Bitbucket } from './bitbucket.ts';
import { paginate } from './paging.ts';
import { refuse } from './refusal.ts';
import { commitJson, fileJson } from './responses/commit.ts';
import { activityItemsJson, fullPullRequestJson, pullRequestJson } from './responses/pull-request.ts';
import { fullSlug } from './responses/repository.ts';

type PullRequestFilter = { Querystring: { state?: string | string[]; sort?: string } };
type Numbered = { Params: { id: string } };

/** Pull requests with their activity, commits and files. */
export const pullRoutes = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  const root = '/repositories/:workspace/:slug/pullrequests';
  const find = (request: FastifyRequest<Numbered>): { repository: HostedRepository; pull: PullRequest } => {
    const repository = findRepository(bitbucket, request, 'pullrequest');
    const { id } = request.params;
    const pull = repository.git.pullRequests.find(({ number }) => String(number) === id);
    if (pull === undefined) throw refuse(404, `Pull request ${id} not found`);
    return { repository, pull };
  };

  server.get<PullRequestFilter>(root, async (request) => {
    const repository = findRepository(bitbucket, request, 'pullrequest');
    const { state = 'OPEN', sort = '-created_on' } = request.query;
    const states = [state].flat();
    const field = sort.endsWith('updated_on') ? 'updatedAt' : 'createdAt';
    const sign = sort.startsWith('-') ? -1 : 1;
    const pulls = repository.git.pullRequests
      .filter((pull) =>
        states.includes(pull.state === 'open' ? 'OPEN' : pull.mergedAt === null ? 'DECLINED' : 'MERGED'),
      )
      .sort((one, other) => sign * (one[field] - other[field] || one.number - other.number));
    return paginate(bitbucket, {
      request,
      items: pulls,
      toJson: (pull) => pullRequestJson(bitbucket, repository, pull),
      sizes: { most: 50 },
    });
  });
  server.get<Numbered>(`${root}/:id`, async (request) => {
    const { repository, pull } = find(request);
    return fullPullRequestJson(bitbucket, repository, pull);
  });
  server.get<Numbered>(`${root}/:id/activity`, async (request) => {
    const { repository, pull } = find(request);
    const entries = activityItemsJson(bitbucket, repository, pull);
    return paginate(bitbucket, {
      request,
      items: entries,
      toJson: (entry) => entry,
      sizes: { most: 50, isCounted: false },
    });
  });
  server.get<Numbered>(`${root}/:id/commits`, async (request) => {
    const { repository, pull } = find(request);
    const commits = pull.commits.flatMap((sha) => repository.git.commits.get(sha) ?? []).reverse();
    const toJson = (commit: (typeof commits)[number]) => commitJson(bitbucket, repository, commit);
    return paginate(bitbucket, { request, items: commits, toJson, sizes: { isCounted: false } });
  });
  // Redirects to the comparison, as Bitbucket does.
  server.get<Numbered>(`${root}/:id/diffstat`, async (request, reply) => {
    const { repository, pull } = find(request);
    const query = new URL(request.originalUrl, bitbucket.host.url).searchParams;
    query.set('from_pullrequest_id', String(pull.number));
    const [head, base] = [pull.headSha, pull.baseSha].map((sha) => sha.slice(0, 12));
    const spec = encodeURIComponent(`${fullSlug(repository)}:${head}\r${base}`);
    return reply.redirect(`${bitbucket.api}/repositories/${fullSlug(repository)}/diffstat-of/${spec}?${query}`, 302);
  });
  server.get<{ Querystring: { from_pullrequest_id: string } }>(
    '/repositories/:workspace/:slug/diffstat-of/:spec',
    async (request) => {
      const repository = findRepository(bitbucket, request, 'repository');
      const { from_pullrequest_id: id } = request.query;
      const pull = repository.git.pullRequests.find(({ number }) => String(number) === id);
      const files = pull === undefined ? [] : await pullRequestFiles(repository, pull);
      const toJson = (file: (typeof files)[number]) => fileJson(bitbucket, repository, pull?.headSha ?? '', file);
      return paginate(bitbucket, { request, items: files, toJson, sizes: { most: 500 } });
    },
  );
};
