import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from './attempts.ts';
import { type LimitState, RateLimited } from './errors.ts';
import { type RequestLimit, requestLimits } from './limits.ts';
import { renderNoticePage } from './pages/frame.ts';
import { sendPage } from './pages/security.ts';
import type { Services } from './services.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Limits that this request was counted against. */
    limits: LimitState[];
  }
}

/** Counts each request against its network address before any other processing. */
export function limitAddresses(app: FastifyInstance, services: Services): void {
  app.addHook('onRequest', async (request, reply) => {
    const limit = addressLimitOf(request.url);
    const counted = await services.rateLimiter.count(limit, networkOf(request.ip));
    request.limits.push(counted);
    if (!counted.exceeded) return undefined;
    if (/^\/(api|oidc\/token|v1|mcp|scim)\b/.test(request.url)) throw RateLimited({ ...counted, per: 'address' });
    return sendLimitPage(services, reply, counted);
  });
}

const addressLimitOf = (url: string): RequestLimit => {
  if (url.startsWith('/api/webhooks/')) return 'webhooks';
  return url.startsWith('/scim/') ? 'directories' : 'address';
};

/** Counts more points of a request. Throws 429 over the limit. */
export async function countRequest(
  { rateLimiter }: Pick<Services, 'rateLimiter'>,
  {
    request,
    limit,
    subject,
    points = 1,
  }: { request: Pick<FastifyRequest, 'limits'>; limit: RequestLimit; subject: string; points?: number | undefined },
): Promise<void> {
  const counted = await rateLimiter.count(limit, subject, points);
  request.limits.push(counted);
  if (counted.exceeded) throw RateLimited({ ...counted, per: requestLimits[limit].per });
}

/** The headers of the IETF draft "RateLimit header fields for HTTP" for the limits of a request. */
export function limitHeaders(limits: readonly LimitState[]): Record<string, string> {
  if (limits.length === 0) return {};
  return {
    'ratelimit-policy': limits
      .map(({ name, most, windowSeconds }) => `"${name}";q=${most};w=${windowSeconds}`)
      .join(', '),
    ratelimit: limits
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  };
}

const sendLimitPage = ({ config }: Services, reply: FastifyReply, { resetSeconds }: LimitState) =>
  sendPage(
    config,
    reply.status(429).header('retry-after', resetSeconds),
    renderNoticePage('Too many requests', [
      `Your network exceeded the request limit. Try again in ${resetSeconds} seconds.`,
    ]),
  );
