import { isDeepStrictEqual } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';
import { PgBoss } from 'pg-boss';
import { connectionLimits, type PoolCounts, type Tx } from '#database/database.ts';
import type { Metrics } from './metrics.ts';
import { waitAtMost } from './time-limit.ts';
import type { Tracer } from './tracer.ts';

/** What each job carries, by name. Features add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface JobData {}
export type JobName = keyof JobData & string;

interface JobDefinitionOf<Name extends JobName> {
  name: Name;
  /** May run again after a crash or a retry: it must give the same result. */
  handle: (data: JobData[Name]) => Promise<void>;
  /** How many of it run at once in one process; 1 unless given. */
  concurrency?: number;
  /** Minutes until a run counts as dead and is tried again; 15 unless given. */
  expireMinutes?: number;
  retries?: number;
  /** Queued by the clock, in UTC and with no data: minute, hour, day of the month, month, day of the week. */
  cron?: string;
}
/** A job and what works it off. */
export type JobDefinition = { [Name in JobName]: JobDefinitionOf<Name> }[JobName];

export interface EnqueueOptions {
  /** Only one job of this key waits at a time, for the shortest of the delays; it may be queued again while it runs. */
  key: string;
  startAfter?: Date;
}

export interface Jobs {
  /** Adds a job in the transaction that made it needed: it runs only if that commits. */
  enqueue: <Name extends JobName>(tx: Tx, name: Name, data: JobData[Name], options: EnqueueOptions) => Promise<void>;
  /** Makes the queues known, and works them off when `work` is set. */
  start: (definitions: readonly JobDefinition[], work: boolean) => Promise<void>;
  /** For how long the job that waits longest has been due; 0 where none is. */
  overdueSeconds: () => Promise<number>;
  /** How many jobs there are of each name and state, and for how long the one that waits longest has been due. */
  queued: () => Promise<{ name: string; state: string; count: number; seconds: number }[]>;
  /** Undefined until the queue is open. */
  pool: () => PoolCounts | undefined;
  /** Aborted when the server begins to stop: work that takes long ends early, and goes on after the next start. */
  stopping: AbortSignal;
  stop: () => Promise<void>;
}

const schema = 'pgboss';
const policy = 'short';
// A job whose process died, or whose end could not be written, is tried again once it is silent for so long, and not when it expires.
const heartbeatSeconds = 60;
/** How long a stop waits for jobs that are running; what runs on after that is tried again after the next start. */
const LONGEST_JOB_WAIT_MS = 2_000;
/**
 * NOTIFY wakes the worker of a job that is due at once, and a worker that finished a job looks for the next one without a
 * pause. Polling finds jobs that are due later (retries, `startAfter`). About a hundred workers poll: twice a second each
 * would be 190 transactions per second on an idle server.
 */
const polling = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 2, batchSize: 1 };

const due = `state < 'active' and not blocked and start_after < now()`;
const overdueSql = `select coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as seconds
  from ${schema}.job where ${due}`;

const queuedSql = `select name, state::text, count(*)::int as count,
    coalesce(extract(epoch from now() - min(start_after) filter (where ${due})), 0)::float8 as seconds
  from ${schema}.job where state < 'completed' or state = 'failed' group by name, state`;

/** A job of the key waits already: it waits no longer than this one would. The condition is that of the unique index of the policy. */
const moveForward = `update ${schema}.job set start_after = coalesce($3::timestamptz, now())
  where name = $1 and coalesce(singleton_key, '') = $2 and state = 'created' and policy = '${policy}'
    and start_after > coalesce($3::timestamptz, now()) + interval '1 second'`;

/** The clock of the database decides when a delay is over, and may differ from that of this process. */
async function inClockOfDatabase(tx: Tx, time: Date): Promise<Date> {
  const [row] = await tx.query<{ at: Date }>({
    name: 'jobs.later',
    text: 'select clock_timestamp() + make_interval(secs => $1::float8) as at',
    values: [(time.getTime() - Date.now()) / 1000],
  });
  return row?.at ?? time;
}

interface Observers {
  log: FastifyBaseLogger;
  metrics: Pick<Metrics, 'jobs'>;
  tracer: Tracer | undefined;
}

