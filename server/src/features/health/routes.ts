import { timingSafeEqual } from 'node:crypto';
import { getLiveness, getReadiness } from '@sightline/contract/health.ts';
import type { FastifyInstance } from 'fastify';
import { NotFound, Refusal } from '#core/errors.ts';
import { sha256 } from '#core/hmac.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { createHealthCheck } from './checks.ts';

export function healthRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, getLiveness, async () => ({ status: 'ok' as const }));
  const health = createHealthCheck(services);
  route(app, services, getReadiness, async () => {
    const { failures, warnings } = await health();
    if (failures.length > 0)
      throw new Refusal('unavailable', 'The server is not ready.', { cause: failures.join(' ') }, 2);
    return { status: warnings.length > 0 ? ('degraded' as const) : ('ok' as const), warnings };
  });

  const counts = new Map<string, number>();
  app.addHook('onResponse', async (request, reply) => {
    const key = `${request.method} ${request.routeOptions.url ?? 'unknown'} ${reply.statusCode}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  app.get('/metrics', async (request, reply) => {
    const token = services.config.METRICS_TOKEN;
    if (token === undefined || !isSame(request.headers.authorization ?? '', `Bearer ${token}`)) throw NotFound();
    const lag = await services.database.pool.query<StreamLag>('select * from audit_stream_lag()');
    return reply.type('text/plain; version=0.0.4').send(metrics(counts, services, lag.rows));
  });
}

/** In constant time, whatever characters and length were given. */
const isSame = (given: string, wanted: string) => timingSafeEqual(sha256(given), sha256(wanted));

/** How far the destinations of the audit log are behind, by their kind. */
interface StreamLag {
  kind: string;
  streams: number;
  failing: number;
  behind: string;
  seconds: number;
}

const lagLines = (lag: readonly StreamLag[]): string[] => {
  const gauge = (name: string, read: (one: StreamLag) => number | string) => [
    `# TYPE sightline_audit_stream_${name} gauge`,
    ...lag.map((one) => `sightline_audit_stream_${name}{kind="${one.kind}"} ${read(one)}`),
  ];
  return [
    ...gauge('destinations', ({ streams }) => streams),
    ...gauge('failing', ({ failing }) => failing),
    ...gauge('lag_entries', ({ behind }) => behind),
    ...gauge('lag_seconds', ({ seconds }) => seconds.toFixed(3)),
  ];
};

function metrics(
  counts: ReadonlyMap<string, number>,
  { database, organizationJobFailures }: Services,
  lag: readonly StreamLag[],
): string {
  const { pool, boundedPool } = database;
  const requests = [...counts].map(([key, count]) => {
    const [method, route, status] = key.split(' ');
    return `sightline_http_requests_total{method="${method}",route="${route}",status="${status}"} ${count}`;
  });
  return [
    '# TYPE sightline_http_requests_total counter',
    ...requests,
    '# TYPE sightline_organization_job_failures_total counter',
    ...[...organizationJobFailures].map(
      ([job, count]) => `sightline_organization_job_failures_total{job="${job}"} ${count}`,
    ),
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    '# TYPE sightline_database_connections gauge',
    `sightline_database_connections{state="open"} ${pool.totalCount + boundedPool.totalCount}`,
    `sightline_database_connections{state="waiting"} ${pool.waitingCount + boundedPool.waitingCount}`,
    ...lagLines(lag),
    '',
  ].join('\n');
}
