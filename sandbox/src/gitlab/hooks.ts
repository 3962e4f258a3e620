import type { FastifyInstance } from 'fastify';
import { findProject } from './access.ts';
import type { Hook } from './hook.ts';
import type { GitlabInstance } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound, refuse } from './refusal.ts';
import { hookJson } from './responses.ts';

type HookBody = {
  url?: string;
  token?: string;
  signing_token?: string;
  push_events?: boolean;
  tag_push_events?: boolean;
  merge_requests_events?: boolean;
};

/** Webhooks of projects, which require a token with the scope `api`. */
export const hookRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  const { kept } = instance;
  const fieldsOf = ({ url = '', token, signing_token: signing, ...asked }: HookBody = {}) => {
    if (!/^https?:\/\/./.test(url)) throw refuse(422, 'Invalid url given');
    if (signing !== undefined && !/^whsec_[A-Za-z0-9+/]{43}=$/.test(signing)) {
      throw refuse(422, 'Signing token is invalid');
    }
    return {
      url,
      token: token ?? null,
      // An older instance without signing tokens ignores the field.
      signingToken: instance.signs ? (signing ?? null) : null,
      events: {
        push: asked.push_events ?? true,
        tagPush: asked.tag_push_events ?? false,
        mergeRequests: asked.merge_requests_events ?? false,
      },
    };
  };
  server.get('/projects/:id/hooks', async (request, reply) => {
    const { id } = findProject(instance, request, 'api');
    const hooks = kept.hooks.filter(({ projectId }) => projectId === id);
    return paginate(request, reply, hooks).map(hookJson);
  });
  server.post<{ Body: HookBody | undefined }>('/projects/:id/hooks', async (request, reply) => {
    const { id } = findProject(instance, request, 'api');
    const hook: Hook = { id: kept.nextHook, projectId: id, createdAt: Date.now(), ...fieldsOf(request.body) };
    kept.nextHook += 1;
    kept.hooks.push(hook);
    instance.save();
    return reply.code(201).send(hookJson(hook));
  });
  server.put<{ Params: { hook: string }; Body: HookBody | undefined }>('/projects/:id/hooks/:hook', async (request) => {
    const { id } = findProject(instance, request, 'api');
    const hook = kept.hooks.find((one) => one.projectId === id && String(one.id) === request.params.hook);
    if (!hook) throw notFound();
    Object.assign(hook, fieldsOf(request.body));
    instance.save();
    return hookJson(hook);
  });
  server.delete<{ Params: { hook: string } }>('/projects/:id/hooks/:hook', async (request, reply) => {
    const { id } = findProject(instance, request, 'api');
    const index = kept.hooks.findIndex((hook) => hook.projectId === id && String(hook.id) === request.params.hook);
    if (index < 0) throw notFound();
    kept.hooks.splice(index, 1);
    instance.save();
    return reply.code(204).send();
  });
};
