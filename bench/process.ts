import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface BenchServer {
  url: string;
  token: string;
  orgId: string;
  accountId: string;
  ownerUrl: string;
  superuserUrl: string;
  /** The process that serves, to look at its memory. */
  pid: number;
  /** Where its data lies. */
  folder: string;
  /** Access tokens of other members, in their order. */
  signIn: (people: readonly { accountId: string; orgId: string }[]) => Promise<string[]>;
  stop: () => Promise<void>;
}

/** Starts the server as a process of its own, on an empty database in a temporary folder or on what lies in `kept`. */
export async function startServer(environment: Record<string, string> = {}, kept?: string): Promise<BenchServer> {
  const folder = kept === undefined ? await mkdtemp(join(tmpdir(), 'sightline-bench-')) : resolve(kept);
  const child = fork(new URL('./server.ts', import.meta.url), {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: folder,
      PUBLIC_URL: 'http://localhost:1',
      LOG_LEVEL: 'error',
      SANDBOX: 'off',
      // Measured on made-up histories of any age.
      EVENT_RETENTION_MONTHS: '1200',
      CLIPBOARD_RETENTION_DAYS: '36500',
      RATE_LIMITS: '*=1000000000',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const said = await new Promise<Omit<BenchServer, 'pid' | 'folder' | 'signIn' | 'stop'>>((resolve, reject) => {
    child.once('message', (message) => resolve(message as never));
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)));
  });
  const signIn = (people: readonly { accountId: string; orgId: string }[]) => {
    child.send({ people });
    return new Promise<string[]>((resolve) =>
      child.once('message', (message) => resolve((message as { tokens: string[] }).tokens)),
    );
  };
  return {
    ...said,
    pid: child.pid ?? 0,
    folder,
    signIn,
    stop: () => stop(child, kept === undefined ? folder : undefined),
  };
}

async function stop(child: ChildProcess, folder: string | undefined): Promise<void> {
  const ended = new Promise((settle) => child.once('exit', settle));
  child.disconnect();
  await ended;
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
