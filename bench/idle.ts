import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cpuMillisecondsOf } from './cpu.ts';
import { startServer } from './process.ts';
import { printReport } from './report.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 60);
/** Ends the work of a start: queues, schedules, the first key. */
const settleMs = 20_000;

/** Measures transactions and CPU time per second of a server without requests, with all its jobs. */
export async function benchIdle(): Promise<void> {
  const server = await startServer();
  const url = new URL(server.superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  try {
    await client.connect();
    await sleep(settleMs);
    const [transactions, cpu] = [await countTransactions(client), cpuMillisecondsOf(server.pid)];
    await sleep(seconds * 1000);
    const after = cpuMillisecondsOf(server.pid);
    const perSecond = ((await countTransactions(client)) - transactions) / seconds;
    const percentOf = (kind: keyof typeof cpu) => Number(((after[kind] - cpu[kind]) / seconds / 10).toFixed(2));
    printReport('idle', [
      {
        name: `idle for ${seconds} s`,
        'transactions/s': Number(perSecond.toFixed(1)),
        'server, % of a core': percentOf('server'),
        'PostgreSQL, % of a core': percentOf('postgres'),
      },
    ]);
  } finally {
    await client.end();
    await server.stop();
  }
}

async function countTransactions(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    'select sum(xact_commit + xact_rollback) as count from pg_stat_database',
  );
  return Number(rows[0]?.count);
}
