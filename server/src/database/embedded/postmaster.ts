import { once } from 'node:events';
import { totalmem } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { LOOPBACK_HOST } from './credentials.ts';
import { launchProgram, runProgram } from './launch.ts';
import { readPidFile } from './pid-file.ts';
import type { Placement } from './placement.ts';
import { errorCode, processState } from './process.ts';

/** A running PostgreSQL server, a child of this process or an adopted one. */
export type Postmaster = {
  pid: number;
  /** Resolves with the reason when the process has ended, for any cause. */
  ended: Promise<string>;
  /** Performs a fast shutdown (disconnects clients, preserves commits). Resolves when the process has ended. */
  stop(): Promise<void>;
};

const pollMs = 25;
const orphanPollMs = 100;
const lastWordsMs = 500;
const fastShutdownMs = 60_000;

export type PostgresSettings = Readonly<Record<string, string | number>>;
/** A placement with settings that replace the defaults. */
export type ConfiguredPlacement = Placement & { settings: PostgresSettings };

/**
 * The command line. PostgreSQL records it in postmaster.opts, which shows whether an orphan was started with the same
 * one.
 */
export function postmasterArgs({ cluster, settings: replacements }: ConfiguredPlacement, port: number): string[] {
  const sharedMegabytes = Math.max(64, Math.min(256, Math.floor(totalmem() / 8 / 1024 / 1024)));
  const settings = {
    listen_addresses: LOOPBACK_HOST,
    port,
    // In the folder of the cluster, which only its user can access.
    unix_socket_directories: process.platform === 'win32' ? '' : '.',
    max_connections: 60,
    shared_buffers: `${sharedMegabytes}MB`,
    max_wal_size: '2GB',
    jit: 'off',
    fsync: 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    log_checkpoints: 'off',
    lc_messages: 'C',
    ...replacements,
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * Starts PostgreSQL and waits until it accepts connections, however long its recovery takes. Throws with its own
 * reason.
 */
export async function startPostmaster(
  placement: ConfiguredPlacement,
  port: number,
  log: (line: string) => void,
): Promise<Postmaster> {
  const { binaries, cluster, who } = placement;
  const child = launchProgram(binaries.postgres, postmasterArgs(placement, port), binaries, who);
  const lines: string[] = [];
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      if (lines.length > 40) lines.shift();
      log(line);
    });
  }
  let over = false;
  const ended = new Promise<string>((resolve) => {
    const end = (reason: string) => {
      over = true;
      resolve(reason);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', async (code, signal) => {
      // Its last messages may still be in the pipe, which other processes of PostgreSQL can keep open for long.
      if (child.stderr?.readableEnded === false) await Promise.race([once(child, 'close'), delay(lastWordsMs)]);
      end(reasonOf(lines) ?? `it ended with ${signal ?? `code ${code}`}`);
    });
  });
  const pid = child.pid;
  const postmaster = pid === undefined ? undefined : handle(pid, ended, binaries, cluster);
  while (!over && postmaster !== undefined) {
    const file = await readPidFile(cluster);
    if (file !== undefined && file.pid === pid && file.ready) return postmaster;
    await Promise.race([delay(pollMs), ended]);
  }
  throw new Error(await ended);
}

/** Monitors a PostgreSQL that an earlier Sightline has started. */
export function adoptPostmaster(pid: number, binaries: Binaries, cluster: string): Postmaster {
  const ended = (async () => {
    while (processState(pid) === 'running') await delay(orphanPollMs);
    return 'the process ended';
  })();
  return handle(pid, ended, binaries, cluster);
}

/** From here on the postmaster ends with this process, also during its startup. */
function handle(pid: number, ended: Promise<string>, binaries: Binaries, cluster: string): Postmaster {
  const interrupt = () => send(pid, 'SIGINT');
  process.once('exit', interrupt);
  void ended.finally(() => process.off('exit', interrupt));
  return { pid, ended, stop: () => stopPostmaster(pid, ended, binaries, cluster) };
}

async function stopPostmaster(pid: number, ended: Promise<string>, binaries: Binaries, cluster: string): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals: kill() would end the postmaster without a shutdown.
    await runProgram(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-w'], binaries, undefined);
    return;
  }
  send(pid, 'SIGINT');
  const patience = new AbortController();
  const late = delay(fastShutdownMs, 'late', { signal: patience.signal }).catch(() => 'aborted');
  const first = await Promise.race([waitUntilGone(pid, ended), late]);
  patience.abort();
  if (first !== 'late') return;
  // Immediate shutdown: the write-ahead log restores all commits at the next start.
  send(pid, 'SIGQUIT');
  await waitUntilGone(pid, ended);
}

async function waitUntilGone(pid: number, ended: Promise<string>): Promise<void> {
  while (processState(pid) === 'running') await delay(pollMs);
  await ended;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Returns the last errors of PostgreSQL with their hints. It logs some reasons only before it ends. */
function reasonOf(lines: string[]): string | undefined {
  const complaints = lines.filter((line) =>
    /^(FATAL|PANIC|ERROR|WARNING|DETAIL|HINT):|^LOG:.*(could not|unrecognized|invalid|error)/.test(line),
  );
  const words = complaints.length > 0 ? complaints.slice(-5) : lines.slice(-1);
  return words.length > 0 ? words.join(' ').replaceAll(/\b[A-Z]+:\s+/g, '') : undefined;
}
