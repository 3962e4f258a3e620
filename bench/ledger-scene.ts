import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { LedgerLog } from '../server/src/core/ledger-log.ts';
import { createLog } from '../server/src/core/log.ts';
import { createSecrets } from '../server/src/core/secrets.ts';
import { type Database, openDatabase } from '../server/src/database/database.ts';
import { startEmbeddedPostgres } from '../server/src/database/embedded/supervisor.ts';
import { migrate } from '../server/src/database/migrate.ts';
import { prepareCluster } from '../server/src/database/prepare.ts';
import { sequenceEntries } from '../server/src/domains/ledger/ledger/sequence.ts';
import { printProgress } from './report.ts';

export interface LedgerScene {
  ledger: LedgerLog;
  /** With the role that alone writes the log. */
  database: Database;
  /** With the role of the server, and eight connections. */
  writers: Database;
  /** The superuser of the cluster. */
  owner: pg.Client;
  orgId: string;
}

/** Runs `work` with an organization in its own durable database, with `waiting` pending ledger entries. */
export async function withLedgerScene(waiting: number, work: (scene: LedgerScene) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-ledger-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined });
  const url = await prepareCluster(postgres.url);
  await migrate(url);
  const open = (role: string, max: number) => openDatabase({ url, max, role, onError: () => undefined });
  const [database, writers] = [open('sightline_ledger', 2), open('sightline_app', 8)];
  const superuser = new URL(postgres.url);
  superuser.pathname = new URL(url).pathname;
  const owner = new pg.Client({ connectionString: superuser.href });
  try {
    await owner.connect();
    const orgId = randomUUID();
    await owner.query(
      "insert into organization (id, name, slug, display_name) values ($1, 'Bench', 'bench', 'Bench')",
      [orgId],
    );
    await queueEntries(owner, orgId, waiting);
    const ledger = {
      database,
      secrets: createSecrets(randomBytes(32)),
      host: 'bench.example',
      folder,
      log: createLog('error'),
      failed: async (_: string, because: string) => console.error(because),
      sequenced: async () => undefined,
    };
    await work({ ledger, database, writers, owner, orgId });
  } finally {
    await owner.end();
    await Promise.all([database.close(), writers.close()]);
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sequences all pending entries. Returns the milliseconds of each batch. */
export async function sequencePendingEntries({
  ledger,
  orgId,
}: Pick<LedgerScene, 'ledger' | 'orgId'>): Promise<number[]> {
  const batches: number[] = [];
  for (;;) {
    const begun = performance.now();
    if ((await sequenceEntries(ledger, orgId)) === 0) return batches;
    batches.push(performance.now() - begun);
  }
}

/** Pending entries at once: with a queue of a million, each batch would be slower. */
const portion = 50_000;

/** Queues and sequences `count` entries in portions, and prints the progress. */
export async function fillLedger(scene: LedgerScene, count: number): Promise<void> {
  for (let done = 0; done < count; ) {
    const more = Math.min(portion, count - done);
    await queueEntries(scene.owner, scene.orgId, more);
    await sequencePendingEntries(scene);
    done += more;
    printProgress(`${done} of ${count} entries in the ledger`);
  }
}

/** Queues entries of about five hundred bytes, like audit entries. */
export async function queueEntries(owner: pg.Client, orgId: string, count: number): Promise<void> {
  await owner.query(
    `insert into ledger_pending (org_id, entry_id, kind, entry, leaf_hash)
     select $1, id, 'scan', text, sha256('\\x00'::bytea || convert_to(text, 'UTF8')) from (
       select id, '{"_sd":["' || repeat('A', 43) || '","' || repeat('B', 43) || '","' || repeat('C', 43) || '"],"_sd_alg":"sha-256",'
         || '"asOf":"2026-01-01T00:00:00.000Z","id":"' || id || '","kind":"scan","org":"' || $1::uuid || '","person":null,'
         || '"receivedAt":"2026-01-01T00:00:00.000Z","source":"bench","subject":{"n":' || n || '},"v":1}' as text
       from (select gen_random_uuid() as id, n from generate_series(1, $2::int) as n) ids) made`,
    [orgId, count],
  );
  await owner.query('analyze ledger_pending');
}
