import { reportOf } from '@sightline/evidence/bundle/report.ts';
import type { Contents } from '@sightline/evidence/bundle/scope.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { drawReport } from './draw.ts';

/**
 * The report of a bundle as it was drawn first, or drawn now; undefined where nothing could draw it then. What was drawn stays: a bundle
 * that is built again holds the same bytes, whatever compiler there is by then.
 */
export async function reportFor(
  { database, log }: Pick<Services, 'database' | 'log'>,
  orgId: string,
  snapshotId: string,
  contents: Contents,
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
  // Where two drew at once, both take what the first of them kept.
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
