import type { FastifyInstance } from 'fastify';
import { accountsOf, type Host, repositoriesOf } from './host.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { accountJson, profileJson } from './responses/account.ts';
import { installationJson } from './responses/installation.ts';
import { repositoryJson } from './responses/repository.ts';
import { accessOf, installationsOf, requireUser } from './tokens.ts';

/** The authenticated user, and users by login. */
export const userRoutes = (server: FastifyInstance, host: Host): void => {
  server.get('/user', async (request) => profileJson(host, requireUser(host, request)));

  server.get('/user/emails', async (request, reply) => {
    const { emails, unverified = [] } = requireUser(host, request);
    const shapes = emails.map((email, index) => ({
      email,
      primary: index === 0,
      verified: !unverified.includes(email),
      visibility: null,
    }));
    return paginate(request, reply, shapes);
  });
  server.get('/user/installations', async (request, reply) => {
    const installations = installationsOf(host, requireUser(host, request));
    const page = paginate(request, reply, installations);
    const shapes = page.map((installation) => installationJson(host, installation));
    return { total_count: installations.length, installations: shapes };
  });
  server.get<{ Params: { id: string } }>('/user/installations/:id/repositories', async (request, reply) => {
    const user = requireUser(host, request);
    const installation = installationsOf(host, user).find(({ id }) => String(id) === request.params.id);
    if (installation === undefined) throw notFound();
    const repositories = repositoriesOf(host, installation);
    const page = paginate(request, reply, repositories);
    return {
      total_count: repositories.length,
      repositories: page.map((repository) => repositoryJson(host, repository)),
    };
  });
  server.get<{ Params: { login: string } }>('/users/:login', async (request) => {
    accessOf(host, request);
    const loginParam = request.params.login.toLowerCase();
    const user = host.users.byLogin.get(loginParam);
    if (user !== undefined) return profileJson(host, user);
    const account = accountsOf(host).find(({ login }) => login.toLowerCase() === loginParam);
    if (account === undefined) throw notFound();
    return { ...accountJson(host, account), name: account.login };
  });
};
