import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { administratorOf } from './access.ts';
import { type AzureDevops, projectIdOf, repositoryIdOf } from './collection.ts';
import type { AzureHook } from './hook.ts';
import { listJson } from './paging.ts';
import { notFound, refuse } from './refusal.ts';

type AzureHookBody = {
  publisherId?: string;
  eventType?: string;
  consumerId?: string;
  consumerActionId?: string;
  publisherInputs?: { projectId?: string; repository?: string };
  consumerInputs?: { url?: string; basicAuthUsername?: string; basicAuthPassword?: string };
};
type OfHook = { Params: { id: string }; Body: AzureHookBody | undefined };

const path = '/_apis/hooks/subscriptions';

/** Subscriptions of service hooks, each to one event. */
export const hookRoutes = (server: FastifyInstance, azure: AzureDevops): void => {
  const { kept } = azure;
  const find = (request: FastifyRequest): AzureHook => {
    const { repositories } = administratorOf(azure, request, 'hooks');
    const { id } = request.params as { id: string };
    const hook = kept.hooks.find((one) => one.id === id);
    if (hook === undefined || !repositories.some((one) => repositoryIdOf(one) === hook.repositoryId))
      throw notFound('The subscription');
    return hook;
  };
  server.get(path, async (request) => {
    administratorOf(azure, request, 'hooks');
    return listJson(kept.hooks.map(hookJson));
  });
  server.post<{ Body: AzureHookBody | undefined }>(path, async (request) => {
    const { repositories } = administratorOf(azure, request as FastifyRequest, 'hooks');
    const {
      publisherId,
      eventType = '',
      consumerId,
      consumerActionId,
      publisherInputs,
      consumerInputs,
    } = request.body ?? {};
    const repository = repositories.find((one) => repositoryIdOf(one) === publisherInputs?.repository);
    if (
      publisherId !== 'tfs' ||
      consumerId !== 'webHooks' ||
      consumerActionId !== 'httpRequest' ||
      repository === undefined
    )
      throw refuse(400, 'SubscriptionInputException', 'The subscription is invalid.');
    if (!/^https?:\/\/./.test(consumerInputs?.url ?? ''))
      throw refuse(400, 'SubscriptionInputException', 'The URL is invalid.');
    const hook: AzureHook = {
      id: randomUUID(),
      repositoryId: repositoryIdOf(repository),
      projectId: projectIdOf(repository),
      eventType,
      url: consumerInputs?.url ?? '',
      user: consumerInputs?.basicAuthUsername ?? '',
      password: consumerInputs?.basicAuthPassword ?? '',
    };
    kept.hooks.push(hook);
    azure.save();
    return hookJson(hook);
  });
  server.put<OfHook>(`${path}/:id`, async (request) => {
    const hook = find(request as FastifyRequest);
    const { url, basicAuthUsername, basicAuthPassword } = request.body?.consumerInputs ?? {};
    Object.assign(hook, {
      ...(url !== undefined && { url }),
      ...(basicAuthUsername !== undefined && { user: basicAuthUsername }),
      ...(basicAuthPassword !== undefined && { password: basicAuthPassword }),
    });
    azure.save();
    return hookJson(hook);
  });
  server.delete<OfHook>(`${path}/:id`, async (request, reply) => {
    kept.hooks.splice(kept.hooks.indexOf(find(request as FastifyRequest)), 1);
    azure.save();
    return reply.code(204).send();
  });
};

const hookJson = ({ id, eventType, url, user, projectId, repositoryId }: AzureHook) => ({
  id,
  status: 'enabled',
  publisherId: 'tfs',
  eventType,
  resourceVersion: '1.0',
  consumerId: 'webHooks',
  consumerActionId: 'httpRequest',
  publisherInputs: { projectId, repository: repositoryId },
  consumerInputs: { url, basicAuthUsername: user, basicAuthPassword: '********' },
});
