import type { PgBoss } from 'pg-boss';

/** The longest time by which a delayed job or a retry starts late. */
const DUE_CHECK_MS = 1_000;

/** Reads one row of the index `job_i11` for each queue. */
const dueQueuesSql = `select q.name from unnest($1::text[]) as q(name)
  where exists (
    select from pgboss.job j where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after < now()
  )`;

/**
 * Wakes the workers of queues with a due job, which no NOTIFY announces if the job was delayed or is a retry. One query
 * per second for all queues replaces the polling of about a hundred workers. Returns a function that ends it.
 */
export function wakeWorkersOfDueJobs(
  boss: PgBoss,
  workers: ReadonlyMap<string, readonly string[]>,
  onError: (error: unknown) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const check = async () => {
    try {
      const { rows } = await boss.getDb().executeSql(dueQueuesSql, [[...workers.keys()]]);
      for (const { name } of rows as { name: string }[])
        for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker);
    } catch (error) {
      if (!ended) onError(error);
    }
    if (!ended) timer = setTimeout(check, DUE_CHECK_MS).unref();
  };
  void check();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
