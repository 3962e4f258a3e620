import { setTimeout as delay } from 'node:timers/promises';
import { type ScannerName, scannerNames } from '@sightline/contract/core/scan-sources.ts';
import type { FastifyBaseLogger } from 'fastify';
import { routeFetchThroughProxies } from '#core/egress.ts';
import { limitHeapGrowth, releaseUnusedMemory } from '#core/heap.ts';
import { createLog } from '#core/log.ts';
import { startEmbeddedPostgres } from '#database/embedded/supervisor.ts';
import { migrate } from '#database/migrate.ts';
import { prepareCluster } from '#database/prepare.ts';
import { type Config, readConfig, type ScannerConfig, type ScannerConfigs } from './config.ts';
import { BITBUCKET_CLOUD_URL } from './config-bitbucket.ts';
import { GITLAB_COM_URL } from './config-gitlab.ts';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

/** Cleanup functions, called in reverse order when the server stops or fails to start. */
const undo: (() => unknown)[] = [];
const stopWithin = 15_000;

async function start(): Promise<void> {
  limitHeapGrowth();
  const config = readConfig();
  const log = createLog(config.LOG_LEVEL);
  await routeFetchThroughProxies(config.proxies);
  const [ownerUrl, sandbox, { serve }] = await Promise.all([
    openCluster(config, log),
    config.sandbox ? startSandboxProcess(config) : undefined,
    // Most modules load while the database starts.
    import('./serve.ts'),
  ]);
  if (sandbox) undo.push(sandbox.stop);
  await migrate(ownerUrl, step);
  await serve({ config: withSandbox(config, sandbox), ownerUrl, log, undo });
  announce(config, sandbox);
  setImmediate(releaseUnusedMemory);
}

// Lines of PostgreSQL itself. Its supervisor has other messages. The lines of a multi-line statement begin with tabs.
const postgresLine = /^((LOG|DETAIL|HINT|STATEMENT|CONTEXT|WARNING|NOTICE|ERROR|FATAL|PANIC): |\t)/;
/** Prints for operators on standard error: standard output contains only the log, one JSON object per line. */
const print = (line: string) => console.error(line);
const step = (line: string) => print(`  ${line}`);

async function openCluster(config: Config, log: FastifyBaseLogger): Promise<string> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL;
  if (config.ROLE !== 'all')
    throw new Error(
      'DATABASE_URL: is needed when ROLE is api or worker, since the built-in database serves one process',
    );
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (line) => (postgresLine.test(line) ? log.debug(line) : step(line)),
  });
  undo.push(() => postgres.stop());
  return prepareCluster(postgres.url);
}

const isChosen = ({ url, client }: { url: string; client: unknown }, usual: string): boolean =>
  url !== usual || client !== undefined;

const withSandboxScanners = (ours: ScannerConfigs, sandbox: ScannerConfigs | undefined): ScannerConfigs =>
  Object.fromEntries(
    scannerNames.map((name) => [name, ours[name].isDefault ? (sandbox?.[name] ?? ours[name]) : ours[name]]),
  ) as Record<ScannerName, ScannerConfig>;

/** The configuration of the operator, which has priority, completed by the addresses of the sandbox. */
const withSandbox = (config: Config, sandbox: SandboxProcess | undefined) => ({
  ...config,
  github: sandbox?.github ?? config.github,
  slack: config.slack.isDefault ? (sandbox?.slack ?? config.slack) : config.slack,
  trackers: {
    linearURL: config.trackers.linearURL ?? sandbox?.trackers.linearURL,
    sandboxPage: sandbox?.trackers.sandboxPage,
  },
  scanners: withSandboxScanners(config.scanners, sandbox?.scanners),
  bitbucket: isChosen(config.bitbucket, BITBUCKET_CLOUD_URL)
    ? config.bitbucket
    : (sandbox?.bitbucket ?? config.bitbucket),
  codeHosts: { ...sandbox?.codeHosts, ...config.codeHosts },
  gitlab: isChosen(config.gitlab, GITLAB_COM_URL) ? config.gitlab : (sandbox?.gitlab ?? config.gitlab),
  upstreams: [
    ...config.upstreams,
    ...(sandbox?.upstreams ?? []).filter(
      ({ connection }) => !config.upstreams.some((one) => one.connection === connection),
    ),
  ],
  sandboxDestinations: sandbox?.destinations ?? [],
});

function announce(config: Config, sandbox: SandboxProcess | undefined): void {
  if (sandbox) step(`sandbox GitHub at ${sandbox.github.url}`);
  else if (config.sandbox)
    step('no sandbox GitHub: this folder has no git history. SANDBOX_REPOSITORIES names another');
  print(config.ROLE === 'worker' ? 'Sightline works off jobs' : `Sightline is ready at ${config.PUBLIC_URL}`);
  // `npm start` continues with deferred work.
  process.send?.('ready');
}

let stopping: Promise<void> | undefined;

function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    const late = delay(stopWithin, undefined, { ref: false }).then(() =>
      console.error('Some components did not stop in time'),
    );
    await Promise.race([late, unwind()]);
    process.exit(code);
  })();
  return stopping;
}

async function unwind(): Promise<void> {
  for (const task of undo.reverse()) {
    try {
      await task();
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return stop(1);
});
