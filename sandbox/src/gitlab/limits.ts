import type { FastifyInstance } from 'fastify';
import type { Limit } from '../github/limits.ts';

const minuteMs = 60_000;

/** Counts requests as GitLab does: headers on every response, and 429 with Retry-After beyond the limit per minute. */
export const limitRequests = (server: FastifyInstance, limit: Limit): void => {
  server.addHook('onRequest', async (_, reply) => {
    if (Date.now() >= limit.resetAt) Object.assign(limit, { remaining: limit.limit, resetAt: Date.now() + minuteMs });
    reply.headers({
      'ratelimit-limit': limit.limit,
      'ratelimit-observed': Math.max(0, limit.limit - limit.remaining),
      'ratelimit-remaining': Math.max(0, limit.remaining - 1),
      'ratelimit-reset': Math.ceil(limit.resetAt / 1000),
      'ratelimit-name': 'throttle_authenticated_api',
    });
    if (limit.remaining > 0) {
      limit.remaining -= 1;
      return;
    }
    const seconds = Math.max(1, Math.ceil((limit.resetAt - Date.now()) / 1000));
    return reply.code(429).header('retry-after', seconds).type('text/plain').send('Retry later\n');
  });
};
