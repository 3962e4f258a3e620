import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Comment, change } from '../git/comments.ts';
import type { PullRequest } from '../git/pull-request.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { callerOf, findRepository } from './access.ts';
import { named } from './commits.ts';
import { findPull } from './find-pull.ts';
import type { DataCenter, DataCenterBuild } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound, refuse } from './refusal.ts';
import { buildJson, personJson, plantedBuild } from './responses.ts';

type OfBuild = { Params: { sha: string } };
type BuildBody = Partial<Record<'state' | 'key' | 'parent' | 'name' | 'description' | 'url', string>>;
type CommentRoute = { Params: { number: string; id: string }; Body: { text?: string; version?: number } | undefined };

const repositoryPrefix = '/api/latest/projects/:key/repos/:slug';
const states = ['SUCCESSFUL', 'FAILED', 'INPROGRESS', 'CANCELLED', 'UNKNOWN'];
/** An instance returns the newest ones. */
const mostBuilds = 100;

/** Builds of commits, and comments on pull requests. */
export const commentRoutes = (server: FastifyInstance, dataCenter: DataCenter): void => {
  server.get<OfBuild & { Querystring: { orderBy?: string } }>('/build-status/latest/commits/:sha', async (request) => {
    const { repositories } = callerOf(dataCenter, request);
    const { sha } = request.params;
    const found = repositories.flatMap((repository) => buildsOn(dataCenter, repository, sha)).slice(-mostBuilds);
    const sorted = request.query.orderBy?.toUpperCase() === 'OLDEST' ? found : found.toReversed();
    return paginate(dataCenter, request, sorted.map(buildJson));
  });
  server.post<OfBuild & { Body: BuildBody | undefined }>(
    `${repositoryPrefix}/commits/:sha/builds`,
    async (request, reply) => {
      const repository = findRepository(dataCenter, request);
      const { sha } = named(repository.git, request.params.sha);
      const { state = '', key = '', url = '', parent, name = key, description = '' } = request.body ?? {};
      if (!states.includes(state)) throw refuse(400, 'Invalid state', 'ArgumentValidationException');
      for (const text of [key, url])
        if (text === '') throw refuse(400, 'key and url are required', 'ArgumentValidationException');
      const build = {
        repositoryId: repository.id,
        sha,
        key,
        parent: parent ?? null,
        name,
        state,
        description,
        url,
        at: Date.now(),
      };
      // A build of the same key replaces the former one.
      dataCenter.said.splice(0, dataCenter.said.length, ...dataCenter.said.filter((one) => !isSame(one, build)), build);
      return reply.code(204).send();
    },
  );
  server.post<CommentRoute>(`${repositoryPrefix}/pull-requests/:number/comments`, async (request, reply) => {
    const { repository, pull } = findPull(dataCenter, request as FastifyRequest);
    const { user } = callerOf(dataCenter, request as FastifyRequest);
    const by = { name: user.name, email: user.emails[0] ?? '' };
    const body = wordsIn(request.body);
    const comment = dataCenter.comments.add({ repositoryId: repository.id, number: pull.number, body, by });
    return reply.code(201).send(commentJson(dataCenter, comment));
  });
  server.get<CommentRoute>(`${repositoryPrefix}/pull-requests/:number/comments/:id`, async (request) =>
    commentJson(dataCenter, findComment(dataCenter, request as FastifyRequest)),
  );
  server.put<CommentRoute>(`${repositoryPrefix}/pull-requests/:number/comments/:id`, async (request) => {
    const comment = findComment(dataCenter, request as FastifyRequest);
    const version = versionOf(dataCenter, comment);
    if (request.body?.version !== version) throw refuse(409, 'The comment has changed', 'CommentOutOfDateException');
    dataCenter.versions.set(comment.id, version + 1);
    return commentJson(dataCenter, change(comment, wordsIn(request.body)));
  });
};

/** The builds of a commit, oldest first: planted ones, and those that programs reported. */
const buildsOn = (dataCenter: DataCenter, repository: HostedRepository, sha: string): DataCenterBuild[] => {
  const planted = repository.git.planted.checks
    .filter((check) => check.sha === sha)
    .map((check) => plantedBuild(repository, check));
  const all = [...planted, ...dataCenter.said.filter((one) => one.repositoryId === repository.id && one.sha === sha)];
  const last = new Map(all.map((build) => [build.key, build]));
  return [...last.values()].toSorted((one, other) => one.at - other.at);
};

const isSame = (one: DataCenterBuild, other: DataCenterBuild): boolean =>
  one.repositoryId === other.repositoryId && one.sha === other.sha && one.key === other.key;

const findComment = (dataCenter: DataCenter, request: FastifyRequest): Comment => {
  const { repository } = findPull(dataCenter, request);
  const comment = dataCenter.comments.find(repository.id, (request.params as { id: string }).id);
  if (comment === undefined) throw notFound('The comment does not exist.');
  return comment;
};

const wordsIn = (given: { text?: string } | undefined): string => {
  if (!given?.text) throw refuse(400, 'The comment has no text', 'ArgumentValidationException');
  return given.text;
};

const versionOf = ({ versions }: DataCenter, { id }: Comment): number => versions.get(id) ?? 0;

const commentJson = (dataCenter: DataCenter, comment: Comment) => ({
  properties: { repositoryId: comment.repositoryId },
  id: comment.id,
  version: versionOf(dataCenter, comment),
  text: comment.body,
  author: personJson(dataCenter, comment.by),
  createdDate: comment.at,
  updatedDate: comment.changedAt,
  comments: [],
  severity: 'NORMAL',
  state: 'OPEN',
});

export const commentActivities = (
  dataCenter: DataCenter,
  { id }: HostedRepository,
  { number, reviews }: PullRequest,
) => [
  ...dataCenter.comments
    .of(id, number)
    .filter(({ isDeleted }) => !isDeleted)
    .map((comment) => ({
      id: comment.id,
      createdDate: comment.at,
      user: personJson(dataCenter, comment.by),
      action: 'COMMENTED',
      commentAction: 'ADDED',
      comment: commentJson(dataCenter, comment),
    })),
  ...reviews
    .filter(({ verdict }) => verdict === 'commented')
    .map(({ reviewer, at }, index) => ({
      id: index + 1,
      createdDate: at,
      user: personJson(dataCenter, reviewer),
      action: 'COMMENTED',
      commentAction: 'ADDED',
    })),
];
