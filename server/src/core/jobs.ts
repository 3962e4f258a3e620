import { isDeepStrictEqual } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';
import { PgBoss } from 'pg-boss';
import { connectionLimits, movedToOf, type PoolCounts, type Tx } from '#database/database.ts';
import { wakeWorkersOfDueJobs } from './due-jobs.ts';
import type { Metrics } from './metrics.ts';
import { currentRequestId, withRequestId } from './request-context.ts';
import { waitAtMost } from './time-limit.ts';
import type { Tracer } from './tracer.ts';

/** The data of each job by name. Domains add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface JobData {}
export type JobName = keyof JobData & string;

interface JobDefinitionOf<Name extends JobName> {
  name: Name;
  /** Must be idempotent, since it may run again after a crash or a retry. */
  handle: (data: JobData[Name]) => Promise<void>;
  /** The maximum number of concurrent runs in one process; 1 by default. */
  concurrency?: number;
  /** Minutes after which a run is considered dead and retried; 15 by default. */
  expireMinutes?: number;
  retries?: number;
  /**
   * A cron schedule in UTC that queues the job without data: minute, hour, day of the month, month, day of the week.
   */
  cron?: string;
  /**
   * A schedule queues the work again, so that an operator may cancel a waiting job without losing anything but time. A
   * job with `cron` can always be canceled.
   */
  repeats?: true;
}
/** A job and its handler. */
export type JobDefinition = { [Name in JobName]: JobDefinitionOf<Name> }[JobName];

export interface EnqueueOptions {
  /**
   * Only one job of this key is queued at a time, with the shortest of the delays. The job may be queued again while it
   * runs.
   */
  key: string;
  startAfter?: Date;
}

export interface Jobs {
  /** Queues a job in the transaction that requires it: the job runs only if the transaction commits. */
  enqueue: <Name extends JobName>(tx: Tx, name: Name, data: JobData[Name], options: EnqueueOptions) => Promise<void>;
  /** Creates the queues, and starts their workers if `work` is set. */
  start: (definitions: readonly JobDefinition[], work: boolean) => Promise<void>;
  /** Whether an operator may cancel a waiting job of this name; known after `start`. */
  isCancelable: (name: string) => boolean;
  /** The seconds for which the longest waiting job has been due; 0 if none is due. */
  overdueSeconds: () => Promise<number>;
  /** The number of jobs by name and state, and the seconds for which the longest waiting job of each has been due. */
  queued: () => Promise<{ name: string; state: string; count: number; seconds: number }[]>;
  /** Undefined until the queue is open. */
  pool: () => PoolCounts | undefined;
  /** Aborted when the server begins to stop: long-running work ends early and continues after the next start. */
  stopping: AbortSignal;
  stop: () => Promise<void>;
}

const schema = 'pgboss';
const policy = 'short';
// A job whose process died, or whose end could not be recorded, is retried after this time without a heartbeat, not
// after its expiry.
const heartbeatSeconds = 60;
/** The time that a stop waits for running jobs. A job that is still running is retried after the next start. */
const LONGEST_JOB_WAIT_MS = 2_000;
/**
 * NOTIFY wakes the worker of a job that is due at once, and `wakeWorkersOfDueJobs` that of a job which is due later. A
 * worker that finished a job looks for the next one without a pause. Workers poll only in case both fail: about a
 * hundred of them.
 */
const polling = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 60, batchSize: 1 };

const due = `state < 'active' and not blocked and start_after < now()`;
const overdueSql = `select coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as seconds
  from ${schema}.job where ${due}`;

const queuedSql = `select name, state::text, count(*)::int as count,
    coalesce(extract(epoch from now() - min(start_after) filter (where ${due})), 0)::float8 as seconds
  from ${schema}.job where state < 'completed' or state = 'failed' group by name, state`;

