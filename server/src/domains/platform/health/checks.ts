import { statfs } from 'node:fs/promises';
import type { Services } from '#core/services.ts';
import { rejectAfter } from '#core/time-limit.ts';

/** Why a server cannot serve, or what of its work stands still: sentences for operators, without names of people or organizations. */
export interface Health {
  /** Another server may do better, or a restart may help. */
  failures: string[];
  /** The server serves all the same. */
  warnings: string[];
}

const ANSWER_MS = 2_000;
const MIN_FREE_BYTES = 64 * 1024 * 1024;
const JOBS_OVERDUE_SECONDS = 10 * 60;
/** Milliseconds. Strangers may call as often as they like: one result serves every call within this time. */
const KEPT_MS = 1_000;

/** Answers the health of this process, at most a second old. */
export function createHealthCheck(services: Services): () => Promise<Health> {
  let asked: { at: number; health: Promise<Health> } | undefined;
  return () => {
    if (!asked || performance.now() - asked.at > KEPT_MS) {
      asked = { at: performance.now(), health: checkHealth(services) };
    }
    return asked.health;
  };
}

async function checkHealth(services: Services): Promise<Health> {
  const [failures, warnings] = await Promise.all([
    failuresOf([
      ['The database does not respond.', () => services.database.pool.query('select 1')],
      ['The database does not respond to the ledger.', () => services.ledger.database.pool.query('select 1')],
      ['The database accepts no writes.', () => takesWrites(services)],
      ['Jobs are overdue by ten minutes and no process runs them.', () => requireJobsOnTime(services)],
      [`The disk of DATA_DIR has less than ${MIN_FREE_BYTES / 1024 / 1024} MB left.`, () => requireSpace(services)],
    ]),
    failuresOf([['The ledger of an organization is halted.', () => requireNoHaltedLedger(services)]]),
  ]);
  return { failures, warnings };
}

type ReadinessCheck = readonly [failure: string, check: () => Promise<unknown>];

/** What fails, or does not answer in time. */
async function failuresOf(checks: readonly ReadinessCheck[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(checks.map(([, check]) => rejectAfter(ANSWER_MS, check())));
  return checks.flatMap(([failure], index) => (outcomes[index]?.status === 'rejected' ? [failure] : []));
}

/** By the row that the clock is read into: a full disk and a standby refuse to write it. */
const takesWrites = ({ database }: Services) =>
  database.pool.query('update clock_reading set read_at = greatest(read_at, clock_timestamp())');

async function requireJobsOnTime({ config, jobs }: Services): Promise<void> {
  const seconds = await jobs.overdueSeconds();
  // Another process has to run them.
  if (config.ROLE !== 'api' && seconds > JOBS_OVERDUE_SECONDS) throw new Error(`Jobs are due for ${seconds} seconds`);
}

async function requireSpace({ config }: Services): Promise<void> {
  const disk = await statfs(config.dataDir).catch((error: NodeJS.ErrnoException) => {
    // A server with a database of its own may store nothing there.
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (disk && disk.bavail * disk.bsize < MIN_FREE_BYTES) throw new Error('The disk is full');
}

async function requireNoHaltedLedger({ database }: Services): Promise<void> {
  const { rows } = await database.pool.query<{ halted: number }>('select halted_ledgers() as halted');
  if ((rows[0]?.halted ?? 0) > 0) throw new Error('A ledger is halted');
}
