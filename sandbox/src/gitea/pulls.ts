import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pushesOf } from '../git/planted.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';
import { stableId } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { pullRequestFiles } from '../github/responses/pull-request.ts';
import { findRepository } from './access.ts';
import type { Gitea } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { commitJson, ghostJson, isFork, personJson, pullJson, reviewId, reviewJson, timeText } from './responses.ts';

type List = { Querystring: { state?: string; sort?: string } };

/** Pull requests, their commits, files, reviews and events. */
export const pullRoutes = (server: FastifyInstance, gitea: Gitea): void => {
  server.get<List>('/repos/:owner/:repo/pulls', async (request, reply) => {
    const repository = findRepository(gitea, request);
    const { state = 'open', sort } = request.query;
    const by = sort === 'recentupdate' ? 'updatedAt' : 'createdAt';
    const found = repository.git.pullRequests
      .filter((pull) => state === 'all' || pull.state === state)
      .toSorted((one, other) => other[by] - one[by] || other.number - one.number);
    return paginate(gitea, request, reply, found).map((pull) => pullJson(gitea, repository, pull));
  });
  server.get('/repos/:owner/:repo/pulls/:number', async (request) => {
    const { repository, pull } = findPull(gitea, request);
    return pullJson(gitea, repository, pull);
  });
  server.get('/repos/:owner/:repo/pulls/:number/commits', async (request, reply) => {
    const { repository, pull } = findPull(gitea, request);
    const commits = pull.commits.flatMap((sha) => repository.git.commits.get(sha) ?? []).toReversed();
    return paginate(gitea, request, reply, commits).map((commit) => commitJson(gitea, repository, commit));
  });
  server.get('/repos/:owner/:repo/pulls/:number/files', async (request, reply) => {
    const { repository, pull } = findPull(gitea, request);
    const files = await pullRequestFiles(repository, pull);
    return paginate(gitea, request, reply, files).map(({ path, previousPath, status, additions, deletions }) => ({
      filename: path,
      ...(previousPath !== undefined && { previous_filename: previousPath }),
      status: status === 'removed' ? 'deleted' : status === 'modified' ? 'changed' : status,
      additions,
      deletions,
      changes: additions + deletions,
      html_url: '',
      contents_url: '',
      raw_url: '',
    }));
  });
  server.get('/repos/:owner/:repo/pulls/:number/reviews', async (request, reply) => {
    const { repository, pull } = findPull(gitea, request);
    return paginate(gitea, request, reply, pull.reviews).map((one) => reviewJson(gitea, repository, pull, one));
  });
  server.get('/repos/:owner/:repo/issues/:number/timeline', async (request, reply) => {
    const { repository, pull } = findPull(gitea, request);
    const events = eventsOf(repository, pull);
    return paginate(gitea, request, reply, events).map(({ type, by, at, body = '', reviewId: review = 0 }) => ({
      id: stableId(`gitea-event:${repository.id}:${pull.number}:${type}:${at}:${review}`),
      type,
      html_url: '',
      pull_request_url: '',
      issue_url: '',
      user: personJson(gitea, by) ?? ghostJson(gitea),
      body,
      created_at: timeText(at),
      updated_at: timeText(at),
      review_id: review,
      ref_action: '',
      ref_commit_sha: '',
      removed_assignee: false,
    }));
  });
  // The issues that the texts of pull requests name.
  server.get('/repos/:owner/:repo/issues/:number', async (request) => {
    const { git } = findRepository(gitea, request);
    const { number } = request.params as { number: string };
    if (!git.pullRequests.some(({ linkedIssues }) => linkedIssues.includes(Number(number)))) throw notFound();
    return { id: Number(number), number: Number(number), title: `Issue ${number}`, state: 'open', pull_request: null };
  });
};

export const findPull = (
  gitea: Gitea,
  request: FastifyRequest,
  need?: Parameters<typeof findRepository>[2],
): { repository: HostedRepository; pull: PullRequest } => {
  const repository = findRepository(gitea, request, need);
  const { number } = request.params as { number: string };
  const pull = repository.git.pullRequests.find((one) => String(one.number) === number);
  if (pull === undefined) throw notFound();
  return { repository, pull };
};

type TimelineEvent = { type: string; by: Person | null; at: number; body?: string; reviewId?: number };

/** The events of a pull request, oldest first. A push event names the commits of the push, oldest first. */
const eventsOf = (repository: HostedRepository, pull: PullRequest): TimelineEvent[] => {
  const { git } = repository;
  const pushes = isFork(repository, pull)
    ? []
    : pushesOf(git).filter(
        ({ ref, after, at }) =>
          ref === `refs/heads/${pull.headRef}` && after !== null && at > pull.createdAt && at <= (pull.closedAt ?? at),
      );
  const events: TimelineEvent[] = [
    ...pushes.map(({ before, after, by, at, kind }): TimelineEvent => {
      const isForced = kind === 'force_push';
      const end = pull.commits.indexOf(after ?? '') + 1;
      const pushed = pull.commits.slice(pull.commits.indexOf(before ?? '') + 1, end);
      const commits = isForced ? [before, after] : pushed.length > 0 ? pushed : [after];
      return { type: 'pull_push', by, at, body: JSON.stringify({ is_force_push: isForced, commit_ids: commits }) };
    }),
    ...pull.reviews.flatMap(({ key, reviewer, at, dismissed }): TimelineEvent[] => {
      const review = reviewId(repository, pull.number, key);
      return [
        { type: 'review', by: reviewer, at, reviewId: review },
        ...(dismissed ? [{ type: 'dismiss_review', by: dismissed.by, at: dismissed.at, reviewId: review }] : []),
      ];
    }),
    ...[pull.autoMerge, pull.queued].flatMap((requested): TimelineEvent[] =>
      requested === null ? [] : [{ type: 'pull_scheduled_merge', by: requested.by, at: requested.at }],
    ),
    ...(pull.mergedAt === null
      ? pull.closedAt === null
        ? []
        : [{ type: 'close', by: pull.author, at: pull.closedAt }]
      : [{ type: 'merge_pull', by: pull.mergedBy, at: pull.mergedAt }]),
  ];
  return events.toSorted((one, other) => one.at - other.at);
};
