import type { FastifyInstance, FastifyReply } from 'fastify';
import type { LimitAnswer } from './faults.ts';
import { refusalBody } from './refusal.ts';

/** The remaining requests of the hour; `resetAt` is epoch milliseconds. */
export type Limit = { limit: number; remaining: number; resetAt: number };

/**
 * Counts requests as GitHub does: headers on every response, 403 beyond the limit, and 304 responses are free.
 * `answers` records each refusal.
 */
export const limitRequests = (
  server: FastifyInstance,
  limit: Limit,
  answers: LimitAnswer[],
  resource: 'core' | 'graphql' = 'core',
): void => {
  server.addHook('onRequest', async (request, reply) => {
    if (Date.now() >= limit.resetAt) Object.assign(limit, { remaining: limit.limit, resetAt: Date.now() + hourMs });
    if (request.url.startsWith('/api/v3/rate_limit')) return;
    if (limit.remaining > 0) {
      limit.remaining -= 1;
      return;
    }
    setHeaders(reply, limit, resource);
    answers.push({ at: Date.now(), until: limit.resetAt });
    return reply.code(403).send(refusalBody(403, 'API rate limit exceeded for this installation.'));
  });
  server.addHook('onSend', async (_, reply, payload) => {
    if (reply.statusCode === 304 && limit.remaining < limit.limit) limit.remaining += 1;
    setHeaders(reply, limit, resource);
    return payload;
  });
  if (resource !== 'core') return;
  server.get('/rate_limit', async () => {
    const core = { limit: limit.limit, ...used(limit) };
    return { resources: { core }, rate: core };
  });
};

export const fullLimit = (limit: number): Limit => ({ limit, remaining: limit, resetAt: Date.now() + hourMs });

const hourMs = 3_600_000;

const used = ({ limit, remaining, resetAt }: Limit) => ({
  used: Math.max(0, limit - remaining),
  remaining,
  reset: Math.ceil(resetAt / 1000),
});

const setHeaders = (reply: FastifyReply, limit: Limit, resource: string): void => {
  const { used: count, remaining, reset } = used(limit);
  reply.headers({
    'x-ratelimit-limit': limit.limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-used': count,
    'x-ratelimit-reset': reset,
    'x-ratelimit-resource': resource,
  });
};
