import type { SnapshotControl } from '@sightline/contract/compliance/snapshots.ts';
import { Refusal } from '#core/errors.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { appendEntries } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { publishEverywhere, signEverything } from '../../ledger/ledger/commands.ts';
import { findCheckpointAt, findNote, maybeStamp } from '../../ledger/ledger/queries.ts';
import { ask } from '../controls/commands.ts';
import { tellOfSnapshot, writeBundle } from './bundle.ts';
import { evaluateFor, runEntry } from './evaluate.ts';
import { type Frozen, findRow, type SnapshotRow, savedManifest } from './queries.ts';
import { aboutOf, recordsEntry, recordsFor } from './records.ts';

export const snapshotJobs = (services: Services): JobDefinition[] => [
  {
    name: 'snapshots.make',
    handle: ({ orgId, snapshotId }) => make(services, orgId, snapshotId),
    expireMinutes: 120,
  },
];

/** Freezes, evaluates and builds. Tried again it goes on where it was: what is captured stays frozen. */
async function make(services: Services, orgId: string, id: string): Promise<void> {
  const find = () => services.database.withOrg(orgId, (tx) => findRow(tx, orgId, id));
  try {
    let row = await find();
    if (row.state === 'ready' || row.state === 'failed') return;
    if (row.evaluatedSize === null) await freeze(services, orgId, row);
    row = await find();
    if (row.size === null) await evaluateAll(services, orgId, row);
    await writeBundle(services, orgId, await find());
  } catch (error) {
    services.log.error({ orgId, snapshotId: id, err: error }, 'a snapshot failed');
    const problem = error instanceof Refusal ? error.message : 'The snapshot failed. See the log of the server.';
    await services.database.withOrg(orgId, async (tx) => {
      await changeIn(services, tx, orgId, { id, values: { state: 'failed', problem: problem.slice(0, 500) } });
      await tellOfSnapshot(services, tx, orgId, await findRow(tx, orgId, id));
    });
  }
}

/** Signs what there is: whatever comes later is not looked at. Evidence of the period shows what comes of it, too. */
async function freeze(services: Services, orgId: string, { id, ...row }: SnapshotRow): Promise<void> {
  await change(services, orgId, id, { state: 'capturing' });
  const checkpoint = await signEverything(services.ledger, orgId);
  if (!checkpoint) throw new Refusal('conflict', 'The ledger has no entries.');
  const { epoch, size, signedAt } = checkpoint;
  await services.database.withOrg(orgId, async (tx) => {
    const frozen = { state: 'evaluating', epoch, evaluated_size: String(size), taken_at: signedAt } as const;
    await changeIn(services, tx, orgId, { id, values: frozen });
    if (row.repositories !== null) return;
    const period = { from: row.from.toISOString(), to: row.to.toISOString() };
    const wanted = row.controls.map((control) => ({ control, period, asked: { epoch, size } }));
    await ask(services, tx, orgId, { wanted, actor: undefined });
  });
}

async function evaluateAll(services: Services, orgId: string, row: SnapshotRow): Promise<void> {
  const { epoch, evaluatedSize } = row;
  if (epoch === null || evaluatedSize === null) throw new Error('The snapshot has no checkpoint');
  const { withOrg } = services.database;
  const at = await withOrg(orgId, (tx) => findCheckpointAt(tx, orgId, { epoch, size: evaluatedSize }));
  const results: SnapshotControl[] = [];
  for (const control of row.controls) {
    const evaluated = await withOrg(orgId, async (tx) => {
      const evaluation = await evaluateFor(tx, orgId, { snapshotRow: row, at, control });
      await appendOnce(tx, orgId, runEntry(orgId, row.id, at, evaluation));
      return evaluation;
    });
    const { status, counts } = evaluated.result;
    results.push({ id: control, status, counts });
    await change(services, orgId, row.id, { state: 'evaluating', done: results.length });
  }
  await withOrg(orgId, async (tx) => {
    const records = await recordsFor(tx, orgId, at, aboutOf(row));
    await appendOnce(tx, orgId, recordsEntry(orgId, row, at, records));
  });
  const checkpoint = await signEverything(services.ledger, orgId);
  if (checkpoint?.epoch !== epoch) {
    throw new Refusal('conflict', 'The ledger was restarted during the snapshot. Create another snapshot.');
  }
  // Whoever is given the bundle finds in it who else has its checkpoint.
  await publishEverywhere(services, orgId, checkpoint);
  const frozen = await withOrg(orgId, (tx) => frozenOf(tx, orgId, row, checkpoint));
  await change(services, orgId, row.id, {
    state: 'building',
    size: String(checkpoint.size),
    results: JSON.stringify(results),
    captured: JSON.stringify(frozen),
  });
}

