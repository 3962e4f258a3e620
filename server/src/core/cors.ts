import type { FastifyInstance } from 'fastify';

// What lists, polls and refusals say beside their bodies; a browser keeps it from a page of another site otherwise.
const exposed = 'X-Total-Count, Link, ETag, Retry-After, RateLimit, RateLimit-Policy';
const taken = 'Authorization, Content-Type, If-None-Match';

/**
 * Lets pages of the origins an operator names call the API. They bring a token of their own: no cookie is taken from them, and
 * without such an origin no header says anything.
 */
export function letOriginsCall(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    if (!/^\/api\//.test(request.url)) return undefined;
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return undefined;
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed });
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return undefined;
    return reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': taken,
        'access-control-max-age': '600',
      })
      .send();
  });
}
