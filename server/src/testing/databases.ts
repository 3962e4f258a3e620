import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { backgroundJobsOf } from '#app.ts';
import { readConfig } from '#config.ts';
import { createLog } from '#core/log.ts';
import { composeServices } from '../compose.ts';

/** Encrypts the secrets of test databases, so that the keys in their template can be decrypted. */
export const testMasterKey = Buffer.alloc(32, 1).toString('base64');

// An arbitrary number that is the same for every worker of the run: the first one creates the template.
const lock = 7_318_299;
const startedTemplate = 'sightline_started';

/**
 * Creates a database on which a server has started and stopped before, with its job queues and a token signing key.
 * Omits the signing key unless `masterKey` is that of the tests.
 */
export async function createTestDatabase(masterKey?: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asClusterOwner(async (client) => {
    await client.query('select pg_advisory_lock($1)', [lock]);
    await ensureStartedTemplate(client);
    await client.query('select pg_advisory_unlock($1)', [lock]);
    // Copying files takes half the time of logging each page, and no data here must survive a crash.
    await client.query(`create database ${name} template ${startedTemplate} owner sightline strategy file_copy`);
  });
  const url = urlOf(name);
  if (masterKey !== testMasterKey) await withClient(url, (client) => client.query('truncate oidc_key'));
  return url;
}

async function ensureStartedTemplate(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [startedTemplate]);
  if (rowCount !== 0) return;
  const unfinished = `${startedTemplate}_unfinished`;
  await client.query(`create database ${unfinished} template sightline_template owner sightline`);
  const config = readConfig({ NODE_ENV: 'test', SANDBOX: 'off', ROLE: 'api', MASTER_KEY: testMasterKey });
  const { services, close } = await composeServices(config, urlOf(unfinished), createLog('error'));
  await services.jobs.start(backgroundJobsOf(services), false);
  await close();
  await client.query(`alter database ${unfinished} rename to ${startedTemplate}`);
}

/** Returns the owner's connection string of a database of the run's cluster. */
function urlOf(database: string): string {
  const url = new URL(inject('cluster').template);
  url.pathname = `/${database}`;
  return url.href;
}

/** One connection per worker, because a new one costs PostgreSQL 30 ms of CPU. It ends with the worker. */
let clusterOwner: Promise<pg.Client> | undefined;

async function asClusterOwner<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  clusterOwner ??= connect(inject('cluster').url);
  return work(await clusterOwner);
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
