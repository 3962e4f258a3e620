import type { Services } from '#core/services.ts';
import type { Database } from '#database/database.ts';

const MAX_DIFFERENCE_SECONDS = 60;

/** A job that deletes by age, which it does not while the clocks disagree. */
export const deletingByAge =
  (services: Services, work: (services: Services) => Promise<void>): (() => Promise<void>) =>
  async () => {
    await requireAgreeingClocks(services.database);
    await work(services);
  };

/** Throws where the clocks of this process and of the database differ: of one that is wrong, nothing may be deleted by age. */
async function requireAgreeingClocks({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const asked = Date.now();
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const there = rows[0]?.now.getTime() ?? Number.NaN;
  const seconds = Math.max(asked - there, there - Date.now()) / 1000;
  if (seconds <= MAX_DIFFERENCE_SECONDS) return;
  throw new Error(
    `The clocks of this machine and of the database differ by ${Math.round(seconds)} seconds: retention deletes nothing`,
  );
}
