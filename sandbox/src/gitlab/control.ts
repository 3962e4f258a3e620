import type { FastifyInstance } from 'fastify';
import { peopleOf } from '../github/host.ts';
import type { Limit } from '../github/limits.ts';
import { createToken, type GitlabInstance, type GitlabScope, pathOf } from './instance.ts';
import { notFound } from './refusal.ts';

/** Endpoints that GitLab does not have, below /_sandbox/gitlab: tokens, limits, and the log of deliveries. */
export const gitlabControl = (server: FastifyInstance, instance: GitlabInstance, limit: Limit): void => {
  const { host, kept, deliveries } = instance;
  server.post<{ Body: { login?: string; scopes?: GitlabScope[] } | undefined }>(
    '/gitlab/token',
    async (request, reply) => {
      const { login, scopes } = request.body ?? {};
      const user = peopleOf(host).find((candidate) => login === undefined || candidate.login === login);
      if (user === undefined) throw notFound();
      return reply.code(201).send({ token: createToken(instance, user, scopes) });
    },
  );
  server.post('/gitlab/expire-tokens', async (_, reply) => {
    for (const token of Object.values(kept.tokens)) if (token.expiresAt !== null) token.expiresAt = Date.now();
    return reply.code(204).send();
  });
  server.post('/gitlab/revoke-tokens', async (_, reply) => {
    kept.tokens = {};
    return reply.code(204).send();
  });
  server.post<{ Body: { remaining: number; resetInSeconds: number } }>('/gitlab/rate-limit', async (request) => {
    const { remaining, resetInSeconds } = request.body;
    return Object.assign(limit, { remaining, resetAt: Date.now() + resetInSeconds * 1000 });
  });
  server.post<{ Body: { signs: boolean } }>('/gitlab/signing', async (request) => {
    instance.signs = request.body.signs;
    return { signs: instance.signs };
  });
  server.post<{ Body: { maintainers: boolean } }>('/gitlab/role', async (request) => {
    instance.areMaintainers = request.body.maintainers;
    return { maintainers: instance.areMaintainers };
  });
  server.get('/gitlab/hooks', async () => kept.hooks);
  server.get('/gitlab/deliveries', async () => deliveries.log);
  server.get('/gitlab/said', async () => instance.said);
  server.get('/gitlab/comments', async () => instance.comments.all);
  server.get('/gitlab/projects', async () => host.repositories.map((one) => ({ id: one.id, path: pathOf(one) })));
};
