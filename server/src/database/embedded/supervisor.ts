import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './binaries.ts';
import { choosePort, ensurePassword, readPassword, readPort, rememberPort, socketUrl } from './credentials.ts';
import { ensureCluster } from './initdb.ts';
import { acquireLock } from './lock.ts';
import { answers, settleOrphan } from './orphan.ts';
import { clusterOf, makeDirectory, place } from './placement.ts';
import { type ConfiguredPlacement, type PostgresSettings, type Postmaster, startPostmaster } from './postmaster.ts';
import { onEndingSignal } from './process-end.ts';

export type EmbeddedOptions = {
  dataDir: string;
  log: (line: string) => void;
  port?: number;
  /** Settings of PostgreSQL that replace ours. */
  settings?: PostgresSettings;
  /** How long the first restart of a PostgreSQL that ended by itself waits; a second unless given. */
  firstPauseMs?: number;
};

export type Embedded = {
  /** Connection string of the superuser, valid until `stop`, also across restarts of PostgreSQL. */
  url: string;
  /** Whether it was running already, left behind by a killed Sightline. */
  adopted: boolean;
  stop(): Promise<void>;
  /** Called with the reason in words each time PostgreSQL ends by itself; it is being restarted then. */
  onExit(listener: (reason: string) => void): void;
};

const longestPauseMs = 30_000;
/** Up for this long, it counts as healthy and the next pause is short again. */
const healthyMs = 60_000;
const startAttempts = 6;

/**
 * Starts the built-in PostgreSQL on a data directory (made when missing) and keeps it running until `stop`. It ends
 * with this process, unless the process is killed hard: then the next start adopts it.
 * Throws in words an operator can act on: directory in use, no user to run as, no space, PostgreSQL's own reason.
 */
export async function startEmbedded({
  dataDir: given,
  log,
  port: fixedPort,
  settings = {},
  firstPauseMs = 1000,
}: EmbeddedOptions): Promise<Embedded> {
  const dataDir = resolve(given);
  // Passable for PostgreSQL's user, listable by nobody else.
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
    const placement = { ...(await place(dataDir, await findBinaries(), log)), settings };
    const password = await ensurePassword(dataDir, placement.cluster);
    await ensureCluster(placement, password, log);
    const orphan = await settleOrphan(placement, password, fixedPort, log);
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

/** The connection string of the database another process (the server) runs on this data directory, if it does. */
export async function findRunning(given: string): Promise<string | undefined> {
  const dataDir = resolve(given);
  const [password, port, cluster] = await Promise.all([readPassword(dataDir), readPort(dataDir), clusterOf(dataDir)]);
  if (password === undefined || port === undefined || !(await answers(password, port))) return undefined;
  return socketUrl(password, port, cluster);
}

/** Dead processes of an earlier PostgreSQL hold its lock or shared memory for a moment: those reasons pass by waiting. */
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
      const passing = /lock file "[^"]+" already exists|pre-existing shared memory block/.test(reason);
      if (!passing || attempt === startAttempts) {
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

interface Supervision extends Required<Pick<EmbeddedOptions, 'log' | 'firstPauseMs'>> {
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
      // `stop` ends a postmaster whose restart was under way.
      if (stopping.signal.aborted) return;
    }
  })();
  /** Restarts with growing pauses until it succeeds or is stopped. Returns the next pause. */
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
