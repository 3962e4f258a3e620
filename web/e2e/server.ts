import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createRepository, createStory } from '../../sandbox/src/testing/repository.ts';
import { freePort } from '../../server/src/testing/free-port.ts';
import { ada, type Newcomer } from './steps.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** The server access of a test file: a person who may sign up, and operator commands. */
export interface Tenant extends Newcomer {
  /** Runs an operator command to its end; returns its output. */
  sightline: (...args: string[]) => Promise<string>;
  /** Creates the data of this week and quarter as if they were over. */
  periodsOver: () => Promise<void>;
  /** Moves events that are older than thirty days to the archive. */
  archiveOldEvents: () => Promise<void>;
  /** Sends collected notification emails before they are due. */
  sendGatheredMails: () => Promise<void>;
  stop: () => Promise<void>;
}

export interface Product extends Tenant {
  /** Stops the server and keeps its data; `resume` restarts it at the same URL. */
  halt: () => Promise<void>;
  resume: () => Promise<void>;
}

/**
 * Starts the product like `npm start`, on an empty data directory and a free port, with these repositories in its
 * sandbox. Default: a repository called widgets with a simulated history. `more` receives the URL of the sandbox. A
 * given port and its successor must be free.
 */
export async function startProduct(
  repositories?: string[],
  more: (sandbox: string) => Record<string, string> = () => ({}),
  givenPort?: number,
): Promise<Product> {
  const story = repositories ? undefined : await createStory('widgets');
  const folder = await mkdtemp(join(tmpdir(), 'sightline-e2e-'));
  // The sandbox uses the next port.
  const port = givenPort ?? (await freePort(2));
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: String(port),
    // Attempts are limited by address, so each test file sends another client address.
    TRUST_PROXY: '1',
    PASSWORD_HASH_COST: '1024',
    // Tests use fixed dates.
    EVENT_RETENTION_MONTHS: '1200',
    CLIPBOARD_RETENTION_DAYS: '36500',
    // All requests come from one address.
    RATE_LIMITS: '*=1000000000',
    SANDBOX_REPOSITORIES: (repositories ?? [story?.path]).join(','),
    ...more(`http://127.0.0.1:${port + 1}`),
  };
  let halt = await run(env);
  const commands = commandsBeside(env);
  return {
    url: `http://localhost:${port}`,
    account: 'sandbox',
    owner: ada,
    sightline: (...args) => commands.run(args),
    periodsOver: async () => {
      await commands.run(['periods-over']);
    },
    archiveOldEvents: async () => {
      await commands.run(['events-archived']);
    },
    sendGatheredMails: async () => {
      await commands.run(['mails-due']);
    },
    halt: () => halt(),
    resume: async () => {
      halt = await run(env);
    },
    stop: async () => {
      commands.stop();
      await halt();
      await rm(folder, { recursive: true, force: true });
      await story?.remove();
    },
  };
}

/** A server shared by test files, each as a separate tenant. */
export interface SharedServer {
  url: string;
  /**
   * `repositories`: paths of repositories of this tenant only. Default: one called widgets with a simulated history.
   */
  addTenant: (repositories?: string[]) => Promise<Tenant>;
  stop: () => Promise<void>;
}

export async function startSharedServer(): Promise<SharedServer> {
  // The sandbox requires at least one repository.
  const first = createRepository('first');
  await first.start();
  await first.commit('First steps');
  const product = await startProduct([first.path]);
  await product.sightline(
    'outbound',
    'allow',
    '127.0.0.1',
    '--all',
    '--purpose',
    'anchor,audit-stream,chat,evidence_destination,webhook',
  );
  let tenants = 0;
  return {
    url: product.url,
    addTenant: async (repositories) => {
      tenants += 1;
      return addTenant(product, `tenant-${tenants}`, repositories);
    },
    stop: async () => {
      await product.stop();
      await first.remove();
    },
  };
}

/** Only one organization can connect an account of a code host, so each tenant has an account. */
async function addTenant(product: Product, account: string, repositories?: string[]): Promise<Tenant> {
  const story = repositories ? undefined : await createStory('widgets');
  const sandbox = sandboxOf(product);
  for (const path of repositories ?? [story?.path ?? '']) {
    // The sandbox reads the owner of a repository from its remote.
    const address = `https://github.com/${account}/${basename(path)}.git`;
    execFileSync('git', ['-C', path, 'config', 'remote.origin.url', address]);
    await expectAnswer(
      fetch(`${sandbox}/_sandbox/repositories`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ path }),
      }),
    );
  }
  const { url, sightline, periodsOver, archiveOldEvents, sendGatheredMails } = product;
  return {
    url,
    account,
    sightline,
    periodsOver,
    archiveOldEvents,
    sendGatheredMails,
    owner: { name: ada.name, email: ada.email.replace('@', `@${account}.`) },
    stop: async () => {
      if (repositories?.length !== 0)
        await expectAnswer(fetch(`${sandbox}/_sandbox/accounts/${account}`, { method: 'DELETE' }));
      await story?.remove();
    },
  };
}

/** URL of the sandbox of the product. */
export function sandboxOf({ url }: Pick<Tenant, 'url'>): string {
  return `http://127.0.0.1:${Number(new URL(url).port) + 1}`;
}

async function expectAnswer(response: Promise<Response>): Promise<void> {
  const answer = await response;
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${answer.url}: ${await answer.text()}`);
}

interface CommandResponse {
  id: number;
  code: number;
  out: string;
  errorOutput: string;
}

/** Runs operator commands with the same environment in one process, which starts with the first of them. */
function commandsBeside(env: NodeJS.ProcessEnv) {
  let child: ChildProcess | undefined;
  let requests = 0;
  return {
    /** Returns the output of a command. */
    run: async (args: readonly string[]): Promise<string> => {
      child ??= fork(join(checkout, 'server/src/testing/command-process.ts'), { env, execArgv: ['--no-deprecation'] });
      requests += 1;
      const { code, out, errorOutput } = await requestFrom(child, { id: requests, args });
      if (code !== 0) throw new Error(`sightline ${args.join(' ')} ended with code ${code}: ${errorOutput}`);
      return out;
    },
    stop: () => void child?.disconnect(),
  };
}

function requestFrom(child: ChildProcess, request: { id: number; args: readonly string[] }): Promise<CommandResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<CommandResponse>();
  const onMessage = (response: CommandResponse) => {
    if (response.id === request.id) resolve(response);
  };
  const onExit = (code: number | null) => reject(new Error(`The process for commands exited with code ${code}.`));
  child.on('message', onMessage).once('exit', onExit).send(request);
  return promise.finally(() => child.off('message', onMessage).off('exit', onExit));
}

/** Resolves with a stop function once the server accepts requests. */
async function run(env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  const server = spawn(process.execPath, [join(checkout, 'server/dist/main.mjs')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const ready = await firstLine(server.stderr, (line) => line.startsWith('Sightline is ready'));
  if (!ready.found) throw new Error(`The server did not start:\n${ready.said}`);
  return async () => {
    server.kill('SIGTERM');
    await ended;
  };
}

// Continues to read, since a server with unread output blocks at a later log line.
function firstLine(output: Readable, fits: (line: string) => boolean): Promise<{ found: boolean; said: string }> {
  let said = '';
  return new Promise((resolve) => {
    const lines = createInterface(output);
    lines.on('line', (line) => {
      said += `${line}\n`;
      if (fits(line)) resolve({ found: true, said });
    });
    lines.on('close', () => resolve({ found: false, said }));
  });
}
