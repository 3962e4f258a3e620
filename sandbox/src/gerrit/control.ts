import type { FastifyInstance } from 'fastify';
import { peopleOf } from '../github/host.ts';
import { createPassword, type Gerrit } from './instance.ts';
import { notFound } from './refusal.ts';

/** Endpoints that the product does not have, below /_sandbox/gerrit: passwords, rights, plugins, messages and faults. */
export const gerritControl = (server: FastifyInstance, gerrit: Gerrit): void => {
  const { host, kept } = gerrit;
  server.post<{ Body: { login?: string } | undefined }>('/token', async (request, reply) => {
    const { login } = request.body ?? {};
    const user = peopleOf(host).find((candidate) => login === undefined || candidate.login === login);
    if (user === undefined) throw notFound(login ?? '');
    return reply.code(201).send({ login: user.login, token: createPassword(gerrit, user) });
  });
  server.post('/revoke-tokens', async (_, reply) => {
    kept.passwords = {};
    gerrit.save();
    return reply.code(204).send();
  });
  server.post<{ Body: { owners: boolean } }>('/role', async (request) => {
    gerrit.areOwners = request.body.owners;
    return { owners: gerrit.areOwners };
  });
  server.post<{ Body: { gitiles: boolean } }>('/plugins', async (request) => {
    gerrit.hasGitiles = request.body.gitiles;
    return { gitiles: gerrit.hasGitiles };
  });
  server.post<{ Body: { kept: boolean } }>('/messages', async (request) => {
    gerrit.keepsMessages = request.body.kept;
    return { kept: gerrit.keepsMessages };
  });
  server.post<{ Body: { match: string | null } }>('/repeated-page', async (request) => {
    const { match } = request.body;
    gerrit.repeatedList = match === null ? undefined : new RegExp(match);
    return { match };
  });
};
