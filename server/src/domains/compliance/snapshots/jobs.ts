import type { SnapshotControl } from '@sightline/contract/compliance/snapshots.ts';
import { textsOf } from '@sightline/evidence/bundle/lines.ts';
import { reportOfControl } from '@sightline/evidence/bundle/report-control.ts';
import { utf8 } from '@sightline/evidence/ledger/bytes.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import { timestampedText } from '@sightline/evidence/ledger/checkpoint.ts';
import { isTimestampOf } from '@sightline/evidence/ledger/timestamp.ts';
import { Refusal } from '#core/errors.ts';
import { releaseUnusedMemory } from '#core/heap.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { appendEntries } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { publishEverywhere, sequenceAndSign } from '../../ledger/ledger/commands.ts';
import { findCheckpointAt, findSignedNote, maybeTimeStampToken } from '../../ledger/ledger/queries.ts';
import { queueEvaluations } from '../controls/commands.ts';
import { notifyOfSnapshot, writeBundle } from './bundle.ts';
import { rowNotesFor } from './contents.ts';
import { evaluateForSnapshot, leavesOfRows, runEntry } from './evaluate.ts';
import { addUuids } from './names.ts';
import { type CapturedState, findSnapshotRow, publicationsOf, type SnapshotRow } from './queries.ts';
import { recordScopeOf } from './records.ts';
import { sealSnapshot } from './seal.ts';

export const snapshotJobs = (services: Services): JobDefinition[] => [
  {
    name: 'snapshots.make',
    handle: ({ orgId, snapshotId }) => createSnapshot(services, orgId, snapshotId),
    expireMinutes: 120,
  },
];

/** Captures, evaluates and builds a snapshot. A retry continues: captured data remain. */
async function createSnapshot(services: Services, orgId: string, id: string): Promise<void> {
  const find = () => services.database.withOrg(orgId, (tx) => findSnapshotRow(tx, orgId, id));
  try {
    let row = await find();
    if (row.state === 'ready' || row.state === 'failed') return;
    if (row.evaluatedSize === null) await captureCheckpoint(services, orgId, row);
    releaseUnusedMemory();
    row = await find();
    if (row.size === null) await evaluateAll(services, orgId, row);
    releaseUnusedMemory();
    await writeBundle(services, orgId, await find());
    releaseUnusedMemory();
  } catch (error) {
    services.log.error({ orgId, snapshotId: id, err: error }, 'a snapshot failed');
    const problem = error instanceof Refusal ? error.message : 'The snapshot failed. See the log of the server.';
    await services.database.withOrg(orgId, async (tx) => {
      await updateSnapshotIn(services, tx, orgId, { id, values: { state: 'failed', problem: problem.slice(0, 500) } });
      await notifyOfSnapshot(services, tx, orgId, await findSnapshotRow(tx, orgId, id));
    });
  }
}

/**
 * Signs a checkpoint, which excludes later entries. Also queues the evaluation of the same controls for the evidence
 * pages.
 */
async function captureCheckpoint(services: Services, orgId: string, { id, ...row }: SnapshotRow): Promise<void> {
  await updateSnapshot(services, orgId, id, { state: 'capturing' });
  const checkpoint = await sequenceAndSign(services.ledger, orgId);
  if (!checkpoint) throw new Refusal('conflict', 'The ledger has no entries.');
  const { epoch, size, signedAt } = checkpoint;
  await services.database.withOrg(orgId, async (tx) => {
    const values = { state: 'evaluating', epoch, evaluated_size: String(size), taken_at: signedAt } as const;
    await updateSnapshotIn(services, tx, orgId, { id, values });
    if (row.repositories !== null) return;
    const period = { from: row.from.toISOString(), to: row.to.toISOString() };
    const requests = row.controls.map((control) => ({ control, period, checkpoint: { epoch, size } }));
    await queueEvaluations(services, tx, orgId, { requests, actor: undefined });
  });
}

