import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createStory } from '../../sandbox/src/testing/repository.ts';
import { freePort } from '../../server/src/testing/free-port.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

export interface Product {
  url: string;
  /** Runs a command of operators beside it, to its end; answers what it printed. */
  sightline: (...args: string[]) => Promise<string>;
  /** Has it make what it makes of this week and this quarter once they are over. */
  periodsOver: () => Promise<void>;
  /** Ends it and keeps its data; `resume` starts it again at the same address. */
  halt: () => Promise<void>;
  resume: () => Promise<void>;
  stop: () => Promise<void>;
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
    // Walks name fixed days.
    EVENT_RETENTION_MONTHS: '1200',
    CLIPBOARD_RETENTION_DAYS: '36500',
    SANDBOX_REPOSITORIES: (repositories ?? [story?.path]).join(','),
    ...more(`http://127.0.0.1:${port + 1}`),
  };
  let halt = await run(env);
  return {
    url: `http://localhost:${port}`,
    sightline: (...args) => beside(env, 'cli/main.ts', ...args),
    periodsOver: async () => {
      await beside(env, 'testing/periods-over.ts');
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

/** Runs a program of the server beside it; answers what it printed. */
async function beside(env: NodeJS.ProcessEnv, program: string, ...args: string[]): Promise<string> {
  const path = join(checkout, 'server/src', program);
  return (await promisify(execFile)(process.execPath, [path, ...args], { env })).stdout;
}

/** Resolves once the server takes requests; answers with what ends it. */
async function run(env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  const server = spawn(process.execPath, [join(checkout, 'server/src/main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const ready = await firstLine(server.stdout, (line) => line.startsWith('Sightline is ready'));
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
