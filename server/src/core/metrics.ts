import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { releaseVersion } from '#database/release.ts';

/** Event loop, heap, garbage collection and CPU, measured once for all servers of the process. */
const processRegistry = new Registry();

/** Creates the metrics of one server, named by the Prometheus conventions: seconds and bytes, `_total` for counters. */
export function createMetrics(role: string) {
  if (processRegistry.getMetricsAsArray().length === 0) collectDefaultMetrics({ register: processRegistry });
  const register = new Registry();
  const registers = [register];
  new Gauge({
    name: 'sightline_build_info',
    help: 'Always 1; the labels name the release and the role of the process.',
    labelNames: ['version', 'role'],
    registers,
  }).set({ version: releaseVersion, role }, 1);
  return {
    requests: new Histogram({
      name: 'sightline_http_request_duration_seconds',
      help: 'Time until the end of a response, by route.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    jobs: new Histogram({
      name: 'sightline_job_duration_seconds',
      help: 'Duration of a background job, by outcome: done or failed.',
      labelNames: ['queue', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900],
      registers,
    }),
    organizationJobFailures: new Counter({
      name: 'sightline_organization_job_failures_total',
      help: 'Organizations that a run of a job failed for.',
      labelNames: ['queue'],
      registers,
    }),
    mails: new Counter({
      name: 'sightline_mails_total',
      help: 'Emails passed to the SMTP server, by outcome: sent or failed.',
      labelNames: ['outcome'],
      registers,
    }),
    /** All metrics of the server and the process in the Prometheus text format. */
    text: (others: Registry) => Registry.merge([processRegistry, register, others]).metrics(),
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
