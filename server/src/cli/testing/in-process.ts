import type { TestServer } from '#testing/server.ts';
import { runCommandLine } from '../run.ts';

export interface InProcessResult {
  code: number | null;
  out: string;
  complaint: string;
}

/** Runs `sightline` to its end with a given environment. */
export type RunCli = (args: readonly string[], environment?: Record<string, string>) => Promise<InProcessResult>;

let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs a command within this process, like `main.ts`. Commands run one at a time, because each replaces the
 * environment.
 */
export function runInProcess(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<InProcessResult> {
  const mine = turn.then(() => runWith(environment, args));
  turn = mine.catch(() => undefined);
  return mine;
}

async function runWith(environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<InProcessResult> {
  const { env, noDeprecation } = process;
  const { write } = process.stderr;
  let progress = '';
  process.env = { ...environment };
  process.noDeprecation = true;
  process.stderr.write = (chunk: string | Uint8Array) => {
    progress += chunk.toString();
    return true;
  };
  try {
    const { code, out, errorOutput: complaint } = await runCommandLine(args);
    return { code, out, complaint: progress + complaint };
  } finally {
    process.env = env;
    process.noDeprecation = noDeprecation === true;
    process.stderr.write = write;
  }
}

/** Runs a command with --json that must succeed, and returns its output. */
export const jsonOutputOf =
  (cli: RunCli) =>
  async <Answer = unknown>(...args: string[]): Promise<Answer> => {
    const { code, out, complaint } = await cli([...args, '--json']);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${complaint}`);
    return JSON.parse(out) as Answer;
  };

/** Returns `sightline` for the installation of a test server. */
export function operatorCliOf({ config, databaseUrl, url }: TestServer, environment: NodeJS.ProcessEnv = {}) {
  const own = {
    PATH: process.env.PATH,
    NODE_ENV: 'test',
    PASSWORD_HASH_COST: '1024',
    DATABASE_URL: databaseUrl,
    MASTER_KEY: config.MASTER_KEY,
    DATA_DIR: config.dataDir,
    PUBLIC_URL: config.PUBLIC_URL,
    PORT: new URL(url).port,
    SANDBOX: 'off',
    ...environment,
  };
  const cli: RunCli = (args, more) => runInProcess(args, { ...own, ...more });
  return { cli, ask: jsonOutputOf(cli) };
}
