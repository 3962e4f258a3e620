import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Comment, change } from '../git/comments.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { accessOf, findRepository } from './access.ts';
import type { Bitbucket, CommitStatus } from './bitbucket.ts';
import { commitNamed } from './commits.ts';
import { paginate } from './paging.ts';
import { refuse } from './refusal.ts';
import { personJson, timeText } from './responses/account.ts';
import { fullSlug } from './responses/repository.ts';

type StatusBody = { key?: string; state?: string; name?: string; description?: string; url?: string };
type OfPull = { Params: { id: string; comment: string }; Body: { content?: { raw?: string } } | undefined };

/** Build statuses on commits and comments on pull requests, written by programs. */
export const commentRoutes = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  const root = '/repositories/:workspace/:slug';
  server.post<{ Params: { commit: string }; Body: StatusBody | undefined }>(
    `${root}/commit/:commit/statuses/build`,
    async (request, reply) => {
      const repository = findRepository(bitbucket, request, 'repository');
      const { sha } = commitNamed(repository, request.params.commit);
      const { key = '', state = '', name, description = '', url = '' } = request.body ?? {};
      if (key === '' || key.length > 40) throw refuse(400, 'Bad request', { key: 'required key not provided' });
      if (!['SUCCESSFUL', 'FAILED', 'INPROGRESS', 'STOPPED'].includes(state)) {
        throw refuse(400, 'Bad request', { state: 'not a valid value' });
      }
      if (!/^https?:\/\/./.test(url)) throw refuse(400, 'Bad request', { url: 'Enter a valid URL.' });
      if (description.length > 255) throw refuse(400, 'Bad request', { description: 'too long' });
      const is = (one: CommitStatus) => one.repositoryId === repository.id && one.sha === sha && one.key === key;
      const before = bitbucket.said.findIndex(is);
      if (before >= 0) bitbucket.said.splice(before, 1);
      const status = {
        repositoryId: repository.id,
        sha,
        key,
        name: name ?? key,
        state,
        description,
        url,
        at: Date.now(),
      };
      bitbucket.said.push(status);
      return reply.code(201).send(commitStatusJson(bitbucket, repository, status));
    },
  );

  const find = (request: FastifyRequest<OfPull>): { repository: HostedRepository; number: number } => {
    const repository = findRepository(bitbucket, request, 'pullrequest');
    const pull = repository.git.pullRequests.find(({ number }) => String(number) === request.params.id);
    if (pull === undefined) throw refuse(404, `Pull request ${request.params.id} not found`);
    return { repository, number: pull.number };
  };
  const comments = `${root}/pullrequests/:id/comments`;
  server.get<OfPull>(comments, async (request) => {
    const { repository, number } = find(request);
    const found = bitbucket.comments.of(repository.id, number);
    return paginate(bitbucket, { request, items: found, toJson: (one) => commentJson(bitbucket, repository, one) });
  });
  server.post<OfPull>(comments, async (request, reply) => {
    const { repository, number } = find(request);
    const { user } = accessOf(bitbucket, request, 'pullrequest');
    const by = user ? { name: user.name, email: user.emails[0] ?? '' } : null;
    const made = bitbucket.comments.add({ repositoryId: repository.id, number, body: wordsIn(request.body), by });
    return reply.code(201).send(commentJson(bitbucket, repository, made));
  });
  const one = (request: FastifyRequest<OfPull>): { repository: HostedRepository; comment: Comment } => {
    const { repository, number } = find(request);
    const { comment: id } = request.params;
    // A deleted comment still exists with a deletion mark.
    const comment = bitbucket.comments.of(repository.id, number).find((candidate) => String(candidate.id) === id);
    if (comment === undefined) throw refuse(404, `Comment ${id} not found`);
    return { repository, comment };
  };
  server.get<OfPull>(`${comments}/:comment`, async (request) => {
    const { repository, comment } = one(request);
    return commentJson(bitbucket, repository, comment);
  });
  server.put<OfPull>(`${comments}/:comment`, async (request) => {
    const { repository, comment } = one(request);
    return commentJson(bitbucket, repository, change(comment, wordsIn(request.body)));
  });
};

const wordsIn = (given: OfPull['Body']): string => {
  if (!given?.content?.raw) throw refuse(400, 'content is a required field', { content: ['This field is required.'] });
  return given.content.raw;
};

export const commitStatusJson = (bitbucket: Bitbucket, repository: HostedRepository, status: CommitStatus) => {
  const { key, name, state, description, url, at } = status;
  const root = `${bitbucket.api}/repositories/${fullSlug(repository)}/commit/${status.sha}`;
  return {
    type: 'build',
    key,
    name,
    description,
    refname: null,
    state,
    url,
    created_on: timeText(at),
    updated_on: timeText(at),
    links: { self: { href: `${root}/statuses/build/${encodeURIComponent(key)}` }, commit: { href: root } },
  };
};

const commentJson = (bitbucket: Bitbucket, repository: HostedRepository, comment: Comment) => {
  const { id, number, body, by, at, changedAt, isDeleted } = comment;
  const href = `${bitbucket.api}/repositories/${fullSlug(repository)}/pullrequests/${number}/comments/${id}`;
  return {
    type: 'pullrequest_comment',
    id,
    deleted: isDeleted,
    pending: false,
    content: { type: 'rendered', raw: isDeleted ? '' : body, markup: 'markdown' },
    user: personJson(bitbucket, by),
    created_on: timeText(at),
    updated_on: timeText(changedAt),
    links: { self: { href } },
  };
};
