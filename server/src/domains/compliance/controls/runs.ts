import type { ControlRun, ControlState } from '@sightline/contract/compliance/control-runs.ts';
import type { ControlStatus } from '@sightline/contract/compliance/controls.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Period } from '@sightline/contract/core/periods.ts';
import type { Weakening } from '@sightline/evidence/bundle/weakening.ts';
import type { Tx } from '#database/database.ts';

/** A stored run. */
export interface RunRow extends Record<string, unknown> {
  id: string;
  control: ControlId;
  catalogVersion: string;
  from: Date;
  to: Date;
  epoch: number;
  size: number;
  population: number;
  pass: number;
  fail: number;
  waived: number;
  missing_evidence: number;
  status: ControlStatus;
  completeness: ControlRun['completeness'];
  exclusions: ControlRun['exclusions'];
  weakenings: readonly Weakening[];
  seed: string;
  reasons: Record<string, number>;
  sha: Buffer;
  rowsOf: string | null;
  entryId: string;
  runAt: Date;
}

export const runColumnsSql = `id, control_id as control, catalog_version as "catalogVersion", period_from as "from", period_to as "to",
  as_of_epoch as epoch, as_of_size as size, population, pass, fail, waived, missing_evidence, status, completeness, exclusions, weakenings, seed, reasons,
  rows_sha256 as sha, rows_of as "rowsOf", entry_id as "entryId", run_at as "runAt"`;

export const runFrom = (row: RunRow): ControlRun => ({
  id: row.id,
  control: row.control,
  catalogVersion: row.catalogVersion,
  period: { from: row.from.toISOString(), to: row.to.toISOString() },
  asOfEpoch: row.epoch,
  asOfSize: row.size,
  runAt: row.runAt.toISOString(),
  status: row.status,
  counts: countsOf(row),
  completeness: row.completeness,
  exclusions: row.exclusions,
  seed: row.seed,
  rowsSha256: row.sha.toString('hex'),
  hasRows: row.rowsOf !== null,
  reasons: row.reasons,
  entryId: row.entryId,
});

type RunCounts = Pick<RunRow, 'population' | 'pass' | 'fail' | 'waived' | 'missing_evidence'>;

const countsOf = ({ population, pass, fail, waived, missing_evidence: missingEvidence }: RunCounts) => ({
  population,
  pass,
  fail,
  waived,
  missing_evidence: missingEvidence,
});

type Trend = ControlState['trend'];

/** The last result of each day on which a control was evaluated for a period, oldest first. */
export async function trendOf(
  tx: Tx,
  orgId: string,
  period: Period,
  ids: readonly ControlId[],
): Promise<ReadonlyMap<ControlId, Trend>> {
  const rows = await tx.query<RunCounts & { control: ControlId; day: string; status: ControlStatus }>({
    name: 'controls.trend',
    text: `select distinct on (control_id, run_at::date) control_id as control, to_char(run_at::date, 'YYYY-MM-DD') as day, status,
             population, pass, fail, waived, missing_evidence
           from control_run
           where org_id = $1 and control_id = any($2::text[]) and period_from = $3 and period_to = $4 and not is_reevaluation
           order by control_id, run_at::date, as_of_epoch desc, as_of_size desc, run_at desc`,
    values: [orgId, ids, period.from, period.to],
  });
  const trends = new Map<ControlId, Trend>();
  for (const { control, day, status, ...counts } of rows) {
    trends.set(control, [...(trends.get(control) ?? []), { day, status, counts: countsOf(counts) }]);
  }
  return trends;
}
