import type { Services } from '#core/services.ts';
import type { Database } from '#database/database.ts';

const MAX_DIFFERENCE_SECONDS = 60;

/** Wraps a job that deletes by age. The job fails without deleting while the clocks disagree. */
export const requireClocksThen =
  (services: Services, work: (services: Services) => Promise<void>): (() => Promise<void>) =>
  async () => {
    await requireAgreeingClocks(services.database);
    await work(services);
  };

/**
 * Throws if the clocks of this process and of the database differ: with a wrong clock, a job would delete too early.
 */
async function requireAgreeingClocks({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const startedAt = Date.now();
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const databaseTime = rows[0]?.now.getTime() ?? Number.NaN;
  const seconds = Math.max(startedAt - databaseTime, databaseTime - Date.now()) / 1000;
  if (seconds <= MAX_DIFFERENCE_SECONDS) return;
  throw new Error(
    `The clocks of this machine and of the database differ by ${Math.round(seconds)} seconds: retention deletes nothing`,
  );
}
