import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { printReport, type ReportRow } from './report.ts';

const program = new URL('../server/dist/main.mjs', import.meta.url).pathname;
const run = promisify(execFile);

/**
 * Measures the time until the server reports that it is ready, on an empty and on a used data directory, and its size.
 */
export async function benchStartup(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-start-'));
  const rows: ReportRow[] = [];
  try {
    for (const name of ['first start', 'second start', 'third start']) rows.push({ name, ...(await start(folder)) });
    rows.push({ name: 'ceiling: Fastify alone', ...(await startBare()) });
    const { stdout } = await run('du', ['-sm', new URL('../node_modules', import.meta.url).pathname]);
    rows.push({ name: 'install, with all development tools', MB: Number.parseInt(stdout, 10) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  printReport('start', rows);
}

interface Start extends Record<string, number> {
  seconds: number;
  'RSS MB': number;
}

const start = (folder: string): Promise<Start> => measure([program], { DATA_DIR: folder, PORT: '3987' });

/** Measures the minimum of a server on this stack: no database, and one route. */
const startBare = (): Promise<Start> =>
  measure(
    [
      '--input-type=module',
      '--eval',
      "import Fastify from 'fastify'; const app = Fastify(); app.get('/', () => 'ok'); await app.listen({ port: 0 }); console.error('Sightline is ready')",
    ],
    {},
  );

async function measure(args: string[], environment: Record<string, string>): Promise<Start> {
  const started = performance.now();
  const server = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    cwd: new URL('../server', import.meta.url).pathname,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface(server.stderr)) if (line.startsWith('Sightline is ready')) break;
  const seconds = Number(((performance.now() - started) / 1000).toFixed(2));
  // The server returns the memory of its start right after it is ready.
  await setTimeout(2000);
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  return { seconds, 'RSS MB': Math.round(kilobytes / 1024) };
}
