import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { readPidFile } from './pid-file.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './supervisor.ts';

export type Testbed = Awaited<ReturnType<typeof openTestbed>>;

async function makeRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'sightline-embedded-'));
  // As root, PostgreSQL runs as another user, who must be able to traverse the folder.
  await chmod(root, 0o711);
  return root;
}

let made: Promise<string> | undefined;

/** Creates a data directory with a database that was started and stopped once; once for all tests of a process. */
async function makeDatabase(): Promise<string> {
  const root = await makeRoot();
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  const dataDir = join(root, 'data');
  await (await startEmbeddedPostgres({ dataDir, log: () => undefined })).stop();
  await rm(join(dataDir, 'postgres.port'));
  return dataDir;
}

/**
 * Returns a data directory with a database for one test, and functions for it. `close` stops and removes all of it.
 */
export async function openTestbed() {
  const root = await makeRoot();
  const dataDir = join(root, 'data');
  made ??= makeDatabase();
  // Preserves the owners.
  await promisify(execFile)('cp', ['-a', await made, dataDir]);
  const lines: string[] = [];
  const undo: (() => Promise<unknown>)[] = [() => rm(root, { recursive: true, force: true })];
  return {
    root,
    dataDir,
    cluster: join(dataDir, 'postgres'),
    lines,
    /** Deletes the database, for tests that create one. */
    empty: () => rm(dataDir, { recursive: true }),
    atEnd: (step: () => Promise<unknown>) => void undo.push(step),
    close: async () => {
      for (const step of undo.splice(0).reverse()) await step();
    },
    start: async (options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> => {
      const embedded = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line), ...options });
      undo.push(embedded.stop);
      return embedded;
    },
    startServer: () => startServer(dataDir, (step) => undo.push(step)),
    postmasterPid: async (): Promise<number> => {
      const file = await readPidFile(join(dataDir, 'postgres'));
      if (file === undefined) throw new Error('no postmaster.pid');
      return file.pid;
    },
  };
}

/** Starts a separate Node process with the database, to be killed. `url` resolves when it is ready. */
function startServer(dataDir: string, atEnd: (step: () => Promise<unknown>) => void) {
  const child = fork(new URL('./supervisor.fixture.ts', import.meta.url), [dataDir], { execArgv: [] });
  const ended = once(child, 'exit');
  const end = async (how: 'SIGKILL' | 'SIGTERM' | 'exit'): Promise<unknown> => {
    if (how === 'exit') child.send('exit');
    else child.kill(how);
    return (await ended)[0];
  };
  atEnd(() => end('SIGTERM'));
  const url = once(child, 'message').then(([message]) => String(message));
  return { url, pid: child.pid, end };
}

export async function queryUrl(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Listens on `port`, any free one by default, as another program. */
export async function occupyPort(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return { server, port: address.port };
}
