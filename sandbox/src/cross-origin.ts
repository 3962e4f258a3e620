import type { FastifyInstance } from 'fastify';

/** The paths of the REST APIs of the code hosts. */
const apis = /^\/(api\/v3|gitlab\/api\/v4|bitbucket\/2\.0)\//;

/** Lets pages of any origin read the APIs of the code hosts without cookies, as the real ones do. */
export const allowOtherOrigins = (server: FastifyInstance): void => {
  server.addHook('onRequest', async (request, reply) => {
    if (!apis.test(request.url)) return;
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
