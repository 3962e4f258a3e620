import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PullRequest } from '../git/pull-request.ts';
import type { Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { nodeId, personJson } from './responses/account.ts';
import { commitJson, fileJson } from './responses/commit.ts';
import {
  fullPullRequestJson,
  maybePullRequestFiles,
  pullRequestFiles,
  pullRequestJson,
  reviewJson,
} from './responses/pull-request.ts';
import { findRepository } from './tokens.ts';

type PullRequestFilter = { state?: string; sort?: string; direction?: string; head?: string; base?: string };
export type Numbered = { Params: { number: string } };

/** Pull requests, their reviews, commits and files, and their representation as issues. */
export const pullRoutes = (server: FastifyInstance, host: Host): void => {
  server.get<{ Querystring: PullRequestFilter }>('/repos/:owner/:repo/pulls', async (request, reply) => {
    const repository = findRepository(host, request);
    const pulls = selectPulls(repository, request.query);
    return paginate(request, reply, pulls).map((pull) => pullRequestJson(host, repository, pull));
  });
  server.get<Numbered>('/repos/:owner/:repo/pulls/:number', async (request) => {
    const { repository, pull } = findPull(host, request);
    return fullPullRequestJson(host, repository, pull, await maybePullRequestFiles(repository, pull));
  });
  server.get<Numbered>('/repos/:owner/:repo/pulls/:number/reviews', async (request, reply) => {
    const { repository, pull } = findPull(host, request);
    return paginate(request, reply, pull.reviews).map((review) => reviewJson(host, repository, pull, review));
  });
  server.get<Numbered>('/repos/:owner/:repo/pulls/:number/commits', async (request, reply) => {
    const { repository, pull } = findPull(host, request);
    const commits = pull.commits.flatMap((sha) => repository.git.commits.get(sha) ?? []).slice(0, mostCommits);
    return paginate(request, reply, commits).map((commit) => commitJson(host, repository, commit));
  });
  server.get<Numbered>('/repos/:owner/:repo/pulls/:number/files', async (request, reply) => {
    const { repository, pull } = findPull(host, request);
    const files = (await pullRequestFiles(repository, pull)).slice(0, mostFiles);
    return paginate(request, reply, files).map((file) => fileJson(host, repository, pull.headSha, file));
  });
  server.get<Numbered>('/repos/:owner/:repo/issues/:number', async (request) => {
    const { repository, pull } = findPull(host, request);
    return issueJson(host, repository, pull);
  });
};

const mostCommits = 250; // both limits are GitHub's
const mostFiles = 3000;

/** Returns the pull request in a path. Throws 404 without one. */
export const findPull = (
  host: Host,
  request: FastifyRequest<Numbered>,
): { repository: HostedRepository; pull: PullRequest } => {
  const repository = findRepository(host, request);
  const pull = repository.git.pullRequests.find(({ number }) => String(number) === request.params.number);
  if (pull === undefined) throw notFound();
  return { repository, pull };
};

const selectPulls = ({ git, owner }: HostedRepository, filter: PullRequestFilter): PullRequest[] => {
  const { state = 'open', sort = 'created', head, base } = filter;
  const direction = filter.direction ?? (sort === 'created' ? 'desc' : 'asc');
  const sign = direction === 'asc' ? 1 : -1;
  const field = sort === 'updated' ? 'updatedAt' : 'createdAt';
  return git.pullRequests
    .filter((pull) => state === 'all' || pull.state === state)
    .filter((pull) => head === undefined || `${pull.headOwner ?? owner.login}:${pull.headRef}` === head)
    .filter(() => base === undefined || base === git.defaultBranch)
    .sort((one, other) => sign * (one[field] - other[field] || one.number - other.number));
};

const issueJson = (host: Host, repository: HostedRepository, pull: PullRequest) => {
  const {
    issue_url: url,
    url: pullUrl,
    html_url,
    diff_url,
    patch_url,
    merged_at,
    ...shape
  } = pullRequestJson(host, repository, pull);
  const { id, number, title, user, state, created_at, updated_at, closed_at, body, author_association } = shape;
  return {
    url,
    repository_url: url.replace(/\/issues\/\d+$/, ''),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url,
    id,
    node_id: nodeId('PullRequest', id),
    number,
    title,
    user,
    state,
    body,
    author_association,
    locked: false,
    active_lock_reason: null,
    assignee: null,
    assignees: [],
    milestone: null,
    labels: shape.labels,
    comments: 0,
    created_at,
    updated_at,
    closed_at,
    state_reason: null,
    closed_by: pull.state === 'closed' ? personJson(host, pull.mergedBy ?? pull.author) : null,
    pull_request: { url: pullUrl, html_url, diff_url, patch_url, merged_at },
  };
};
