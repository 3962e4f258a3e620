import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { topic } from './topics.ts';

/** Published when the clock of the database was set back, so that subscribers shorten their waits. */
export const clockSetBack = topic<{ seconds: number }>('core.clock-set-back');

/** The interval between readings of the clock, in milliseconds. */
const READ_EVERY_MS = 10_000;
/** The smallest correction that shortens waits. A smaller one only delays them. */
const SMALLEST_STEP = '2 seconds';

/**
 * The columns with the times of pending work, by table: delays after a failure or a limit, but no deadlines that users
 * set.
 */
const waitColumns = {
  anchor: 'next_at',
  audit_stream: 'next_at',
  change_task: 'due_at',
  chat_target: 'resumes_at',
  evidence_delivery: 'next_at',
  import_gap: 'next_attempt_at',
  outgoing_delivery: 'next_at',
  repository_import: 'waiting_until',
  webhook_delivery: 'not_before',
} as const;

/** Reads the clock of the database at intervals and shortens waits after the clock was set back. */
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
 * Compares the clock of the database with its last reading. After the clock was set back, shortens every wait by the
 * same step: otherwise retries and jobs would pause until the clock has caught up, also after a restart. Returns the
 * step in seconds, 0 for none.
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
  // This runs last: after a crash, all steps run again, and none changes anything twice.
  await database.global((tx) => releaseJobs(tx, seconds));
  return seconds;
}

/** Stores the current time. Returns the seconds by which the clock was set back since the last reading. */
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
  for (const [table, column] of Object.entries(waitColumns)) {
    await tx.query({
      name: '',
      text: `update ${table} set ${column} = greatest(now(), ${column} - make_interval(secs => $2::float8))
             where org_id = $1 and ${column} > now()`,
      values: [orgId, seconds],
    });
  }
}

/**
 * Releases jobs that were queued or started at a time in the future: a queued job retains the remainder of a delay of
 * up to an hour, and a started job ends with its process. Frees schedule slots that will occur again.
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
