import type { FastifyInstance } from 'fastify';
import type { Services } from './services.ts';

/** Measures every response under the path of its route, never under its address. */
export function measureRequests(app: FastifyInstance, { metrics }: Services): void {
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const labels = { method, route: routeOptions.url ?? 'unknown', status: String(reply.statusCode) };
    metrics.requests.observe(labels, reply.elapsedTime / 1000);
  });
}
