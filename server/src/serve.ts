import type { FastifyBaseLogger } from 'fastify';
import { backgroundJobsOf, buildApp, listenForMetrics } from './app.ts';
import { composeServices } from './compose.ts';
import type { Config } from './config.ts';
import { releaseAfterClockStep, startClockWatch } from './core/clock-step.ts';
import { startSequencer } from './domains/ledger/ledger/worker.ts';
import { queuePendingWork } from './resume.ts';

interface Serving {
  config: Config;
  /** The database, as its owner. */
  ownerUrl: string;
  log: FastifyBaseLogger;
  /** Receives the functions that end what was started, in the order of the start. */
  undo: (() => unknown)[];
}

/** Starts everything on a migrated database, according to the role of the process. Resolves when it accepts requests. */
export async function serve({ config, ownerUrl, log, undo }: Serving): Promise<void> {
  const { services, signingKeys, close } = await composeServices(config, ownerUrl, log);
  undo.push(close);
  const app = await buildApp(services, signingKeys);
  undo.push(() => app.close());
  await services.jobs.start(backgroundJobsOf(services), config.ROLE !== 'api');
  await releaseAfterClockStep(services);
  await queuePendingWork(services);
  if (config.ROLE !== 'api') {
    undo.push(startSequencer(services.ledger).stop);
    undo.push(startClockWatch(services).stop);
  }
  const metrics = await listenForMetrics(services);
  undo.push(() => metrics?.close());
  if (config.ROLE !== 'worker') await app.listen({ port: config.PORT, host: config.listenHost });
}
