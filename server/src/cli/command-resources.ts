import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Jobs } from '#core/jobs.ts';
import { createLog } from '#core/log.ts';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import { type Database, openDatabase as openPool } from '#database/database.ts';
import { findRunningDatabaseUrl, startEmbeddedPostgres } from '#database/embedded/supervisor.ts';
import { migrate } from '#database/migrate.ts';
import { prepareCluster } from '#database/prepare.ts';
import { type Config, readConfig } from '../config.ts';
import { readSchemaState } from './schema.ts';

export interface OpenDatabase {
  /** The login that owns the schema. */
  ownerUrl: string;
  /** A superuser of the same database, if it is built in. */
  superuserUrl?: string;
  /** `own`: at DATABASE_URL; `running`: built in, of a running server; `started`: built in, started by this command. */
  kind: 'own' | 'running' | 'started';
  close: () => Promise<void>;
}

/** Finds the database of this installation. Starts the built-in one for the duration of the command if necessary. */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  const close = async () => undefined;
  if (config.DATABASE_URL !== undefined) return { ownerUrl: config.DATABASE_URL, kind: 'own', close };
  const running = await findRunningDatabaseUrl(config.dataDir);
  if (running !== undefined) return { ...(await builtIn(running)), kind: 'running', close };
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: () => undefined });
  try {
    return { ...(await builtIn(postgres.url)), kind: 'started', close: postgres.stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function builtIn(superuser: string): Promise<{ ownerUrl: string; superuserUrl: string }> {
  const ownerUrl = await prepareCluster(superuser);
  const url = new URL(superuser);
  url.pathname = new URL(ownerUrl).pathname;
  return { ownerUrl, superuserUrl: url.href };
}

/** Runs `work` with the login that owns the schema. */
export async function withOwnerDatabase<Result>(
  config: Config,
  work: (owner: Database) => Promise<Result>,
): Promise<Result> {
  const { ownerUrl, close } = await openDatabase(config);
  try {
    return await withDatabasePool(ownerUrl, work);
  } finally {
    await close();
  }
}

/** Runs `work` with a small connection pool of a login. */
export async function withDatabasePool<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openPool({ url, max: 2, onError: () => undefined });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Whether the built-in database exists. */
export const hasCluster = ({ dataDir }: Config): Promise<boolean> =>
  stat(join(dataDir, 'postgres.password')).then(
    () => true,
    () => false,
  );

/**
 * Runs `work` with the services of the server. Migrates a database that this command started; otherwise it throws if
 * migrations are missing.
 */
export async function withServices<Result>(
  work: (services: Services, keys: SigningKeys, ownerUrl: string) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  const database = await openDatabase(config);
  try {
    if (database.kind === 'started') await migrate(database.ownerUrl);
    else await refuseOldSchema(database.ownerUrl);
    // Loaded here, so that help and errors do not load every part of the server.
    const { composeServices: compose } = await import('../compose.ts');
    // Standard output contains only the result, and failures are thrown.
    const { services, signingKeys, close } = await compose(config, database.ownerUrl, createLog('silent'));
    try {
      return await work({ ...services, jobs: lazyJobs(services) }, signingKeys, database.ownerUrl);
    } finally {
      await close();
    }
  } finally {
    await database.close();
  }
}

/** Starts the queue with the first job that a command adds: most add none. */
function lazyJobs(services: Services): Jobs {
  let started: Promise<void> | undefined;
  const start: Jobs['start'] = (definitions, work) => {
    started ??= services.jobs.start(definitions, work);
    return started;
  };
  return {
    ...services.jobs,
    start,
    async enqueue(...job) {
      const { backgroundJobsOf: jobsOf } = await import('../app.ts');
      await start(jobsOf(services), false);
      await services.jobs.enqueue(...job);
    },
  };
}

async function refuseOldSchema(ownerUrl: string): Promise<void> {
  const { missing } = await readSchemaState(ownerUrl);
  if (missing.length === 0) return;
  throw new Error('The database is not up to date. Run: npm run sightline -- migrate');
}
