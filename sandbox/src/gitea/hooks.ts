import type { FastifyInstance } from 'fastify';
import { findAdministered } from './access.ts';
import type { GiteaHook } from './hook.ts';
import type { Gitea } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound, refuse } from './refusal.ts';
import { hookJson } from './responses.ts';

type GiteaHookForm = {
  type?: string;
  active?: boolean;
  events?: string[];
  config?: { url?: string; content_type?: string; secret?: string };
};
type OfHook = { Params: { hook: string }; Body: GiteaHookForm | undefined };

/** Webhooks of repositories, which require the right to administer the repository. */
export const hookRoutes = (server: FastifyInstance, gitea: Gitea): void => {
  const { kept } = gitea;
  const find = (repositoryId: number, id: string): GiteaHook => {
    const hook = kept.hooks.find((one) => one.repositoryId === repositoryId && String(one.id) === id);
    if (hook === undefined) throw notFound();
    return hook;
  };
  server.get('/repos/:owner/:repo/hooks', async (request, reply) => {
    const { id } = findAdministered(gitea, request, 'read:repository');
    const hooks = kept.hooks.filter(({ repositoryId }) => repositoryId === id);
    return paginate(gitea, request, reply, hooks).map(hookJson);
  });
  server.post<{ Body: GiteaHookForm | undefined }>('/repos/:owner/:repo/hooks', async (request, reply) => {
    const { id } = findAdministered(gitea, request, 'write:repository');
    const { type = '', config = {}, events = ['push'], active = false } = request.body ?? {};
    if (!['gitea', 'forgejo'].includes(type)) throw refuse(422, `Invalid hook type: ${type}`);
    for (const name of ['url', 'content_type'] as const) {
      if (config[name] === undefined) throw refuse(422, `Missing config option: ${name}`);
    }
    const { url = '', secret = '' } = config;
    if (!/^https?:\/\/./.test(url)) throw refuse(422, 'Invalid url');
    const hook: GiteaHook = {
      id: kept.nextHook,
      repositoryId: id,
      url,
      secret,
      events,
      isActive: active,
      createdAt: Date.now(),
    };
    kept.nextHook += 1;
    kept.hooks.push(hook);
    gitea.save();
    return reply.code(201).send(hookJson(hook));
  });
  server.patch<OfHook>('/repos/:owner/:repo/hooks/:hook', async (request) => {
    const { id } = findAdministered(gitea, request, 'write:repository');
    const hook = find(id, request.params.hook);
    const { config = {}, events = ['push'], active } = request.body ?? {};
    Object.assign(hook, {
      ...(config.url !== undefined && { url: config.url }),
      ...(config.secret !== undefined && { secret: config.secret }),
      ...(active !== undefined && { isActive: active }),
      events,
    });
    gitea.save();
    return hookJson(hook);
  });
  server.delete<OfHook>('/repos/:owner/:repo/hooks/:hook', async (request, reply) => {
    const { id } = findAdministered(gitea, request, 'write:repository');
    kept.hooks.splice(kept.hooks.indexOf(find(id, request.params.hook)), 1);
    gitea.save();
    return reply.code(204).send();
  });
};
