import type { FastifyInstance } from 'fastify';
import type { Commit } from '../git/log.ts';
import { pushesOf } from '../git/planted.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';
import { stableId } from '../git/users.ts';
import { fullName, type Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { paginate } from './paging.ts';
import { findPull, type Numbered } from './pulls.ts';
import { nodeId, personJson, timeText } from './responses/account.ts';
import { commitJson } from './responses/commit.ts';
import { labelJson, reviewId, reviewJson } from './responses/pull-request.ts';

/** The timeline of a pull request, oldest first. */
export const timelineRoutes = (server: FastifyInstance, host: Host): void => {
  server.get<Numbered>('/repos/:owner/:repo/issues/:number/timeline', async (request, reply) => {
    const { repository, pull } = findPull(host, request);
    return paginate(request, reply, timelineOf(host, repository, pull));
  });
};

const timelineOf = (host: Host, repository: HostedRepository, pull: PullRequest): object[] => {
  const self = `${host.api}/repos/${fullName(repository)}`;
  const happened = (event: string, at: number, by: Person, extraFields: object = {}) => {
    const id = stableId(`timeline:${repository.id}:${pull.number}:${event}:${at}:${JSON.stringify(extraFields)}`);
    const url = `${self}/issues/events/${id}`;
    const shape = {
      id,
      node_id: nodeId(event, id),
      url,
      actor: personJson(host, by),
      event,
      created_at: timeText(at),
    };
    return {
      at,
      shape: { ...shape, commit_id: null, commit_url: null, performed_via_github_app: null, ...extraFields },
    };
  };
  const entries = [
    ...pull.commits.flatMap((sha) => {
      const commit = repository.git.commits.get(sha);
      return commit === undefined ? [] : [{ at: commit.committer.at, shape: committedJson(host, repository, commit) }];
    }),
    ...pull.reviews.map((review) => ({
      at: review.at,
      // A review that was dismissed later appears as dismissed here too.
      shape: { event: 'reviewed', ...reviewJson(host, repository, pull, review) },
    })),
    ...pull.reviews.flatMap((review) => {
      if (review.dismissed === null) return [];
      const dismissal = {
        state: review.verdict,
        review_id: reviewId(repository, pull, review),
        dismissal_message: null,
      };
      return [happened('review_dismissed', review.dismissed.at, review.dismissed.by, { dismissed_review: dismissal })];
    }),
    ...pushesOf(repository.git)
      .filter(({ ref, kind }) => ref === `refs/heads/${pull.headRef}` && kind === 'force_push')
      .map(({ at, by, after }) => happened('head_ref_force_pushed', at, by ?? pull.author, { commit_id: after })),
    ...pull.labels.map((name) =>
      happened('labeled', pull.createdAt, pull.author, { label: labelJson(self, repository, name) }),
    ),
    ...pull.linkedIssues.map((issue) => happened('connected', pull.createdAt, pull.author, { source: issue })),
    ...(pull.autoMerge ? [happened('auto_merge_enabled', pull.autoMerge.at, pull.autoMerge.by)] : []),
    ...(pull.queued ? [happened('added_to_merge_queue', pull.queued.at, pull.queued.by)] : []),
    ...(pull.mergedAt === null
      ? []
      : [happened('merged', pull.mergedAt, pull.mergedBy ?? pull.author, { commit_id: pull.mergeSha })]),
    ...(pull.closedAt === null
      ? []
      : [happened('closed', pull.closedAt, pull.mergedBy ?? pull.author, { commit_id: pull.mergeSha })]),
  ];
  return entries.sort((one, other) => one.at - other.at).map(({ shape }) => shape);
};

const committedJson = (host: Host, repository: HostedRepository, found: Commit) => {
  const { sha, node_id, commit, html_url, parents } = commitJson(host, repository, found);
  const { author, committer, message, tree, url, verification } = commit;
  return { event: 'committed', sha, node_id, url, author, committer, message, tree, parents, verification, html_url };
};
