import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Comment, change } from '../git/comments.ts';
import type { PullRequest } from '../git/pull-request.ts';
import { fullName, type Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { paginate } from './paging.ts';
import { findPull, type Numbered } from './pulls.ts';
import { notFound, refuse } from './refusal.ts';
import { accountJson, nodeId, personJson, timeText } from './responses/account.ts';
import { appJson } from './responses/installation.ts';
import { accessOf, findRepository } from './tokens.ts';

type CommentRoute = Numbered & { Body: { body?: string } | undefined };
type ById = { Params: { id: string }; Body: { body?: string } | undefined };

/** Comments on pull requests, which use the issues API. */
export const commentRoutes = (server: FastifyInstance, host: Host): void => {
  const list = '/repos/:owner/:repo/issues/:number/comments';
  server.get<Numbered>(list, async (request, reply) => {
    const { repository, pull } = findPull(host, request);
    const found = host.comments.of(repository.id, pull.number).filter(({ isDeleted }) => !isDeleted);
    return paginate(request, reply, found).map((comment) => commentJson(host, repository, pull, comment));
  });
  server.post<CommentRoute>(list, async (request, reply) => {
    const { repository, pull } = findPull(host, request);
    const { id: repositoryId } = repository;
    const comment = host.comments.add({ repositoryId, number: pull.number, body: wordsIn(request.body), by: null });
    reply.header('location', urlOf(host, repository, comment));
    return reply.code(201).send(commentJson(host, repository, pull, comment));
  });
  server.patch<ById>('/repos/:owner/:repo/issues/comments/:id', async (request) => {
    const repository = findRepository(host, request as FastifyRequest);
    const comment = host.comments.find(repository.id, request.params.id);
    const pull = repository.git.pullRequests.find(({ number }) => number === comment?.number);
    if (comment === undefined || pull === undefined) throw notFound();
    if (accessOf(host, request).kind !== 'installation' && comment.by === null) throw refuse(403, 'Forbidden');
    return commentJson(host, repository, pull, change(comment, wordsIn(request.body)));
  });
};

const wordsIn = (given: { body?: string } | undefined): string => {
  if (!given?.body) throw refuse(422, 'Validation Failed');
  return given.body;
};

const urlOf = (host: Host, repository: HostedRepository, { id }: Comment): string =>
  `${host.api}/repos/${fullName(repository)}/issues/comments/${id}`;

/** A comment without a git author is attributed to the app. */
const commentJson = (host: Host, repository: HostedRepository, { number }: PullRequest, comment: Comment) => {
  const { id, body, by, at, changedAt } = comment;
  const html = `${host.url}/${fullName(repository)}/pull/${number}`;
  const bot = { id: host.app.appId, login: `${host.app.slug}[bot]`, name: host.app.slug, type: 'Bot' as const };
  return {
    id,
    node_id: nodeId('IssueComment', id),
    url: urlOf(host, repository, comment),
    body,
    html_url: `${html}#issuecomment-${id}`,
    issue_url: `${host.api}/repos/${fullName(repository)}/issues/${number}`,
    user: by === null ? accountJson(host, { ...bot, emails: [] }) : personJson(host, by),
    performed_via_github_app: by === null ? appJson(host) : null,
    author_association: 'NONE',
    created_at: timeText(at),
    updated_at: timeText(changedAt),
  };
};
