import type { FastifyInstance } from 'fastify';
import { fullName, peopleOf } from '../github/host.ts';
import { type AzureDevops, createToken, type TokenScope } from './collection.ts';
import { notFound } from './refusal.ts';

/** Endpoints that Azure DevOps has not, below /_sandbox/azure-devops: tokens, roles, versions, and the log of deliveries. */
export const azureDevopsControl = (server: FastifyInstance, azureDevops: AzureDevops): void => {
  const { host, kept, deliveries } = azureDevops;
  server.post<{ Body: { login?: string; scopes?: TokenScope[] } | undefined }>('/token', async (request, reply) => {
    const { login, scopes } = request.body ?? {};
    const user = peopleOf(host).find((candidate) => login === undefined || candidate.login === login);
    if (user === undefined) throw notFound('The account');
    return reply.code(201).send({ token: createToken(azureDevops, user, scopes) });
  });
  server.post('/revoke-tokens', async (_, reply) => {
    kept.tokens = {};
    azureDevops.save();
    return reply.code(204).send();
  });
  server.post<{ Body: { administrators: boolean } }>('/role', async (request) => {
    azureDevops.areAdministrators = request.body.administrators;
    return { administrators: azureDevops.areAdministrators };
  });
  server.post<{ Body: { page: boolean } }>('/sign-in', async (request) => {
    azureDevops.hasSignInPage = request.body.page;
    return { page: azureDevops.hasSignInPage };
  });
  server.post<{ Body: { version: string } }>('/version', async (request) => {
    azureDevops.version = request.body.version;
    return { version: azureDevops.version };
  });
  server.post<{ Body: { match: string | null } }>('/repeated-page', async (request) => {
    const { match } = request.body;
    azureDevops.repeatedList = match === null ? undefined : new RegExp(match);
    return { match };
  });
  server.get('/hooks', async () => kept.hooks);
  server.get('/deliveries', async () => deliveries.log);
  server.get('/said', async () => azureDevops.said);
  server.get('/comments', async () => azureDevops.comments.all);
  server.get('/projects', async () => host.repositories.map((one) => ({ id: one.id, path: fullName(one) })));
};
