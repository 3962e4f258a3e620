import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './binaries.ts';
import { choosePort, ensurePassword, readPassword, readPort, rememberPort, socketUrl } from './credentials.ts';
import { ensureCluster } from './initdb.ts';
import { acquireLock } from './lock.ts';
import { acceptsPassword, adoptOrStopOrphan } from './orphan.ts';
import { choosePlacement, clusterOf, makeDirectory } from './placement.ts';
import { type ConfiguredPlacement, type PostgresSettings, type Postmaster, startPostmaster } from './postmaster.ts';
import { onEndingSignal } from './process-end.ts';

export type EmbeddedPostgresOptions = {
  dataDir: string;
  log: (line: string) => void;
  port?: number;
  /** Settings of PostgreSQL that replace the defaults. */
  settings?: PostgresSettings;
  /** The delay before the first restart of a PostgreSQL that ended by itself; the default is a second. */
  firstPauseMs?: number;
};

export type EmbeddedPostgres = {
  /** The connection string of the superuser, valid until `stop`, also across restarts of PostgreSQL. */
  url: string;
  /** Whether it was running already, started by a killed Sightline. */
  adopted: boolean;
  stop(): Promise<void>;
  /** Registers a listener for the reason each time PostgreSQL ends by itself, before its restart. */
  onExit(listener: (reason: string) => void): void;
};

const longestPauseMs = 30_000;
/** After this uptime it counts as healthy, and the next delay is short again. */
const healthyMs = 60_000;
const startAttempts = 6;

/**
 * Starts the built-in PostgreSQL on a data directory (created if missing) and keeps it running until `stop`. It ends
 * with this process, unless the process is killed: then the next start adopts it. Throws with an actionable message:
 * directory in use, no user to run as, no space, or the reason of PostgreSQL.
 */
export async function startEmbeddedPostgres({
  dataDir: given,
  log,
  port: fixedPort,
  settings = {},
  firstPauseMs = 1000,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(given);
  // PostgreSQL's user can traverse it, and no other user can list it.
  await makeDirectory(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  const lock = await acquireLock(dataDir);
  let stopServing = async () => {};
  const stop = async () => {
    await stopServing();
    forgetSignals();
    lock.release();
  };
  const forgetSignals = onEndingSignal(stop);
  try {
    const placement = { ...(await choosePlacement(dataDir, await findBinaries(), log)), settings };
    const password = await ensurePassword(dataDir, placement.cluster);
    await ensureCluster(placement, password, log);
    const orphan = await adoptOrStopOrphan(placement, password, fixedPort, log);
    const port = orphan?.port ?? fixedPort ?? (await choosePort(dataDir));
    await rememberPort(dataDir, port);
    const postmaster = orphan?.postmaster ?? (await startPatiently(placement, port, log));
    const supervision = supervise(postmaster, {
      restart: () => startPatiently(placement, port, log),
      log,
      firstPauseMs,
    });
    stopServing = supervision.stop;
    const url = socketUrl(password, port, placement.cluster);
    return { url, adopted: orphan !== undefined, stop, onExit: supervision.onExit };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Returns the connection string of the database that another process (the server) runs on this data directory, if any.
 */
export async function findRunningDatabaseUrl(given: string): Promise<string | undefined> {
  const dataDir = resolve(given);
  const [password, port, cluster] = await Promise.all([readPassword(dataDir), readPort(dataDir), clusterOf(dataDir)]);
  if (password === undefined || port === undefined || !(await acceptsPassword(password, port))) return undefined;
  return socketUrl(password, port, cluster);
}

/** Retries while dead processes of an earlier PostgreSQL hold its lock or shared memory for a moment. */
async function startPatiently(
  placement: ConfiguredPlacement,
  port: number,
  log: (line: string) => void,
): Promise<Postmaster> {
  for (let attempt = 1, pause = 100; ; attempt += 1, pause *= 2) {
    try {
      return await startPostmaster(placement, port, log);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isTransient = /lock file "[^"]+" already exists|pre-existing shared memory block/.test(reason);
      if (!isTransient || attempt === startAttempts) {
        throw new Error(`The built-in PostgreSQL could not start on ${placement.cluster}: ${advise(reason, port)}`);
      }
      await delay(pause);
    }
  }
}

function advise(reason: string, port: number): string {
  if (/could not create any TCP\/IP sockets|could not bind|Address already in use/.test(reason)) {
    return `${reason} Another program uses port ${port} of 127.0.0.1.`;
  }
  if (/No space left on device/.test(reason)) return `${reason} Free disk space and start again.`;
  if (/Permission denied|must be owned|EACCES/.test(reason)) {
    return `${reason} Check the owner of the data directory, or set another DATA_DIR.`;
  }
  return reason;
}

interface Supervision extends Required<Pick<EmbeddedPostgresOptions, 'log' | 'firstPauseMs'>> {
  restart: () => Promise<Postmaster>;
}

function supervise(first: Postmaster, { restart, log, firstPauseMs }: Supervision) {
  const listeners: ((reason: string) => void)[] = [];
  const stopping = new AbortController();
  let current: Postmaster | undefined = first;
  const watch = (async () => {
    for (let pause = firstPauseMs; current !== undefined; ) {
      const since = performance.now();
      const reason = await current.ended;
      if (stopping.signal.aborted) return;
      current = undefined;
      log(`PostgreSQL ended unexpectedly: ${reason}`);
      for (const listener of listeners) listener(reason);
      if (performance.now() - since > healthyMs) pause = firstPauseMs;
      pause = await restartAfter(pause);
      // `stop` ends a postmaster that is being restarted.
      if (stopping.signal.aborted) return;
    }
  })();
  /** Restarts with increasing delays until it succeeds or is stopped. Returns the next delay. */
  async function restartAfter(firstPause: number): Promise<number> {
    let pause = firstPause;
    while (current === undefined && !stopping.signal.aborted) {
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) break;
      pause = Math.min(pause * 2, longestPauseMs);
      current = await restart().catch((error: unknown) => {
        log(error instanceof Error ? error.message : String(error));
        return undefined;
      });
    }
    return pause;
  }
  return {
    onExit: (listener: (reason: string) => void) => void listeners.push(listener),
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await watch;
      await current?.stop();
    },
  };
}
