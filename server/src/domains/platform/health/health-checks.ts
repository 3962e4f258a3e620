import { statfs } from 'node:fs/promises';
import type { Services } from '#core/services.ts';
import { rejectAfter } from '#core/time-limit.ts';

/**
 * The reasons why a server cannot serve or its work has stopped: sentences for operators, without names of people or
 * organizations.
 */
export interface HealthStatus {
  /** Another server may work, or a restart may help. */
  failures: string[];
  /** The server is ready nevertheless. */
  warnings: string[];
}

const ANSWER_MS = 2_000;
const MIN_FREE_BYTES = 64 * 1024 * 1024;
const JOBS_OVERDUE_SECONDS = 10 * 60;
/** Milliseconds for which one result is reused, since unauthenticated clients may call at any rate. */
const CACHE_MS = 1_000;

/** Returns the health of this process, at most a second old. */
export function createHealthCheck(services: Services): () => Promise<HealthStatus> {
  let last: { at: number; health: Promise<HealthStatus> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > CACHE_MS) {
      last = { at: performance.now(), health: checkHealth(services) };
    }
    return last.health;
  };
}

async function checkHealth(services: Services): Promise<HealthStatus> {
  const [failures, warnings] = await Promise.all([
    failuresOf([
      ['The database does not respond.', () => services.database.pool.query('select 1')],
      ['The database does not respond to the ledger.', () => services.ledger.database.pool.query('select 1')],
      ['The database accepts no writes.', () => requireWrites(services)],
      ['Jobs are overdue by ten minutes and no process runs them.', () => requireJobsOnTime(services)],
      [`The disk of DATA_DIR has less than ${MIN_FREE_BYTES / 1024 / 1024} MB left.`, () => requireSpace(services)],
    ]),
    failuresOf([['The ledger of an organization is halted.', () => requireNoHaltedLedger(services)]]),
  ]);
  return { failures, warnings };
}

type ReadinessCheck = readonly [failure: string, check: () => Promise<unknown>];

/** Returns the checks that fail or time out. */
async function failuresOf(checks: readonly ReadinessCheck[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(checks.map(([, check]) => rejectAfter(ANSWER_MS, check())));
  return checks.flatMap(([failure], index) => (outcomes[index]?.status === 'rejected' ? [failure] : []));
}

/** Updates the row of the clock reading, which fails on a full disk or a standby. */
const requireWrites = ({ database }: Services) =>
  database.pool.query('update clock_reading set read_at = greatest(read_at, clock_timestamp())');

async function requireJobsOnTime({ config, jobs }: Services): Promise<void> {
  const seconds = await jobs.overdueSeconds();
  // An `api` process runs no jobs.
  if (config.ROLE !== 'api' && seconds > JOBS_OVERDUE_SECONDS) throw new Error(`Jobs are due for ${seconds} seconds`);
}

async function requireSpace({ config }: Services): Promise<void> {
  const disk = await statfs(config.dataDir).catch((error: NodeJS.ErrnoException) => {
    // A server with its own database may have no data directory.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (disk && disk.bavail * disk.bsize < MIN_FREE_BYTES) throw new Error('The disk is full');
}

async function requireNoHaltedLedger({ database }: Services): Promise<void> {
  const { rows } = await database.pool.query<{ halted: number }>('select halted_ledgers() as halted');
  if ((rows[0]?.halted ?? 0) > 0) throw new Error('A ledger is halted');
}
