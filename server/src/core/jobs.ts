import type { FastifyBaseLogger } from 'fastify';
import { PgBoss } from 'pg-boss';
import type { Tx } from '#database/database.ts';

/** What each job carries, by name. Features add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface JobData {}
export type JobName = keyof JobData & string;

interface Definition<Name extends JobName> {
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
export type JobDefinition = { [Name in JobName]: Definition<Name> }[JobName];

export interface EnqueueOptions {
  /** Only one job of this key waits at a time; it may be queued again while it runs. */
  key: string;
  startAfter?: Date;
}

export interface Jobs {
  /** Adds a job in the transaction that made it needed: it runs only if that commits. */
  enqueue: <Name extends JobName>(tx: Tx, name: Name, data: JobData[Name], options: EnqueueOptions) => Promise<void>;
  /** Makes the queues known, and works them off when `work` is set. */
  start: (definitions: readonly JobDefinition[], work: boolean) => Promise<void>;
  stop: () => Promise<void>;
}

const schema = 'pgboss';
const policy = 'short';

/** Jobs on the same PostgreSQL. `appRole` may enqueue in its own transactions; `schedule` queues by the clock. */
export function createJobs(ownerUrl: string, appRole: string, log: FastifyBaseLogger, schedule: boolean): Jobs {
  const boss = new PgBoss({ connectionString: ownerUrl, schema, max: 4, application_name: 'sightline jobs', schedule });
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  let opened: Promise<void> | undefined;
  const open = () => (opened ??= boss.start().then(() => letEnqueue(boss, appRole)));
  let areQueuesKnown = false;
  return {
    async enqueue(tx, name, data, options) {
      if (!areQueuesKnown) {
        // A command of operators starts nothing; on a new database it is the first to want the queue.
        await open();
        if (!(await boss.getQueue(name))) await boss.createQueue(name, { policy });
      }
      const db = {
        executeSql: async (text: string, values?: unknown[]) => ({
          rows: await tx.query({ name: '', text, values: values ?? [] }),
        }),
      };
      await boss.send(name, data as object, {
        db,
        singletonKey: options.key,
        ...(options.startAfter && { startAfter: options.startAfter }),
      });
    },
    async start(definitions, work) {
      await open();
      for (const definition of definitions) await prepare(boss, definition);
      areQueuesKnown = true;
      if (!work) return;
      for (const definition of definitions) {
        const workers = definition.concurrency ?? 1;
        for (let worker = 0; worker < workers; worker += 1) {
          await boss.work(definition.name, { pollingIntervalSeconds: 0.5, batchSize: 1 }, async (batch) => {
            for (const job of batch) await run(definition, job.data, log);
          });
        }
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000, close: true }),
  };
}

async function letEnqueue(boss: PgBoss, role: string): Promise<void> {
  await boss.getDb().executeSql(`
    grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${role};`);
}

async function prepare(boss: PgBoss, definition: JobDefinition): Promise<void> {
  const options = {
    retryLimit: definition.retries ?? 5,
    retryDelay: 2,
    retryBackoff: true,
    expireInSeconds: (definition.expireMinutes ?? 15) * 60,
  };
  if (await boss.getQueue(definition.name)) await boss.updateQueue(definition.name, options);
  else await boss.createQueue(definition.name, { policy, ...options });
  if (definition.cron !== undefined) await boss.schedule(definition.name, definition.cron, {}, { tz: 'UTC' });
}

async function run(definition: JobDefinition, data: unknown, log: FastifyBaseLogger): Promise<void> {
  const started = performance.now();
  try {
    await definition.handle(data as never);
    log.debug({ job: definition.name, ms: Math.round(performance.now() - started) }, 'job done');
  } catch (error) {
    log.warn({ job: definition.name, err: error }, 'job failed');
    throw error;
  }
}
