import { type ChildProcess, execFile, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Delays } from './delays.ts';
import type { BenchServerCommand } from './server.ts';

export interface BenchServer {
  url: string;
  token: string;
  orgId: string;
  accountId: string;
  ownerUrl: string;
  superuserUrl: string;
  /** The process ID of the server, for memory measurements. */
  pid: number;
  /** The data directory. */
  folder: string;
  /** Returns access tokens of other members, in the same order. */
  signIn: (people: readonly { accountId: string; orgId: string }[]) => Promise<string[]>;
  /** What delayed the responses of the server since the last call. */
  delays: () => Promise<Delays>;
  /** Writes a heap snapshot, after a collection, and returns the memory of the process in bytes. */
  takeHeapSnapshot: (snapshotFile: string) => Promise<NodeJS.MemoryUsage>;
  stop: () => Promise<void>;
}

let bundling: Promise<unknown> | undefined;

/** Bundles the server of the benchmarks as releases are, once per run: sources need more memory and time to load. */
async function bundleServer(): Promise<URL> {
  const script = new URL('../scripts/bundle-server.mjs', import.meta.url).pathname;
  bundling ??= promisify(execFile)(process.execPath, [script, 'bench']);
  await bundling;
  return new URL('./dist/server.mjs', import.meta.url);
}

/** Starts the bundled server in its own process, on an empty database in a temporary folder or on the data in `dataFolder`. */
export async function startServer(environment: Record<string, string> = {}, dataFolder?: string): Promise<BenchServer> {
  const folder = dataFolder === undefined ? await mkdtemp(join(tmpdir(), 'sightline-bench-')) : resolve(dataFolder);
  const child = fork(await bundleServer(), {
    // As `npm start` and the image start the server.
    execArgv: (process.env.BENCH_FLAGS ?? '--max-semi-space-size=16').split(' '),
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: folder,
      PUBLIC_URL: 'http://localhost:1',
      LOG_LEVEL: 'error',
      SANDBOX: 'off',
      // Generated histories may have any age.
      EVENT_RETENTION_MONTHS: '1200',
      CLIPBOARD_RETENTION_DAYS: '36500',
      RATE_LIMITS: '*=1000000000',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ready = await new Promise<
    Omit<BenchServer, 'pid' | 'folder' | 'signIn' | 'delays' | 'takeHeapSnapshot' | 'stop'>
  >((resolve, reject) => {
    child.once('message', (message) => resolve(message as never));
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)));
  });
  const order = <Answer>(command: BenchServerCommand) => {
    child.send(command);
    return new Promise<Answer>((resolve) => child.once('message', (message) => resolve(message as Answer)));
  };
  return {
    ...ready,
    pid: child.pid ?? 0,
    folder,
    signIn: async (people) => (await order<{ tokens: string[] }>({ people })).tokens,
    delays: async () => (await order<{ delays: Delays }>({ delays: true })).delays,
    takeHeapSnapshot: async (snapshotFile) => (await order<{ memory: NodeJS.MemoryUsage }>({ snapshotFile })).memory,
    stop: () => stop(child, dataFolder === undefined ? folder : undefined),
  };
}

async function stop(child: ChildProcess, folder: string | undefined): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  child.disconnect();
  await ended;
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
