import type { FastifyInstance } from 'fastify';
import { peopleOf } from '../github/host.ts';
import { renameRepository } from '../github/webhook-events.ts';
import { addScopeHeaders } from './access.ts';
import type { Bitbucket } from './bitbucket.ts';
import { checkRoutes } from './check-routes.ts';
import { commentRoutes } from './comment-routes.ts';
import { commitRoutes } from './commits.ts';
import { bitbucketGit } from './git.ts';
import { hookRoutes } from './hooks.ts';
import { oauthRoutes } from './oauth.ts';
import { bitbucketPages } from './pages.ts';
import { permissionRoutes } from './permission-routes.ts';
import { pullRoutes } from './pulls.ts';
import { answerRefusals, notFound } from './refusal.ts';
import { repositoryRoutes } from './repositories.ts';
import { fullSlug } from './responses/repository.ts';
import { sourceRoutes } from './source.ts';
import { sendRenamedWebhook } from './webhooks.ts';

/** The path of Bitbucket in the sandbox: its pages here, its API below at `/2.0`. */
export const bitbucketPath = '/bitbucket';

export const bitbucketRoutes = async (server: FastifyInstance, bitbucket: Bitbucket): Promise<void> => {
  answerRefusals(server);
  oauthRoutes(server, bitbucket);
  await bitbucketGit(server, bitbucket);
  bitbucketPages(server, bitbucket);
  await server.register(
    async (api) => {
      addScopeHeaders(api, bitbucket);
      for (const routes of apiRoutes) routes(api, bitbucket);
    },
    { prefix: '/2.0' },
  );
};

/** Endpoints that Bitbucket does not have, for test control, below /_sandbox. */
export const bitbucketControl = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  const { deliveries, hooks, host, tokens } = bitbucket;
  server.get('/bitbucket/deliveries', async () => deliveries.log);
  server.get('/bitbucket/hooks', async () => hooks);
  server.get('/bitbucket/said', async () => bitbucket.said);
  server.get('/bitbucket/comments', async () => bitbucket.comments.all);
  server.post('/bitbucket/expire-tokens', async (_, reply) => {
    for (const [text, { kind }] of tokens) if (kind === 'access') tokens.delete(text);
    return reply.code(204).send();
  });
  server.post('/bitbucket/revoke-tokens', async (_, reply) => {
    tokens.clear();
    return reply.code(204).send();
  });
  server.post<{ Body: { repository: string; name: string } }>('/bitbucket/rename', async ({ body }, reply) => {
    const repository = host.repositories.find((candidate) => fullSlug(candidate) === body.repository);
    const [by] = peopleOf(host);
    if (repository === undefined || by === undefined) throw notFound(`Repository ${body.repository}`);
    const from = repository.name;
    renameRepository(host, repository, body.name, by);
    sendRenamedWebhook(bitbucket, repository, from, { name: by.name, email: by.emails[0] ?? '' });
    return reply.code(204).send();
  });
};

const apiRoutes = [
  repositoryRoutes,
  commitRoutes,
  checkRoutes,
  pullRoutes,
  sourceRoutes,
  hookRoutes,
  commentRoutes,
  permissionRoutes,
];
