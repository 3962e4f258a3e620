import type { FastifyInstance } from 'fastify';
import { fullName, peopleOf } from '../github/host.ts';
import { type AzureDevops, createToken, type TokenScope } from './collection.ts';
import { notFound } from './refusal.ts';

/** Endpoints that Azure DevOps has not, below /_sandbox/azure-devops: tokens, roles, versions, and the log of deliveries. */
export const azureDevopsControl = (server: FastifyInstance, azure: AzureDevops): void => {
  const { host, kept, deliveries } = azure;
  server.post<{ Body: { login?: string; scopes?: TokenScope[] } | undefined }>('/token', async (request, reply) => {
    const { login, scopes } = request.body ?? {};
    const user = peopleOf(host).find((candidate) => login === undefined || candidate.login === login);
    if (user === undefined) throw notFound('The account');
    return reply.code(201).send({ token: createToken(azure, user, scopes) });
  });
  server.post('/revoke-tokens', async (_, reply) => {
    kept.tokens = {};
    azure.save();
    return reply.code(204).send();
  });
  server.post<{ Body: { administrators: boolean } }>('/role', async (request) => {
    azure.areAdministrators = request.body.administrators;
    return { administrators: azure.areAdministrators };
  });
  server.post<{ Body: { page: boolean } }>('/sign-in', async (request) => {
    azure.hasSignInPage = request.body.page;
    return { page: azure.hasSignInPage };
  });
  server.post<{ Body: { version: string } }>('/version', async (request) => {
    azure.version = request.body.version;
    return { version: azure.version };
  });
  server.post<{ Body: { match: string | null } }>('/repeated-page', async (request) => {
    const { match } = request.body;
    azure.repeatedList = match === null ? undefined : new RegExp(match);
    return { match };
  });
  server.get('/hooks', async () => kept.hooks);
  server.get('/deliveries', async () => deliveries.log);
  server.get('/said', async () => azure.said);
  server.get('/comments', async () => azure.comments.all);
  server.get('/projects', async () => host.repositories.map((one) => ({ id: one.id, path: fullName(one) })));
};
