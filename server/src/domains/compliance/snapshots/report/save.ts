import { createHash } from 'node:crypto';
import { Conflict } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import type { SealedState } from '../queries.ts';

/** The hash of a report in hex; null without a report. */
export const hashOfReport = (pdf: Uint8Array | null | undefined): string | null =>
  pdf ? createHash('sha256').update(pdf).digest('hex') : null;

/** Stores the report of a snapshot: a rebuilt bundle contains the same bytes, whatever compiler is installed then. */
export async function storeReport(
  tx: Tx,
  orgId: string,
  snapshotId: string,
  pdf: Uint8Array | undefined,
): Promise<void> {
  await tx.query({
    name: 'snapshots.keep-report',
    text: 'insert into snapshot_report (org_id, snapshot_id, pdf) values ($1, $2, $3)',
    values: [orgId, snapshotId, pdf ? Buffer.from(pdf) : null],
  });
}

/** Returns the stored report; undefined if none could be drawn. Throws 409 unless the ledger contains its hash. */
export async function findReport(
  tx: Tx,
  orgId: string,
  { snapshotId, sealed }: { snapshotId: string; sealed: Pick<SealedState, 'reportSha256'> },
): Promise<Uint8Array | undefined> {
  const [row] = await tx.query<{ pdf: Buffer | null }>({
    name: 'snapshots.report',
    text: 'select pdf from snapshot_report where org_id = $1 and snapshot_id = $2',
    values: [orgId, snapshotId],
  });
  if (hashOfReport(row?.pdf) !== sealed.reportSha256) {
    throw Conflict('The report of this snapshot changed. Restore it from a backup, or create a new snapshot.');
  }
  return row?.pdf ?? undefined;
}
