import { subtreeRoot, tileWidth } from '@sightline/evidence/ledger/tiles.ts';
import { hashSize, rootOf } from '@sightline/evidence/ledger/tree.ts';
import { checkTree } from '../server/src/domains/ledger/ledger/check/tree.ts';
import { signHead } from '../server/src/domains/ledger/ledger/checkpoints.ts';
import { type LogHead, maybeHead } from '../server/src/domains/ledger/ledger/head.ts';
import { findConsistencyProof, findInclusionProofText } from '../server/src/domains/ledger/ledger/queries.ts';
import { compareWithHalf, measureDurationMs, quantile, roundToTenth } from './halves.ts';
import { type LedgerScene, sequencePendingEntries, withLedgerScene } from './ledger-scene.ts';
import { measureWriting } from './ledger-writing.ts';
import { printReport, type ReportRow } from './report.ts';

/** `LEAVES=1000000` measures a large ledger. */
const leaves = Number(process.env.LEAVES ?? 60_000);
const proofs = Number(process.env.BENCH_PROOFS ?? 500);

/**
 * Measures how fast entries are created, queued and sequenced, and the cost of proofs and full checks. Compares each
 * with half of the figure measured when the ledger was designed, if there is one.
 */
export async function benchLedger(): Promise<void> {
  await withLedgerScene(leaves, async (scene) => {
    const { database, orgId, owner } = scene;
    const processor = process.cpuUsage();
    let batches: number[] = [];
    const sequencing = await measureDurationMs(async () => {
      batches = await sequencePendingEntries(scene);
    });
    const used = process.cpuUsage(processor);
    await signHead(scene.ledger, orgId);
    const head = await database.withOrg(orgId, (tx) => maybeHead(tx, orgId));
    if (!head) throw new Error('There is no ledger');
    const rows: ReportRow[] = [
      compareWithHalf('sequencer, leaves', (head.size / sequencing) * 1000, { perSecond: 47_956 }),
      compareWithHalf('sequencer, batch p50', quantile(batches, 0.5), { ms: 19.3 }),
      compareWithHalf('sequencer, batch p99', quantile(batches, 0.99), { ms: 43 }),
      ...(await measureProofs(scene)),
      ...(await measureTree(scene, head)),
      ...(await measureWriting(scene)),
    ];
    printReport(`ledger of ${head.size} entries, beside half of the figures of its design`, rows);
    const { rows: stored } = await owner.query<{ entries: number; tiles: number }>(
      `select pg_total_relation_size('ledger_entry')::int / 1000000 as entries, pg_total_relation_size('ledger_tile')::int / 1000000 as tiles`,
    );
    printReport(`ledger of ${head.size} entries, what it costs`, [
      { name: 'sequencer', 'node cpu µs/leaf': Math.round((used.user + used.system) / head.size) },
      { name: 'storage', 'entries MB': stored[0]?.entries ?? 0, 'tiles MB': stored[0]?.tiles ?? 0 },
    ]);
  });
}

async function measureProofs({ database, owner, orgId }: LedgerScene): Promise<ReportRow[]> {
  const { rows: some } = await owner.query<{ id: string }>(
    'select entry_id as id from ledger_entry where org_id = $1 order by entry_id limit $2',
    [orgId, proofs],
  );
  const proving: number[] = [];
  for (const { id } of some) {
    proving.push(await measureDurationMs(() => database.withOrg(orgId, (tx) => findInclusionProofText(tx, orgId, id))));
  }
  const comparing: number[] = [];
  for (let at = 1; at <= proofs; at += 1) {
    const from = Math.floor((leaves / proofs) * at * 0.9);
    comparing.push(
      await measureDurationMs(() => database.withOrg(orgId, (tx) => findConsistencyProof(tx, orgId, { from }))),
    );
  }
  return [
    compareWithHalf('inclusion proof p50', quantile(proving, 0.5), { ms: 3.9 }),
    compareWithHalf('inclusion proof p99', quantile(proving, 0.99), { ms: 10.5 }),
    compareWithHalf('consistency proof p50', quantile(comparing, 0.5), { ms: 3.5 }),
  ];
}

/** Measures the tree from its entries, as the self-check builds it, and its root from the lowest tiles. */
export async function measureTree({ database, orgId }: LedgerScene, head: LogHead): Promise<ReportRow[]> {
  const problems: unknown[] = [];
  const checking = await measureDurationMs(() =>
    checkTree(database, orgId, { log: head, signedFrom: 0, report: (problem) => problems.push(problem) }),
  );
  if (problems.length > 0)
    throw new Error(`The ledger of the benchmark does not agree: ${JSON.stringify(problems[0])}`);
  const roots: Uint8Array[] = [];
  const summing = await measureDurationMs(async () => {
    for (let from = 0; ; from += tilesAtOnce) {
      const tiles = await database.withOrg(orgId, (tx) =>
        tx.query<{ hashes: Buffer }>({
          name: 'bench.tiles',
          text: 'select hashes from ledger_tile where org_id = $1 and level = 0 and n >= $2 and n < $3 order by n',
          values: [orgId, from, from + tilesAtOnce],
        }),
      );
      if (tiles.length === 0) return;
      for (const { hashes } of tiles)
        roots.push(hashes.length === tileBytes ? subtreeRoot(hashes) : rootOf(hashesOf(hashes)));
    }
  });
  if (!head.root.equals(rootOf(roots))) throw new Error('The tiles of the benchmark have another root');
  return [
    compareWithHalf('verified from entries, leaves', (head.size / checking) * 1000, { perSecond: 132_000 }),
    // A million leaves in 1.36 s.
    compareWithHalf('root from tiles, leaves', (head.size / summing) * 1000, { perSecond: 735_000 }),
    { name: 'verified from entries, whole', measured: roundToTenth(checking / 1000), unit: 's' },
  ];
}

const tilesAtOnce = 128;
const tileBytes = tileWidth * hashSize;

function* hashesOf(tile: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < tile.length; at += hashSize) yield tile.subarray(at, at + hashSize);
}
