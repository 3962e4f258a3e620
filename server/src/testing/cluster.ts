import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '#database/embedded/supervisor.ts';
import { migrate } from '#database/migrate.ts';
import { prepareCluster } from '#database/prepare.ts';

export interface Cluster {
  /** The superuser's connection string. */
  url: string;
  /** The owner's connection string of a freshly migrated database. */
  template: string;
  stop: () => Promise<void>;
}

/** A PostgreSQL of its own in a temporary folder, with one migrated database in it. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-test-'));
  const postgres = await startEmbedded({ dataDir: folder, log: () => undefined });
  await hurry(postgres.url);
  const template = await prepareCluster(postgres.url, 'sightline_template');
  await migrate(template);
  return {
    url: postgres.url,
    template,
    stop: async () => {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Nothing here must outlive the machine, so nothing waits for its disk. Tests of crashes have clusters of their own. */
async function hurry(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // The command line of the server, which a file of settings does not go before, says that commits wait; a role's own setting does.
  await client.query('alter role all set synchronous_commit = off');
  await client.query('alter system set full_page_writes = off');
  await client.query('select pg_reload_conf()');
  await client.end();
}
