import type { FastifyInstance } from 'fastify';
import { healthPath } from './http.ts';
import type { Services } from './services.ts';

/** Measures every response by its route, never by its URL, and logs it if ACCESS_LOG is on. */
export function measureRequests(app: FastifyInstance, { config, log, metrics }: Services): void {
  const access = config.ACCESS_LOG === 'on' ? log.child({ log: 'access' }, { level: 'info' }) : undefined;
  app.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const { method, actor } = request;
    const route = request.routeOptions.url ?? 'unknown';
    metrics.requests.observe({ method, route, status: String(statusCode) }, elapsedTime / 1000);
    if (access && !healthPath.test(route))
      access.info({
        reqId: request.id,
        method,
        route,
        status: statusCode,
        ms: Math.round(elapsedTime),
        address: request.ip,
        account: actor && 'accountId' in actor ? actor.accountId : undefined,
      });
    done();
  });
}
