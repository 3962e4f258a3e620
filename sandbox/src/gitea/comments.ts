import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Comment, change } from '../git/comments.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { callerOf, findRepository } from './access.ts';
import { named } from './commits.ts';
import type { Gitea, GiteaStatus } from './instance.ts';
import { paginate } from './paging.ts';
import { findPull } from './pulls.ts';
import { notFound, refuse } from './refusal.ts';
import { ghostJson, personJson, plantedStatus, statusJson, timeText } from './responses.ts';

type OfCommit = { Params: { sha: string } };
type StatusBody = { state?: string; context?: string; description?: string; target_url?: string };
type CommentRoute = { Params: { number: string; id: string }; Body: { body?: string } | undefined };

const states = ['pending', 'success', 'error', 'failure', 'warning', 'skipped'];

/** Commit statuses, and comments on pull requests. */
export const commentRoutes = (server: FastifyInstance, gitea: Gitea): void => {
  server.get<OfCommit & { Querystring: { sort?: string } }>(
    '/repos/:owner/:repo/commits/:sha/statuses',
    async (request, reply) => {
      const repository = findRepository(gitea, request);
      const { sha } = named(repository.git, request.params.sha);
      const found = statusesOn(gitea, repository, sha);
      const sorted = request.query.sort === 'oldest' ? found : found.toReversed();
      return paginate(gitea, request, reply, sorted).map((status) => statusJson(gitea, repository, status));
    },
  );
  server.post<OfCommit & { Body: StatusBody | undefined }>(
    '/repos/:owner/:repo/statuses/:sha',
    async (request, reply) => {
      const repository = findRepository(gitea, request, 'write:repository');
      const { sha } = named(repository.git, request.params.sha);
      const { state = '', context = 'default', description = '', target_url: url = '' } = request.body ?? {};
      if (!states.includes(state)) throw refuse(422, `invalid status state: ${state}`);
      const status: GiteaStatus = {
        id: gitea.said.length + 1,
        repositoryId: repository.id,
        sha,
        context,
        state,
        description,
        url,
        at: Date.now(),
      };
      gitea.said.push(status);
      return reply.code(201).send(statusJson(gitea, repository, status));
    },
  );
  server.get<CommentRoute>('/repos/:owner/:repo/issues/:number/comments', async (request) => {
    const { repository, pull } = findPull(gitea, request as FastifyRequest, 'read:issue');
    const found = gitea.comments.of(repository.id, pull.number).filter(({ isDeleted }) => !isDeleted);
    return found.map((comment) => commentJson(gitea, comment));
  });
  server.post<CommentRoute>('/repos/:owner/:repo/issues/:number/comments', async (request, reply) => {
    const { repository, pull } = findPull(gitea, request as FastifyRequest, 'write:issue');
    const { user } = callerOf(gitea, request as FastifyRequest, 'write:issue');
    const by = { name: user.name, email: user.emails[0] ?? '' };
    const body = wordsIn(request.body);
    const comment = gitea.comments.add({ repositoryId: repository.id, number: pull.number, body, by });
    return reply.code(201).send(commentJson(gitea, comment));
  });
  server.patch<CommentRoute>('/repos/:owner/:repo/issues/comments/:id', async (request) => {
    const repository = findRepository(gitea, request as FastifyRequest, 'write:issue');
    const comment = gitea.comments.find(repository.id, request.params.id);
    if (comment === undefined) throw notFound();
    return commentJson(gitea, change(comment, wordsIn(request.body)));
  });
};

/** The statuses of a commit, oldest first: planted runs and statuses alike, and those that programs set. */
const statusesOn = (gitea: Gitea, repository: HostedRepository, sha: string): GiteaStatus[] =>
  [
    ...repository.git.planted.checks
      .filter((check) => check.sha === sha)
      .map((check) => plantedStatus(repository, check)),
    ...gitea.said.filter((one) => one.repositoryId === repository.id && one.sha === sha),
  ].toSorted((one, other) => one.at - other.at);

const wordsIn = (given: { body?: string } | undefined): string => {
  if (!given?.body) throw refuse(422, '[Body]: Required');
  return given.body;
};

const commentJson = (gitea: Gitea, { id, body, by, at, changedAt }: Comment) => ({
  id,
  html_url: '',
  pull_request_url: '',
  issue_url: '',
  user: personJson(gitea, by) ?? ghostJson(gitea),
  original_author: '',
  original_author_id: 0,
  body,
  assets: [],
  created_at: timeText(at),
  updated_at: timeText(changedAt),
});
