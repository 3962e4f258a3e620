import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { topic } from './topics.ts';

/** The clock of the database was set back: what waits for a time may wait too long. */
export const clockSetBack = topic<{ seconds: number }>('core.clock-set-back');

/** How often the clock is read, in milliseconds. */
const READ_EVERY_MS = 10_000;
/** A clock that is corrected by less than this waits it out. */
const SMALLEST_STEP = '2 seconds';

/** What waits for a time, by table: a delay after a failure or a limit, never a deadline that people set. */
const waits = {
  anchor: 'next_at',
  audit_stream: 'next_at',
  change_task: 'due_at',
  evidence_delivery: 'next_at',
  import_gap: 'next_attempt_at',
  outgoing_delivery: 'next_at',
  repository_import: 'waiting_until',
  webhook_delivery: 'not_before',
} as const;

/** Reads the clock of the database at intervals, and lets go on what a clock that was set back would hold up. */
export function startClockWatch(services: Services): { stop: () => void } {
  const timer = setInterval(() => {
    releaseAfterClockStep(services).catch((error: Error) =>
      services.log.warn({ err: error }, 'the clock of the database could not be read'),
    );
  }, READ_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Compares the clock of the database with its last reading. Where it was set back, every wait is shortened by as much: else
 * retries and jobs would rest until the clock has caught up, also after a restart. Answers the step in seconds, 0 for none.
 */
export async function releaseAfterClockStep(services: Services): Promise<number> {
  const { database, log } = services;
  const seconds = await database.global(readClock);
  if (seconds === 0) return 0;
  log.warn({ seconds }, 'the clock of the database moved backward');
  const { rows } = await database.pool.query<{ id: string }>('select every_organization() as id');
  for (const { id } of rows)
    await database.withOrg(id, async (tx) => {
      await shortenWaits(tx, id, seconds);
      await services.topics.publish({ services, tx, orgId: id }, clockSetBack, { seconds });
    });
  // Last: a crash before it does all of this again, which changes nothing more.
  await database.global((tx) => releaseJobs(tx, seconds));
  return seconds;
}

/** Stores the time; answers by how many seconds the clock was set back since the last reading, which is kept then. */
async function readClock(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ seconds: number }>({
    name: '',
    text: `with kept as (
             update clock_reading set read_at = clock_timestamp()
             where read_at <= clock_timestamp() + interval '${SMALLEST_STEP}' returning true
           )
           select case when exists (select from kept) then 0
                       else extract(epoch from read_at - clock_timestamp())::float8 end as seconds from clock_reading`,
    values: [],
  });
  return row?.seconds ?? 0;
}

async function shortenWaits(tx: Tx, orgId: string, seconds: number): Promise<void> {
  for (const [table, column] of Object.entries(waits)) {
    await tx.query({
      name: '',
      text: `update ${table} set ${column} = greatest(now(), ${column} - make_interval(secs => $2::float8))
             where org_id = $1 and ${column} > now()`,
      values: [orgId, seconds],
    });
  }
}

/**
 * Jobs that were queued or begun at a time that has yet to come: they keep what is left of a delay of up to an hour, and end
 * with their process. Slots of the schedule that will come again are freed.
 */
async function releaseJobs(tx: Tx, seconds: number): Promise<void> {
  const statements = [
    `update pgboss.job set start_after = greatest(now(), start_after - make_interval(secs => $1::float8))
     where state < 'active' and start_after > now() and (state = 'retry' or start_after - created_on <= interval '1 hour')`,
    `update pgboss.job set started_on = started_on - make_interval(secs => $1::float8),
       heartbeat_on = heartbeat_on - make_interval(secs => $1::float8) where state = 'active' and started_on > now()`,
    `update pgboss.job set singleton_on = null where $1::float8 > 0 and singleton_on > now() at time zone 'UTC'`,
    `update pgboss.queue set monitor_on = null, maintain_on = null where $1::float8 > 0 and greatest(monitor_on, maintain_on) > now()`,
    `update pgboss.version set cron_on = null, bam_on = null where $1::float8 > 0 and greatest(cron_on, bam_on) > now()`,
    'update clock_reading set read_at = clock_timestamp() where $1::float8 > 0',
  ];
  for (const text of statements) await tx.query({ name: '', text, values: [seconds] });
}