/** A job that is tried again finds its entries waiting, or in the ledger. */
async function appendOnce(tx: Tx, orgId: string, entry: ReturnType<typeof runEntry>): Promise<void> {
  const [known] = await tx.query({
    name: 'snapshots.known-entry',
    text: `select from ledger_pending where org_id = $1 and entry_id = $2
           union all select from ledger_entry where org_id = $1 and entry_id = $2 limit 1`,
    values: [orgId, entry.id],
  });
  if (!known) await appendEntries(tx, orgId, [entry]);
}

/** How many of the last snapshots a later one is shown to continue. */
const mostEarlier = 50;

async function frozenOf(
  tx: Tx,
  orgId: string,
  { evaluatedSize, supersedes }: SnapshotRow,
  { epoch, size }: { epoch: number; size: number },
): Promise<Frozen> {
  const { note } = await findNote(tx, orgId, { epoch, size });
  const anchors = await tx.query<{ kind: string; party: string; size: number; at: Date }>({
    name: 'snapshots.anchors',
    // Addresses of people are nobody else's.
    text: `select distinct on (kind, party) kind, case when kind = 'mail' then 'by mail' else party end as party, size::int, at from ledger_receipt
           where org_id = $1 and epoch = $2 and size <= $3 order by kind, party, size desc`,
    values: [orgId, epoch, size],
  });
  const earlier = await tx.query<{ size: number }>({
    name: 'snapshots.earlier',
    text: `select distinct size::int from snapshot where org_id = $1 and epoch = $2 and state = 'ready' and size < $3
           order by size desc limit ${mostEarlier}`,
    values: [orgId, epoch, size],
  });
  const { name } = await tx.db
    .selectFrom('organization')
    .select('name')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  const superseded = supersedes === null ? undefined : await findRow(tx, orgId, supersedes);
  const stamp = await maybeStamp(tx, orgId, { epoch, size });
  const sizes = new Set([evaluatedSize ?? 0, ...earlier.map((one) => one.size)]);
  return {
    checkpoint: note,
    anchors: anchors.map(({ at, ...anchor }) => ({ ...anchor, at: at.toISOString() })),
    earlier: [...sizes].sort((one, other) => one - other),
    organization: name,
    supersedes: superseded?.manifest ? savedManifest(superseded.manifest).bundleId : null,
    ...(stamp && { stamp: stamp.toString('base64') }),
  };
}

interface SnapshotChange {
  state: 'capturing' | 'evaluating' | 'building' | 'failed';
  done?: number;
  problem?: string;
  epoch?: number;
  evaluated_size?: string;
  size?: string;
  taken_at?: Date;
  results?: string;
  captured?: string;
}

const change = (services: Services, orgId: string, id: string, values: SnapshotChange): Promise<void> =>
  services.database.withOrg(orgId, (tx) => changeIn(services, tx, orgId, { id, values }));

async function changeIn(
  { realtime }: Services,
  tx: Tx,
  orgId: string,
  { id, values }: { id: string; values: SnapshotChange },
): Promise<void> {
  await tx.db.updateTable('snapshot').set(values).where('org_id', '=', orgId).where('id', '=', id).execute();
  tx.afterCommit(() => realtime.tell(orgId, 'orgEvidence', { snapshotId: id }));
}
