import { expect, vi } from 'vitest';
import type { Database, Tx } from '#database/database.ts';

/**
 * Runs `second` while the transaction of `first` is open, and commits `first` when `second` waits for it. Returns the
 * outcome of `second`.
 */
export async function runWhileOpen<Result>(
  database: Database,
  orgId: string,
  first: (tx: Tx) => Promise<unknown>,
  second: (tx: Tx) => Promise<Result>,
): Promise<PromiseSettledResult<Result> | undefined> {
  let outcome: Promise<PromiseSettledResult<Result>[]> | undefined;
  await database.withOrg(orgId, async (tx) => {
    await first(tx);
    outcome = Promise.allSettled([database.withOrg(orgId, second)]);
    await waitUntilBlocked(database);
  });
  return (await outcome)?.[0];
}

const blocked =
  'select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0';

/** Waits until a connection waits for a lock of another one. */
export async function waitUntilBlocked({ pool }: Database): Promise<void> {
  await vi.waitFor(async () => expect((await pool.query(blocked)).rowCount).toBeGreaterThan(0), 20_000);
}
