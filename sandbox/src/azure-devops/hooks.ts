import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { administratorOf } from './access.ts';
import { type AzureDevops, projectIdOf, repositoryIdOf } from './collection.ts';
import type { AzureDevopsHook } from './hook.ts';
import { listJson } from './paging.ts';
import { notFound, refuse } from './refusal.ts';

type AzureDevopsHookBody = {
  publisherId?: string;
  eventType?: string;
  consumerId?: string;
  consumerActionId?: string;
  publisherInputs?: { projectId?: string; repository?: string };
  consumerInputs?: { url?: string; basicAuthUsername?: string; basicAuthPassword?: string };
};
type OfHook = { Params: { id: string }; Body: AzureDevopsHookBody | undefined };

const path = '/_apis/hooks/subscriptions';

/** Subscriptions of service hooks, each to one event. */
export const hookRoutes = (server: FastifyInstance, azureDevops: AzureDevops): void => {
  const { kept } = azureDevops;
  const find = (request: FastifyRequest): AzureDevopsHook => {
    const { repositories } = administratorOf(azureDevops, request, 'hooks');
    const { id } = request.params as { id: string };
    const hook = kept.hooks.find((one) => one.id === id);
    if (hook === undefined || !repositories.some((one) => repositoryIdOf(one) === hook.repositoryId))
      throw notFound('The subscription');
    return hook;
  };
  server.get(path, async (request) => {
    administratorOf(azureDevops, request, 'hooks');
    return listJson(kept.hooks.map(hookJson));
  });
  server.post<{ Body: AzureDevopsHookBody | undefined }>(path, async (request) => {
    const { repositories } = administratorOf(azureDevops, request as FastifyRequest, 'hooks');
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
    const hook: AzureDevopsHook = {
      id: randomUUID(),
      repositoryId: repositoryIdOf(repository),
      projectId: projectIdOf(repository),
      eventType,
      url: consumerInputs?.url ?? '',
      user: consumerInputs?.basicAuthUsername ?? '',
      password: consumerInputs?.basicAuthPassword ?? '',
    };
    kept.hooks.push(hook);
    azureDevops.save();
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
    azureDevops.save();
    return hookJson(hook);
  });
  server.delete<OfHook>(`${path}/:id`, async (request, reply) => {
    kept.hooks.splice(kept.hooks.indexOf(find(request as FastifyRequest)), 1);
    azureDevops.save();
    return reply.code(204).send();
  });
};

const hookJson = ({ id, eventType, url, user, projectId, repositoryId }: AzureDevopsHook) => ({
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
