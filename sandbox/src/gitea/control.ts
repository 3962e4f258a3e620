import type { FastifyInstance } from 'fastify';
import { fullName, peopleOf } from '../github/host.ts';
import { createToken, type Gitea, type GiteaScope } from './instance.ts';
import { notFound } from './refusal.ts';

/** Endpoints that neither product has, below /_sandbox/gitea: tokens, roles, and the log of deliveries. */
export const giteaControl = (server: FastifyInstance, gitea: Gitea): void => {
  const { host, kept, deliveries } = gitea;
  server.post<{ Body: { login?: string; scopes?: GiteaScope[] } | undefined }>('/token', async (request, reply) => {
    const { login, scopes } = request.body ?? {};
    const user = peopleOf(host).find((candidate) => login === undefined || candidate.login === login);
    if (user === undefined) throw notFound();
    return reply.code(201).send({ token: createToken(gitea, user, scopes) });
  });
  server.post('/revoke-tokens', async (_, reply) => {
    kept.tokens = {};
    gitea.save();
    return reply.code(204).send();
  });
  server.post<{ Body: { administrators: boolean } }>('/role', async (request) => {
    gitea.areAdministrators = request.body.administrators;
    return { administrators: gitea.areAdministrators };
  });
  server.post<{ Body: { forgejo: boolean } }>('/product', async (request) => {
    gitea.isForgejo = request.body.forgejo;
    return { forgejo: gitea.isForgejo };
  });
  server.post<{ Body: { match: string | null } }>('/repeated-page', async (request) => {
    const { match } = request.body;
    gitea.repeatedList = match === null ? undefined : new RegExp(match);
    return { match };
  });
  server.get('/hooks', async () => kept.hooks);
  server.get('/deliveries', async () => deliveries.log);
  server.get('/said', async () => gitea.said);
  server.get('/comments', async () => gitea.comments.all);
  server.get('/projects', async () => host.repositories.map((one) => ({ id: one.id, path: fullName(one) })));
};
