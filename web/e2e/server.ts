import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createRepository, createStory } from '../../sandbox/src/testing/repository.ts';
import { freePort } from '../../server/src/testing/free-port.ts';
import { ada, type Newcomer } from './steps.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** What a test file needs of a server: somebody who may sign up there, and the commands of operators. */
export interface Tenant extends Newcomer {
  /** Runs a command of operators beside the server, to its end; answers what it printed. */
  sightline: (...args: string[]) => Promise<string>;
  /** Has the server make what it makes of this week and this quarter once they are over. */
  periodsOver: () => Promise<void>;
  /** Has the server send the mails that gather notifications, whose time has not come yet. */
  sendGatheredMails: () => Promise<void>;
  stop: () => Promise<void>;
}

export interface Product extends Tenant {
  /** Ends it and keeps its data; `resume` starts it again at the same address. */
  halt: () => Promise<void>;
  resume: () => Promise<void>;
}

/**
 * The product as `npm start` runs it, on an empty data directory and a free port, with these repositories in its sandbox:
 * one called widgets, whose history tells a story, unless others are named.
 * `more` is told where that sandbox will be. A port that is named must be free, and the one after it.
 */
export async function startProduct(
  repositories?: string[],
  more: (sandbox: string) => Record<string, string> = () => ({}),
  wanted?: number,
): Promise<Product> {
  const story = repositories ? undefined : await createStory('widgets');
  const folder = await mkdtemp(join(tmpdir(), 'sightline-e2e-'));
  // The sandbox takes the next one.
  const port = wanted ?? (await freePort(2));
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: String(port),
    // Each test file comes from an address of its own, since attempts are limited by address.
    TRUST_PROXY: '1',
    PASSWORD_HASH_COST: '1024',
    // Walks name fixed days.
    EVENT_RETENTION_MONTHS: '1200',
    CLIPBOARD_RETENTION_DAYS: '36500',
    // All of it comes from one address.
    RATE_LIMITS: '*=1000000000',
    SANDBOX_REPOSITORIES: (repositories ?? [story?.path]).join(','),
    ...more(`http://127.0.0.1:${port + 1}`),
  };
  let halt = await run(env);
  return {
    url: `http://localhost:${port}`,
    account: 'sandbox',
    owner: ada,
    sightline: (...args) => beside(env, 'cli/main.ts', ...args),
    periodsOver: async () => {
      await beside(env, 'testing/periods-over.ts');
    },
    sendGatheredMails: async () => {
      await beside(env, 'testing/mails-due.ts');
    },
    halt: () => halt(),
    resume: async () => {
      halt = await run(env);
    },
    stop: async () => {
      await halt();
      await rm(folder, { recursive: true, force: true });
      await story?.remove();
    },
  };
}

/** A server that test files share, each as a tenant of its own. */
export interface SharedServer {
  url: string;
  /** `repositories`: paths, which are its own alone; one called widgets, whose history tells a story, unless others are named. */
  addTenant: (repositories?: string[]) => Promise<Tenant>;
  stop: () => Promise<void>;
}

export async function startSharedServer(): Promise<SharedServer> {
  // The sandbox begins with one at least.
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
    'anchor,audit-stream,evidence_destination,webhook',
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

/** Only one organization may connect an account of a code host, so each tenant has an account. */
async function addTenant(product: Product, account: string, repositories?: string[]): Promise<Tenant> {
  const story = repositories ? undefined : await createStory('widgets');
  const sandbox = sandboxOf(product);
  for (const path of repositories ?? [story?.path ?? '']) {
    // The sandbox reads whose repository it is there.
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
  const { url, sightline, periodsOver, sendGatheredMails } = product;
  return {
    url,
    account,
    sightline,
    periodsOver,
    sendGatheredMails,
    owner: { name: ada.name, email: ada.email.replace('@', `@${account}.`) },
    stop: async () => {
      if (repositories?.length !== 0)
        await expectAnswer(fetch(`${sandbox}/_sandbox/accounts/${account}`, { method: 'DELETE' }));
      await story?.remove();
    },
  };
}

/** The sandbox beside the product. */
export function sandboxOf({ url }: Pick<Tenant, 'url'>): string {
  return `http://127.0.0.1:${Number(new URL(url).port) + 1}`;
}

async function expectAnswer(asked: Promise<Response>): Promise<void> {
  const answer = await asked;
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${answer.url}: ${await answer.text()}`);
}

/** Runs a program of the server beside it; answers what it printed. */
async function beside(env: NodeJS.ProcessEnv, program: string, ...args: string[]): Promise<string> {
  const path = join(checkout, 'server/src', program);
  return (await promisify(execFile)(process.execPath, [path, ...args], { env })).stdout;
}

/** Resolves once the server takes requests; answers with what ends it. */
async function run(env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  const server = spawn(process.execPath, [join(checkout, 'server/src/main.ts')], {
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

// Goes on reading afterwards: a server whose output nobody takes ends at its next log line.
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
