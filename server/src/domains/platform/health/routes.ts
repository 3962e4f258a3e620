import { timingSafeEqual } from 'node:crypto';
import { getLiveness, getReadiness } from '@sightline/contract/platform/health.ts';
import type { FastifyInstance } from 'fastify';
import { NotFound, Refusal } from '#core/errors.ts';
import { sha256 } from '#core/hmac.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { createHealthCheck } from './health-checks.ts';
import { createInstallationMetrics } from './installation-metrics.ts';

export function healthRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, getLiveness, async () => ({ status: 'ok' as const }));
  const health = createHealthCheck(services);
  route(app, services, getReadiness, async () => {
    const { failures, warnings } = await health();
    if (failures.length > 0)
      throw new Refusal('unavailable', 'The server is not ready.', { cause: failures.join(' ') }, { retryAfter: 2 });
    return { status: warnings.length > 0 ? ('degraded' as const) : ('ok' as const), warnings };
  });

  const collect = createInstallationMetrics(services);
  app.get('/metrics', async (request, reply) => {
    const token = services.config.METRICS_TOKEN;
    if (token === undefined || !isSame(request.headers.authorization ?? '', `Bearer ${token}`)) throw NotFound();
    return reply.type('text/plain; version=0.0.4').send(await services.metrics.text(await collect()));
  });
}

/** Compares in constant time for any characters and lengths. */
const isSame = (given: string, wanted: string) => timingSafeEqual(sha256(given), sha256(wanted));
