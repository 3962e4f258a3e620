import { reportOf } from '@sightline/evidence/bundle/report.ts';
import type { BundleContents } from '@sightline/evidence/bundle/scope.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { drawReport } from './draw.ts';

/**
 * Returns the stored report of a bundle, or renders and stores it; undefined if it could not be rendered the first
 * time. A rebuilt bundle contains the same bytes, whatever compiler is installed then.
 */
export async function findOrRenderReport(
  { database, log }: Pick<Services, 'database' | 'log'>,
  orgId: string,
  snapshotId: string,
  contents: BundleContents,
): Promise<Uint8Array | undefined> {
  const { redaction } = contents.scope;
  const find = () => database.withOrg(orgId, (tx) => findReport(tx, orgId, snapshotId, redaction));
  const known = await find();
  if (known) return known.pdf ?? undefined;
  const pdf = await drawReport(reportOf(contents));
  if (!pdf) log.warn({ orgId, snapshotId }, 'no report was created: no typesetter for this platform');
  await database.withOrg(orgId, (tx) =>
    tx.query({
      name: 'snapshots.keep-report',
      text: `insert into snapshot_report (org_id, snapshot_id, redaction, pdf) values ($1, $2, $3, $4) on conflict do nothing`,
      values: [orgId, snapshotId, redaction, pdf ? Buffer.from(pdf) : null],
    }),
  );
  // Concurrent processes use the report that was stored first.
  return (await find())?.pdf ?? undefined;
}

async function findReport(tx: Tx, orgId: string, snapshotId: string, redaction: string) {
  const [row] = await tx.query<{ pdf: Buffer | null }>({
    name: 'snapshots.report',
    text: 'select pdf from snapshot_report where org_id = $1 and snapshot_id = $2 and redaction = $3',
    values: [orgId, snapshotId, redaction],
  });
  return row;
}
