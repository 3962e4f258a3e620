import type { FastifyInstance } from 'fastify';
import { fullName, peopleOf } from '../github/host.ts';
import { createToken, type DataCenter, type TokenPermission } from './instance.ts';
import { notFound } from './refusal.ts';

/** Endpoints that the product has not, below /_sandbox/bitbucket-data-center: tokens, roles, and the log of deliveries. */
export const dataCenterControl = (server: FastifyInstance, dataCenter: DataCenter): void => {
  const { host, kept, deliveries } = dataCenter;
  server.post<{ Body: { login?: string; permission?: TokenPermission } | undefined }>(
    '/token',
    async (request, reply) => {
      const { login, permission } = request.body ?? {};
      const user = peopleOf(host).find((candidate) => login === undefined || candidate.login === login);
      if (user === undefined) throw notFound();
      return reply.code(201).send({ token: createToken(dataCenter, user, permission) });
    },
  );
  server.post('/revoke-tokens', async (_, reply) => {
    kept.tokens = {};
    dataCenter.save();
    return reply.code(204).send();
  });
  server.post<{ Body: { administrators: boolean } }>('/role', async (request) => {
    dataCenter.areAdministrators = request.body.administrators;
    return { administrators: dataCenter.areAdministrators };
  });
  server.post<{ Body: { recent: boolean } }>('/version', async (request) => {
    dataCenter.isRecent = request.body.recent;
    return { recent: dataCenter.isRecent };
  });
  server.post<{ Body: { match: string | null } }>('/repeated-page', async (request) => {
    const { match } = request.body;
    dataCenter.repeatedList = match === null ? undefined : new RegExp(match);
    return { match };
  });
  server.get('/hooks', async () => kept.hooks);
  server.get('/deliveries', async () => deliveries.log);
  server.get('/said', async () => dataCenter.said);
  server.get('/comments', async () => dataCenter.comments.all);
  server.get('/projects', async () => host.repositories.map((one) => ({ id: one.id, path: fullName(one) })));
};
