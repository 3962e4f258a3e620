import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** Starts the server as a process of its own on an empty database in a temporary folder. */
export async function startServer(environment: Record<string, string> = {}): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  const child = fork(new URL('./server.ts', import.meta.url), {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: folder,
      PUBLIC_URL: 'http://localhost:1',
      LOG_LEVEL: 'error',
      SANDBOX: 'off',
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
  return { ...said, pid: child.pid ?? 0, folder, signIn, stop: () => stop(child, folder) };
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.disconnect();
  await ended;
  await rm(folder, { recursive: true, force: true });
}
