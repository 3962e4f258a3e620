import type { AuditSample } from '@sightline/contract/compliance/portal-samples.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';

export interface SampleRow extends Record<string, unknown> {
  id: string;
  name: string;
  snapshotId: string;
  snapshotName: string;
  control: AuditSample['control'];
  method: AuditSample['method'];
  seed: string | null;
  reason: string;
  population: number;
  positions: number[];
  createdAt: Date;
}

const sampleSql = `select a.id, a.name, a.snapshot_id as "snapshotId", s.name as "snapshotName", a.control_id as control, a.method,
    a.seed, a.reason, a.population, a.positions, a.created_at as "createdAt"
  from audit_sample a join snapshot s on s.org_id = a.org_id and s.id = a.snapshot_id
  where a.org_id = $1 and a.portal_id = $2`;

/** The samples of a portal, newest first. */
export const sampleRows = (tx: Tx, orgId: string, portalId: string): Promise<SampleRow[]> =>
  tx.query<SampleRow>({
    name: 'portals.samples',
    text: `${sampleSql} order by a.created_at desc, a.id`,
    values: [orgId, portalId],
  });

/** Returns a sample of a portal. Throws 404. */
export async function findSample(tx: Tx, orgId: string, portalId: string, id: string): Promise<SampleRow> {
  const [row] = await tx.query<SampleRow>({
    name: 'portals.sample',
    text: `${sampleSql} and a.id = $3`,
    values: [orgId, portalId, id],
  });
  if (!row) throw NotFound();
  return row;
}

/** Throws 404 for a row that is not in the sample. -1 is the sample as a whole. */
export function requirePosition({ positions }: Pick<SampleRow, 'positions'>, position: number): void {
  if (position !== -1 && !positions.includes(position)) throw NotFound();
}
