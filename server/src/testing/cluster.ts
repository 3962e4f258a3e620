import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#database/embedded/supervisor.ts';
import { migrate } from '#database/migrate.ts';
import { prepareCluster } from '#database/prepare.ts';

export interface Cluster {
  /** The connection string of the superuser. */
  url: string;
  /** The owner's connection string of a newly migrated database. */
  template: string;
  stop: () => Promise<void>;
}

/** Starts a separate PostgreSQL in a temporary folder with one migrated database. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined, settings });
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

/** Disables durability, because no data here must survive a crash. Crash tests have their own clusters. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  // Tests that need statistics analyze their tables themselves.
  autovacuum: 'off',
  // Two workers run files in parallel, and shared servers keep their pools until their worker ends.
  max_connections: 300,
  // Passwords of test databases protect nothing, and each connection computes the hash.
  scram_iterations: 1,
};
