import type { FastifyInstance } from 'fastify';

const apis = ['/api/v3', '/gitlab/api/v4', '/bitbucket/2.0'];

/**
 * Lets pages of any origin read the APIs of the code hosts without cookies, as the real ones do. `others`: the paths of
 * further APIs.
 */
export const allowOtherOrigins = (server: FastifyInstance, others: readonly string[]): void => {
  const paths = [...apis, ...others].map((path) => `${path}/`);
  server.addHook('onRequest', async (request, reply) => {
    if (!paths.some((path) => request.url.startsWith(path))) return;
    reply.header('access-control-allow-origin', '*');
    if (request.method !== 'OPTIONS') return;
    return reply
      .headers({
        'access-control-allow-headers': 'Authorization, Content-Type',
        'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE',
      })
      .code(204)
      .send();
  });
};