/** Jobs on the same PostgreSQL. `appRole` may enqueue in its own transactions; `schedule` queues by the clock. */
export function createJobs(
  { url, querySeconds }: { url: string; querySeconds: number },
  appRole: string,
  observed: Observers,
  schedule: boolean,
): Jobs {
  const { log } = observed;
  const boss = new PgBoss({
    connectionString: url,
    ...connectionLimits(querySeconds),
    schema,
    max: 4,
    application_name: 'sightline jobs',
    schedule,
    useListenNotify: schedule,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
  let opened: Promise<void> | undefined;
  const open = () => (opened ??= boss.start().then(() => letEnqueue(boss, appRole)));
  let areQueuesKnown = false;
  const working = new Set<JobName>();
  const stopping = new AbortController();
  return {
    async enqueue(tx, name, data, options) {
      if (!areQueuesKnown) {
        // A command of operators starts nothing; on a new database it is the first to want the queue.
        await open();
        if (!(await boss.getQueue(name))) await boss.createQueue(name, { policy, notify: true });
      }
      const db = {
        executeSql: async (text: string, values?: unknown[]) => ({
          rows: await tx.query({ name: '', text, values: values ?? [] }),
        }),
      };
      const startAfter = options.startAfter && (await inClockOfDatabase(tx, options.startAfter));
      const id = await boss.send(name, data as object, {
        db,
        singletonKey: options.key,
        ...(startAfter && { startAfter }),
      });
      if (id === null) await tx.query({ name: '', text: moveForward, values: [name, options.key, startAfter] });
    },
    async start(definitions, work) {
      await open();
      await prepareQueues(boss, definitions);
      areQueuesKnown = true;
      if (!work) return;
      for (const definition of definitions) {
        const workers = definition.concurrency ?? 1;
        for (let worker = 0; worker < workers; worker += 1) {
          const workerId = await boss.work(definition.name, polling, async (batch) => {
            try {
              for (const job of batch) await run(definition, job.data, observed);
            } finally {
              boss.notifyWorker(workerId);
            }
          });
          working.add(definition.name);
        }
      }
    },
    async overdueSeconds() {
      const { rows } = await boss.getDb().executeSql(overdueSql);
      return (rows[0] as { seconds: number } | undefined)?.seconds ?? 0;
    },
    async queued() {
      const { rows } = await boss.getDb().executeSql(queuedSql);
      return rows;
    },
    pool: () => (boss.getDb() as { pool?: PoolCounts }).pool,
    stopping: stopping.signal,
    async stop() {
      stopping.abort();
      const workersEnded = Promise.all([...working].map((name) => boss.offWork(name, { wait: true })));
      await waitAtMost(LONGEST_JOB_WAIT_MS, workersEnded);
      await boss.stop({ graceful: false, close: true });
    },
  };
}

async function letEnqueue(boss: PgBoss, role: string): Promise<void> {
  await boss.getDb().executeSql(`
    grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${role};`);
}

/** Creates the queues and schedules that are missing, and changes those that differ: a second start writes nothing. */
async function prepareQueues(boss: PgBoss, definitions: readonly JobDefinition[]): Promise<void> {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const crons = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
  for (const { name, retries = 5, expireMinutes = 15, cron } of definitions) {
    const options = {
      retryLimit: retries,
      retryDelay: 2,
      retryBackoff: true,
      expireInSeconds: expireMinutes * 60,
      heartbeatSeconds,
      notify: true,
    };
    const queue = queues.get(name);
    if (!queue) await boss.createQueue(name, { policy, ...options });
    else if (!isDeepStrictEqual({ ...queue, ...options }, queue)) await boss.updateQueue(name, options);
    if (cron !== undefined && crons.get(name) !== cron) await boss.schedule(name, cron, {}, { tz: 'UTC' });
  }
}

async function run(definition: JobDefinition, data: unknown, { log, metrics, tracer }: Observers): Promise<void> {
  const ended = metrics.jobs.startTimer({ queue: definition.name });
  try {
    const work = () => definition.handle(data as never);
    await (tracer ? tracer.traceJob(`job ${definition.name}`, work) : work());
    const seconds = ended({ outcome: 'done' });
    log.debug({ job: definition.name, ms: Math.round(seconds * 1000) }, 'job done');
  } catch (error) {
    ended({ outcome: 'failed' });
    log.warn({ job: definition.name, err: error }, 'job failed');
    throw error;
  }
}
