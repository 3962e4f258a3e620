import type { FastifyInstance } from 'fastify';

// Response headers of lists, polling and refusals. A browser hides them from pages of other origins unless they are
// exposed.
const exposedHeaders = 'X-Total-Count, Link, ETag, Retry-After, RateLimit, RateLimit-Policy';
const allowedHeaders = 'Authorization, Content-Type, If-None-Match';

/**
 * Allows pages of the configured origins to call the API. They authenticate with a token, never with cookies. Without
 * configured origins, the server sends no CORS headers.
 */
export function allowCorsOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    if (!/^\/api\//.test(request.url)) return undefined;
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return undefined;
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposedHeaders });
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return undefined;
    return reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': allowedHeaders,
        'access-control-max-age': '600',
      })
      .send();
  });
}
