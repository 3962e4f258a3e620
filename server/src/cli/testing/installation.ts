import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRunningDatabaseUrl, startEmbeddedPostgres } from '#database/embedded/supervisor.ts';
import { freePort } from '#testing/free-port.ts';
import { superuserUrl } from '#testing/server.ts';
import { jsonOutputOf, type RunCli, runInProcess } from './in-process.ts';

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** An installation like that of an operator: a data directory, an environment, and a server in its own process. */
export interface Installation {
  dataDir: string;
  /** The URL of the running server. */
  url: string;
  /** Runs `sightline` to its end. */
  cli: RunCli;
  /** Runs a command with --json that must succeed, and returns its output. */
  ask: <Answer = unknown>(...args: string[]) => Promise<Answer>;
  /** Starts the server and waits until it is ready. */
  start: () => Promise<RunningServer>;
  /** The connection string of a superuser of Sightline's database, while PostgreSQL runs. */
  databaseUrl: () => Promise<string>;
  close: () => Promise<void>;
}

export interface RunningServer {
  pid: number | undefined;
  /** Its output so far. */
  output: () => string;
  /** The part of it on standard output. */
  standardOutput: () => string;
  /** Sends a signal and waits for the exit. Returns the exit code, or null if the signal ended the process. */
  end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<number | null>;
}

/**
 * Creates an installation on the built-in PostgreSQL, unless `environment` contains a DATABASE_URL of the test cluster.
 * `checkout`: the folder of another release whose server and commands it runs.
 */
export async function createInstallation(
  environment: Record<string, string> = {},
  checkout?: string,
): Promise<Installation> {
  const root = await mkdtemp(join(tmpdir(), 'sightline-installation-'));
  // As root, PostgreSQL runs as another user, who must be able to traverse the folder.
  await chmod(root, 0o711);
  const dataDir = join(root, 'data');
  // The sandbox uses the next port.
  const port = await freePort(2);
  const compiled = process.env.NODE_COMPILE_CACHE;
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    NODE_ENV: 'development',
    PASSWORD_HASH_COST: '1024',
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX: 'off',
    EVENT_RETENTION_MONTHS: '1200',
    CLIPBOARD_RETENTION_DAYS: '36500',
    // Cached compilation halves the startup time.
    ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }),
    ...environment,
  };
  const servers: { child: ChildProcess; ended: Promise<number | null> }[] = [];

  const cli: RunCli = (args, more) =>
    checkout === undefined
      ? runInProcess(args, { ...env, ...more })
      : runProgram([join(checkout, 'server/src/cli/main.ts'), ...args], { ...env, ...more });

  return {
    dataDir,
    url: `http://127.0.0.1:${port}`,
    cli,
    ask: jsonOutputOf(cli),
    async start() {
      const main = checkout === undefined ? source('main.ts') : join(checkout, 'server/src/main.ts');
      const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = once(child, 'exit').then(([code]) => code as number | null);
      servers.push({ child, ended });
      let output = '';
      let logged = '';
      await new Promise<void>((resolve, reject) => {
        const append = (chunk: Buffer) => {
          output += chunk.toString();
          if (/Sightline is ready|works off jobs/.test(output)) resolve();
        };
        child.stdout.on('data', (chunk: Buffer) => {
          logged += chunk.toString();
          append(chunk);
        });
        child.stderr.on('data', append);
        void ended.then((code) => reject(new Error(`The server ended with ${code}: ${output}`)));
      });
      const end = (signal: 'SIGKILL' | 'SIGTERM') => {
        child.kill(signal);
        return ended;
      };
      return { pid: child.pid, output: () => output, standardOutput: () => logged, end };
    },
    async databaseUrl() {
      if (environment.DATABASE_URL !== undefined) return superuserUrl(environment.DATABASE_URL);
      const running = await findRunningDatabaseUrl(dataDir);
      if (running === undefined) throw new Error('PostgreSQL does not run');
      const url = new URL(running);
      url.pathname = '/sightline';
      return url.href;
    },
    async close() {
      for (const { child, ended } of servers) {
        child.kill('SIGTERM');
        await ended;
      }
      // A killed server leaves its PostgreSQL running. It is adopted and stopped here.
      if ((await findRunningDatabaseUrl(dataDir)) !== undefined) {
        await (await startEmbeddedPostgres({ dataDir, log: () => undefined })).stop();
      }
      await removeHome(dataDir);
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Runs Node.js to its end. */
function runProgram(args: readonly string[], env: Record<string, string | undefined>): ReturnType<RunCli> {
  return new Promise((resolve) =>
    execFile(process.execPath, args, { env }, (error, out, complaint) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, complaint }),
    ),
  );
}

/** If PostgreSQL's user cannot access the temporary folder, the database is in another folder. */
async function removeHome(dataDir: string): Promise<void> {
  const home = await readFile(join(dataDir, 'postgres.location'), 'utf8').catch(() => undefined);
  if (home !== undefined) await rm(home.trim(), { recursive: true, force: true });
}
