import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createLog } from '../server/src/core/log.ts';
import { createSecrets } from '../server/src/core/secrets.ts';
import { openDatabase } from '../server/src/database/database.ts';
import { checkTree } from '../server/src/features/ledger/check/tree.ts';
import { sealNow } from '../server/src/features/ledger/checkpoints.ts';
import { maybeHead } from '../server/src/features/ledger/head.ts';
import { findConsistency, findProof } from '../server/src/features/ledger/queries.ts';
import { sequence } from '../server/src/features/ledger/sequence.ts';
import { startCluster } from '../server/src/testing/cluster.ts';
import { report } from './report.ts';

/** `LEAVES=1000000` for the figures of a large ledger. */
const leaves = Number(process.env.LEAVES ?? 60_000);
const proofs = 500;

/** How fast waiting entries get their places, what a proof takes, and what looking at all of it takes. */
export async function benchLedger(): Promise<void> {
  const cluster = await startCluster();
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-ledger-'));
  const database = openDatabase({ url: cluster.template, max: 2, role: 'sightline_ledger', onError: () => undefined });
  const owner = new pg.Client({ connectionString: asOwner(cluster) });
  try {
    await owner.connect();
    const orgId = randomUUID();
    await queue(owner, orgId);
    const ledger = {
      database,
      secrets: createSecrets(randomBytes(32)),
      host: 'bench.example',
      folder,
      log: createLog('error'),
      failed: async (_: string, because: string) => console.error(because),
    };
    const steps: number[] = [];
    const processor = process.cpuUsage();
    const sequencing = await timed(async () => {
      for (;;) {
        const begun = performance.now();
        if ((await sequence(ledger, orgId)) === 0) break;
        steps.push(performance.now() - begun);
      }
    });
    const used = process.cpuUsage(processor);
    const sealing = await timed(async () => void (await sealNow(ledger, orgId)));
    const { rows: some } = await owner.query<{ id: string }>(
      'select entry_id as id from ledger_entry where org_id = $1 order by entry_id limit $2',
      [orgId, proofs],
    );
    const proving: number[] = [];
    for (const { id } of some) {
      proving.push(await timed(async () => void (await database.withOrg(orgId, (tx) => findProof(tx, orgId, id)))));
    }
    const comparing: number[] = [];
    for (let at = 1; at <= proofs; at += 1) {
      const from = Math.floor((leaves / proofs) * at * 0.9);
      comparing.push(
        await timed(async () => void (await database.withOrg(orgId, (tx) => findConsistency(tx, orgId, { from })))),
      );
    }
    const head = await database.withOrg(orgId, (tx) => maybeHead(tx, orgId));
    if (!head) throw new Error('There is no ledger');
    const problems: unknown[] = [];
    const looking = process.cpuUsage();
    const checking = await timed(() => checkTree(database, orgId, head, 0, (problem) => problems.push(problem)));
    const { rows } = await owner.query<{ entries: number; tiles: number }>(
      `select pg_total_relation_size('ledger_entry')::int / 1000000 as entries, pg_total_relation_size('ledger_tile')::int / 1000000 as tiles`,
    );
    report('ledger', [
      {
        name: `sequencer, ${head.size} leaves`,
        'leaves/s': Math.round((head.size / sequencing) * 1000),
        'batch p50 ms': quantile(steps, 0.5),
        'batch p99 ms': quantile(steps, 0.99),
        'node cpu µs/leaf': perLeaf(used, head.size),
      },
      { name: 'signing', ms: Math.round(sealing) },
      { name: 'inclusion proof', 'p50 ms': quantile(proving, 0.5), 'p99 ms': quantile(proving, 0.99) },
      { name: 'consistency proof', 'p50 ms': quantile(comparing, 0.5), 'p99 ms': quantile(comparing, 0.99) },
      {
        name: 'tree from entries',
        'leaves/s': Math.round((head.size / checking) * 1000),
        seconds: Math.round(checking / 100) / 10,
        'node cpu µs/leaf': perLeaf(process.cpuUsage(looking), head.size),
        problems: problems.length,
      },
      { name: 'storage', 'entries MB': rows[0]?.entries ?? 0, 'tiles MB': rows[0]?.tiles ?? 0 },
    ]);
  } finally {
    await owner.end();
    await database.close();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The cluster's superuser in the database that is migrated. */
function asOwner({ url, template }: { url: string; template: string }): string {
  const superuser = new URL(url);
  superuser.pathname = new URL(template).pathname;
  return superuser.href;
}

/** Entries of about five hundred bytes, as audit entries are. */
async function queue(owner: pg.Client, orgId: string): Promise<void> {
  await owner.query("insert into organization (id, name, slug, display_name) values ($1, 'Bench', 'bench', 'Bench')", [
    orgId,
  ]);
  await owner.query(
    `insert into ledger_pending (org_id, entry_id, kind, entry, leaf_hash)
     select $1, id, 'scan', text, sha256('\\x00'::bytea || convert_to(text, 'UTF8')) from (
       select id, '{"_sd":["' || repeat('A', 43) || '","' || repeat('B', 43) || '","' || repeat('C', 43) || '"],"_sd_alg":"sha-256",'
         || '"asOf":"2026-01-01T00:00:00.000Z","id":"' || id || '","kind":"scan","org":"' || $1::uuid || '","person":null,'
         || '"receivedAt":"2026-01-01T00:00:00.000Z","source":"bench","subject":{"n":' || n || '},"v":1}' as text
       from (select gen_random_uuid() as id, n from generate_series(1, $2::int) as n) ids) made`,
    [orgId, leaves],
  );
  await owner.query('analyze ledger_pending');
}

const perLeaf = ({ user, system }: NodeJS.CpuUsage, count: number): number => Math.round((user + system) / count);

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function quantile(values: readonly number[], part: number): number {
  const ordered = values.toSorted((one, other) => one - other);
  return Math.round((ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * part))] ?? 0) * 10) / 10;
}