async function evaluateAll(services: Services, orgId: string, row: SnapshotRow): Promise<void> {
  const { epoch, evaluatedSize } = row;
  if (epoch === null || evaluatedSize === null) throw new Error('The snapshot has no checkpoint');
  const { withOrg } = services.database;
  const at = await withOrg(orgId, (tx) => findCheckpointAt(tx, orgId, { epoch, size: evaluatedSize }));
  const results: SnapshotControl[] = [];
  const reports: CanonicalValue[] = [];
  const leaves = new Set<number>();
  const persons = new Set<string>();
  const notes = await withOrg(orgId, (tx) => rowNotesFor(tx, orgId, row, { at, isNamed: true }));
  const about = { scope: recordScopeOf(row), evaluated: { root: at.root.toString('base64') }, ...notes };
  for (const control of row.controls) {
    const evaluated = await withOrg(orgId, async (tx) => {
      const evaluation = await evaluateForSnapshot(tx, orgId, { snapshotRow: row, at, control });
      await appendOnce(tx, orgId, runEntry(orgId, row.id, at, evaluation));
      return evaluation;
    });
    const { run, result } = evaluated;
    const { status, counts } = result;
    reports.push(reportOfControl({ ...run, id: control, run: result }, about));
    for (const leaf of leavesOfRows(run)) leaves.add(leaf);
    addUuids(
      textsOf(run.rows, (one) => JSON.stringify(one)),
      persons,
    );
    results.push({ id: control, status, counts });
    await updateSnapshot(services, orgId, row.id, { state: 'evaluating', done: results.length });
  }
  releaseUnusedMemory();
  if (row.sealed === null) await sealSnapshot(services, orgId, row, { at, reports, leaves, persons });
  const checkpoint = await sequenceAndSign(services.ledger, orgId);
  if (checkpoint?.epoch !== epoch) {
    throw new Refusal('conflict', 'The ledger was restarted during the snapshot. Create another snapshot.');
  }
  // The bundle then contains the receipts of its checkpoint.
  await publishEverywhere(services, orgId, checkpoint);
  const captured = await withOrg(orgId, (tx) => captureState(tx, orgId, row, checkpoint));
  await updateSnapshot(services, orgId, row.id, {
    state: 'building',
    size: String(checkpoint.size),
    results: JSON.stringify(results),
    captured: JSON.stringify(captured),
  });
}

/** Appends an entry unless it is pending or in the ledger from an earlier attempt. */
async function appendOnce(tx: Tx, orgId: string, entry: ReturnType<typeof runEntry>): Promise<void> {
  const [known] = await tx.query({
    name: 'snapshots.known-entry',
    text: `select from ledger_pending where org_id = $1 and entry_id = $2
           union all select from ledger_entry where org_id = $1 and entry_id = $2 limit 1`,
    values: [orgId, entry.id],
  });
  if (!known) await appendEntries(tx, orgId, [entry]);
}

/** Number of earlier snapshots with a consistency proof. */
const MAX_EARLIER_SNAPSHOTS = 50;

async function captureState(
  tx: Tx,
  orgId: string,
  { evaluatedSize }: SnapshotRow,
  { epoch, size }: { epoch: number; size: number },
): Promise<CapturedState> {
  const { note } = await findSignedNote(tx, orgId, { epoch, size });
  const earlier = await tx.query<{ size: number }>({
    name: 'snapshots.earlier',
    text: `select distinct size::int from snapshot where org_id = $1 and epoch = $2 and state = 'ready' and size < $3
           order by size desc limit ${MAX_EARLIER_SNAPSHOTS}`,
    values: [orgId, epoch, size],
  });
  const token = await maybeTimeStampToken(tx, orgId, { epoch, size });
  // Verifiers read DER. A token in another encoding remains with the anchor.
  const stamp = token && isTimestampOf(new Uint8Array(token), utf8(timestampedText(note))) ? token : undefined;
  const sizes = new Set([evaluatedSize ?? 0, ...earlier.map((one) => one.size)]);
  return {
    checkpoint: note,
    anchors: await publicationsOf(tx, orgId, { epoch, size }),
    earlier: [...sizes].sort((one, other) => one - other),
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

const updateSnapshot = (services: Services, orgId: string, id: string, values: SnapshotChange): Promise<void> =>
  services.database.withOrg(orgId, (tx) => updateSnapshotIn(services, tx, orgId, { id, values }));

async function updateSnapshotIn(
  { realtime }: Services,
  tx: Tx,
  orgId: string,
  { id, values }: { id: string; values: SnapshotChange },
): Promise<void> {
  await tx.db.updateTable('snapshot').set(values).where('org_id', '=', orgId).where('id', '=', id).execute();
  tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgEvidence', { snapshotId: id }));
}
