import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findRepository } from './access.ts';
import type { Bitbucket } from './bitbucket.ts';
import type { Hook } from './hook.ts';
import { paginate } from './paging.ts';
import { notFound, refuse } from './refusal.ts';
import { fullSlug, repositoryRefJson } from './responses/repository.ts';

type HookBody = { description?: string; url?: string; active?: boolean; secret?: string | null; events?: string[] };

/** Creates, lists, updates and deletes the webhooks of a repository. */
export const hookRoutes = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  const root = '/repositories/:workspace/:slug/hooks';
  const find = (request: FastifyRequest<{ Params: { uid: string } }>) => {
    const repository = findRepository(bitbucket, request, 'webhook');
    const uuidParam = request.params.uid.replace(/^\{?|\}?$/g, '');
    const hook = hooksOf(bitbucket, repository).find(({ uuid }) => uuid === `{${uuidParam}}`);
    if (hook === undefined) throw notFound(`Webhook ${uuidParam}`);
    return { repository, hook };
  };

  server.get(root, async (request) => {
    const repository = findRepository(bitbucket, request, 'webhook');
    const hooks = hooksOf(bitbucket, repository);
    return paginate(bitbucket, { request, items: hooks, toJson: (hook) => hookJson(bitbucket, repository, hook) });
  });
  server.post<{ Body: HookBody | undefined }>(root, async (request, reply) => {
    const repository = findRepository(bitbucket, request, 'webhook');
    const fields = fieldsOf(request.body);
    if (hooksOf(bitbucket, repository).length >= mostHooks) throw refuse(400, 'The limit of webhooks is reached.');
    const made: Hook = {
      uuid: `{${randomUUID()}}`,
      repositoryId: repository.id,
      createdAt: Date.now(),
      secret: null,
      ...fields,
    };
    bitbucket.hooks.push(made);
    bitbucket.save();
    return reply.code(201).send(hookJson(bitbucket, repository, made));
  });
  server.get<{ Params: { uid: string } }>(`${root}/:uid`, async (request) => {
    const { repository, hook } = find(request);
    return hookJson(bitbucket, repository, hook);
  });
  server.put<{ Params: { uid: string }; Body: HookBody | undefined }>(`${root}/:uid`, async (request) => {
    const { repository, hook } = find(request);
    Object.assign(hook, fieldsOf(request.body));
    bitbucket.save();
    return hookJson(bitbucket, repository, hook);
  });
  server.delete<{ Params: { uid: string } }>(`${root}/:uid`, async (request, reply) => {
    const { hook } = find(request);
    bitbucket.hooks.splice(bitbucket.hooks.indexOf(hook), 1);
    bitbucket.save();
    return reply.code(204).send();
  });
};

/** The fields of a request. The secret is included only if given, since Bitbucket keeps the existing one. */
const fieldsOf = ({ description = '', url, active = true, secret, events = [] }: HookBody = {}) => {
  if (!url || !URL.canParse(url)) throw refuse(400, 'Bad request', { url: ['Enter a valid URL.'] });
  const unknown = events.filter((event) => !knownEvents.has(event));
  if (events.length === 0 || unknown.length > 0) throw refuse(400, 'Bad request', { events: ['Invalid event.'] });
  return { description, url, active, events, ...(secret !== undefined && { secret }) };
};

/** Sends an event to all subscribed webhooks. */
export const sendWebhook = (
  bitbucket: Bitbucket,
  repository: HostedRepository,
  event: string,
  payload: Record<string, unknown>,
): void => {
  for (const hook of hooksOf(bitbucket, repository)) {
    if (hook.active && hook.events.includes(event)) bitbucket.deliveries.send(hook, event, payload);
  }
};

const mostHooks = 50; // limit of Bitbucket

const knownEvents = new Set([
  ...['push', 'updated', 'transfer', 'deleted', 'fork', 'commit_comment_created'].map((name) => `repo:${name}`),
  ...['created', 'updated', 'approved', 'unapproved', 'fulfilled', 'rejected'].map((name) => `pullrequest:${name}`),
  ...['changes_request_created', 'changes_request_removed', 'comment_created'].map((name) => `pullrequest:${name}`),
]);

const hooksOf = ({ hooks }: Bitbucket, { id }: HostedRepository): Hook[] =>
  hooks.filter(({ repositoryId }) => repositoryId === id);

const hookJson = (bitbucket: Bitbucket, repository: HostedRepository, hook: Hook) => {
  const { uuid, url, description, active, events, secret, createdAt } = hook;
  const self = `${bitbucket.api}/repositories/${fullSlug(repository)}/hooks/${encodeURIComponent(uuid)}`;
  return {
    type: 'webhook_subscription',
    uuid,
    url,
    description,
    active,
    events,
    secret_set: secret !== null,
    read_only: false,
    skip_cert_verification: false,
    source: null,
    subject_type: 'repository',
    created_at: new Date(createdAt).toISOString(),
    subject: repositoryRefJson(bitbucket, repository),
    links: { self: { href: self } },
  };
};
