import { evaluateRows, runFactsOf } from '@sightline/evidence/bundle/evaluated-rows.ts';
import { type RunFacts, runKind, runSubject } from '@sightline/evidence/bundle/run-entry.ts';
import type { BundleRun } from '@sightline/evidence/bundle/scope.ts';
import type { ControlId } from '@sightline/evidence/controls/catalog.ts';
import type { ControlRun } from '@sightline/evidence/controls/run.ts';
import { factId } from '#core/ids.ts';
import { createLedgerEntry, type LedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import { findPopulation } from '../controls/queries.ts';
import type { SnapshotRow } from './queries.ts';

/** The checkpoint of the evaluated facts. */
export interface EvaluatedAt {
  epoch: number;
  size: number;
  root: Buffer;
  signedAt: Date;
}

export interface Evaluation {
  run: Omit<BundleRun, 'leaf'>;
  facts: RunFacts;
  result: ControlRun;
}

/** Evaluates a control for a snapshot. The result is always the same, because it depends on a checkpoint. */
export async function evaluateForSnapshot(
  tx: Tx,
  orgId: string,
  {
    snapshotRow: { from, to, repositories },
    at,
    control,
  }: { snapshotRow: Pick<SnapshotRow, 'from' | 'to' | 'repositories'>; at: EvaluatedAt; control: ControlId },
): Promise<Evaluation> {
  const period = { from: from.toISOString(), to: to.toISOString() };
  const asOf = { epoch: at.epoch, size: at.size, at: at.signedAt.toISOString() };
  const { rows, settings, completeness, weakenings } = await findPopulation(tx, { orgId, period, asOf }, control);
  const only = repositories && new Set(repositories);
  const within = only ? rows.filter(({ repository }) => repository === null || only.has(repository)) : rows;
  const { run, rows: evaluated, excluded } = evaluateRows(control, within, settings, completeness);
  const packed = { control, settings, completeness: run.completeness, rows: evaluated, excluded, weakenings };
  const tree = { epoch: at.epoch, size: at.size, root: at.root.toString('base64') };
  return { run: packed, facts: runFactsOf({ period, repositories }, tree, packed, run), result: run };
}

/** Returns the ledger entry of the evaluation; a retried job creates the same entry. */
export const runEntry = (orgId: string, snapshotId: string, at: EvaluatedAt, { facts }: Evaluation): LedgerEntry =>
  createLedgerEntry(
    {
      id: runEntryId(snapshotId, facts.control),
      org: orgId,
      kind: runKind,
      asOf: at.signedAt.toISOString(),
      receivedAt: at.signedAt.toISOString(),
      person: null,
      source: 'sightline',
      subject: runSubject(facts),
      personal: {},
    },
    undefined,
  );

export const runEntryId = (snapshotId: string, control: string): string => factId('snapshot', snapshotId, control);

/** The entries that the rows of an evaluation depend on, with repetitions. */
export const leavesOfRows = ({ rows, excluded }: Pick<BundleRun, 'rows' | 'excluded'>): number[] =>
  [...rows, ...excluded].flatMap(({ row: { leaf, leaves } }) => (leaf === null ? leaves : [leaf, ...leaves]));
