import { createHash } from 'node:crypto';
import type { ReportHashes } from '@sightline/evidence/bundle/records.ts';
import { type ReportContents, reportOf } from '@sightline/evidence/bundle/report.ts';
import { Conflict } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { SealedState } from '../queries.ts';
import { drawReport } from './draw.ts';

type Redaction = keyof ReportHashes;

/** The PDF of each redaction that bundles of a snapshot may have; null if it could not be drawn. */
type DrawnReports = ReadonlyMap<Redaction, Buffer | null>;

/**
 * Draws the reports of a snapshot: of its own redaction, and the redacted one for portals. They are stored, so that a
 * rebuilt bundle contains the same bytes, whatever compiler is installed then.
 */
export async function drawReports({ log }: Pick<Services, 'log'>, contents: ReportContents): Promise<DrawnReports> {
  const drawn = new Map<Redaction, Buffer | null>();
  for (const redaction of new Set([contents.scope.redaction, 'people'] as const)) {
    const pdf = await drawReport(reportOf({ ...contents, scope: { ...contents.scope, redaction } }));
    if (!pdf) log.warn({ orgId: contents.scope.org.id }, 'no report was created: no typesetter for this platform');
    drawn.set(redaction, pdf ? Buffer.from(pdf) : null);
  }
  return drawn;
}

export const hashesOfReports = (drawn: DrawnReports): ReportHashes => ({
  none: maybeHash(drawn.get('none')),
  people: maybeHash(drawn.get('people')),
});

const maybeHash = (pdf: Buffer | null | undefined): string | null =>
  pdf ? createHash('sha256').update(pdf).digest('hex') : null;

export async function storeReports(tx: Tx, orgId: string, snapshotId: string, drawn: DrawnReports): Promise<void> {
  for (const [redaction, pdf] of drawn) {
    await tx.query({
      name: 'snapshots.keep-report',
      text: 'insert into snapshot_report (org_id, snapshot_id, redaction, pdf) values ($1, $2, $3, $4)',
      values: [orgId, snapshotId, redaction, pdf],
    });
  }
}

/** Returns the stored report; undefined if none could be drawn. Throws 409 unless the ledger contains its hash. */
export async function findReport(
  tx: Tx,
  orgId: string,
  { snapshotId, redaction, sealed }: { snapshotId: string; redaction: Redaction; sealed: Pick<SealedState, 'reports'> },
): Promise<Uint8Array | undefined> {
  const [row] = await tx.query<{ pdf: Buffer | null }>({
    name: 'snapshots.report',
    text: 'select pdf from snapshot_report where org_id = $1 and snapshot_id = $2 and redaction = $3',
    values: [orgId, snapshotId, redaction],
  });
  if (maybeHash(row?.pdf) !== sealed.reports[redaction]) {
    throw Conflict('The report of this snapshot changed. Restore it from a backup, or create a new snapshot.');
  }
  return row?.pdf ?? undefined;
}