/** Shortens the delay of a queued job with the same key. The condition matches the unique index of the policy. */
const shortenDelaySql = `update ${schema}.job set start_after = coalesce($3::timestamptz, now())
  where name = $1 and coalesce(singleton_key, '') = $2 and state = 'created' and policy = '${policy}'
    and start_after > coalesce($3::timestamptz, now()) + interval '1 second'`;

/** Delays end by the clock of the database, which may differ from that of this process. */
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

/**
 * Creates the job queue on the same PostgreSQL. `appRole` may enqueue in its own transactions; `schedule` enables cron
 * schedules.
 */
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
  const open = () => (opened ??= boss.start().then(() => grantEnqueue(boss, appRole)));
  let areQueuesKnown = false;
  const cancelable = new Set<string>();
  const workers = new Map<JobName, string[]>();
  let stopWaking = () => {};
  const stopping = new AbortController();
  return {
    async enqueue(tx, name, data, options) {
      if (!areQueuesKnown) {
        // An operator command does not call `start`, and on a new database it may be the first to need the queue.
        await open();
        if (!(await boss.getQueue(name))) await boss.createQueue(name, { policy, notify: true });
      }
      const db = {
        executeSql: async (text: string, values?: unknown[]) => ({
          rows: await tx.query({ name: '', text, values: values ?? [] }),
        }),
      };
      const startAfter = options.startAfter && (await inClockOfDatabase(tx, options.startAfter));
      const requestId = currentRequestId();
      const id = await boss.send(
        name,
        { ...(requestId !== undefined && { requestId }), ...(data as object) },
        {
          db,
          singletonKey: options.key,
          ...(startAfter && { startAfter }),
        },
      );
      if (id === null) await tx.query({ name: '', text: shortenDelaySql, values: [name, options.key, startAfter] });
    },
    async start(definitions, work) {
      for (const { name, cron, repeats } of definitions) if (cron !== undefined || repeats) cancelable.add(name);
      await open();
      await prepareQueues(boss, definitions);
      areQueuesKnown = true;
      if (!work) return;
      for (const definition of definitions) {
        const ids: string[] = [];
        workers.set(definition.name, ids);
        while (ids.length < (definition.concurrency ?? 1)) {
          const workerId = await boss.work(definition.name, polling, async (batch) => {
            try {
              for (const job of batch) await run(definition, job.data, observed);
            } finally {
              boss.notifyWorker(workerId);
            }
          });
          ids.push(workerId);
        }
      }
      stopWaking = wakeWorkersOfDueJobs(boss, workers, (error) => log.error({ err: error }, 'job queue'));
    },
    isCancelable: (name) => cancelable.has(name),
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
      stopWaking();
      const workersEnded = Promise.all([...workers.keys()].map((name) => boss.offWork(name, { wait: true })));
      await waitAtMost(LONGEST_JOB_WAIT_MS, workersEnded);
      await boss.stop({ graceful: false, close: true });
    },
  };
}

async function grantEnqueue(boss: PgBoss, role: string): Promise<void> {
  await boss.getDb().executeSql(`
    grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${role};`);
}

/** Creates missing queues and schedules and updates changed ones. A second start writes nothing. */
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
    const { requestId } = (data ?? {}) as { requestId?: string };
    const work = () => withRequestId(requestId, () => definition.handle(data as never));
    await (tracer ? tracer.traceJob(`job ${definition.name}`, work) : work());
    const seconds = ended({ outcome: 'done' });
    log.debug({ job: definition.name, ms: Math.round(seconds * 1000) }, 'job done');
  } catch (error) {
    if (movedToOf(error) !== undefined && isOfOneOrganization(data)) {
      // The organization moved: the other installation queues its work again.
      ended({ outcome: 'done' });
      return;
    }
    ended({ outcome: 'failed' });
    log.warn({ job: definition.name, err: error }, 'job failed');
    throw error;
  }
}

/** Whether the job is about one organization, so that no other one loses its turn. */
const isOfOneOrganization = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && ('orgId' in data || 'org' in data);
