import { createHash } from 'node:crypto';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { catalogVersion } from '@sightline/evidence/controls/catalog.ts';
import type { VerdictRow } from '@sightline/evidence/controls/run.ts';
import { verdictLine } from '@sightline/evidence/controls/verdict-line.ts';
import { factId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import type { EvaluatedControl } from './evaluate-population.ts';
import type { PopulationQuery } from './populations/population.ts';

interface StoredRun {
  id: string;
  control: ControlId;
  /** Whether a checkpoint was named. */
  again: boolean;
  seed: string;
}

/** Items per statement. */
const BATCH_SIZE = 5000;

/**
 * Saves a run with its ledger entry, for the job `controls.evaluate`. Items that equal those of an earlier run of the period are not stored twice.
 * Returns false if a retried job has saved it already.
 */
export async function saveRun(
  tx: Tx,
  query: PopulationQuery,
  { id, control, again, seed }: StoredRun,
  evaluated: EvaluatedControl,
): Promise<boolean> {
  const { orgId, period, asOf } = query;
  const { counts, status, completeness, exclusions, rows } = evaluated.run;
  const { weakenings } = evaluated;
  const sha = shaOf(rows);
  await lockRows(tx, orgId);
  const rowsOf = (await findEqualRun(tx, query, control, sha)) ?? id;
  const now = new Date().toISOString();
  const entry = createLedgerEntry(
    {
      id: factId('control run', id),
      org: orgId,
      kind: 'control.evaluated',
      asOf: asOf.at,
      receivedAt: now,
      person: null,
      source: 'sightline',
      subject: {
        run: id,
        control,
        catalog: catalogVersion,
        ...period,
        epoch: asOf.epoch,
        size: asOf.size,
        status,
        ...counts,
        exclusions: exclusions.map((one) => ({ ...one })),
        weakenings: weakenings.map((one) => ({ ...one })),
        rows: sha.toString('hex'),
      },
      personal: {},
    },
    undefined,
  );
  const inserted = await tx.query({
    name: 'controls.keep-run',
    text: `insert into control_run (org_id, id, control_id, catalog_version, period_from, period_to, as_of_epoch, as_of_size,
             population, pass, fail, waived, missing_evidence, status, completeness, exclusions, weakenings, seed, reasons, rows_sha256, rows_of, is_reevaluation, entry_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
           on conflict do nothing returning id`,
    values: [
      ...[orgId, id, control, catalogVersion, period.from, period.to, asOf.epoch, asOf.size],
      ...[counts.population, counts.pass, counts.fail, counts.waived, counts.missing_evidence, status],
      ...[
        JSON.stringify(completeness),
        JSON.stringify(exclusions),
        JSON.stringify(weakenings),
        seed,
        JSON.stringify(reasonsOf(rows)),
        sha,
        rowsOf,
        again,
        entry.id,
      ],
    ],
  });
  if (inserted.length === 0) return false;
  await appendEntries(tx, orgId, [entry]);
  if (rowsOf === id) await saveRows(tx, orgId, id, evaluated);
  return true;
}

/** Locks the items of an organization, so that none are deleted while a run starts to refer to them. */
export const lockRows = (tx: Tx, orgId: string): Promise<unknown> =>
  tx.query({
    name: 'controls.lock-rows',
    text: `select pg_advisory_xact_lock(hashtextextended('control rows ' || $1::uuid::text, 0))`,
    values: [orgId],
  });

/** Returns the hash of the verdicts: `rows_sha256` of the run and `rows` of its ledger entry. */
function shaOf(rows: readonly VerdictRow[]): Buffer {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(`${verdictLine(row)}\n`);
  return hash.digest();
}

/** Finds the run that stores equal items. */
async function findEqualRun(
  tx: Tx,
  { orgId, period }: PopulationQuery,
  control: ControlId,
  sha: Buffer,
): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>({
    name: 'controls.same-rows',
    text: `select rows_of as id from control_run
           where org_id = $1 and control_id = $2 and period_from = $3 and period_to = $4 and rows_sha256 = $5 and rows_of is not null
           order by as_of_epoch desc, as_of_size desc, run_at desc, id limit 1`,
    values: [orgId, control, period.from, period.to, sha],
  });
  return row?.id;
}

/** Counts the items per reason code. */
function reasonsOf(rows: readonly VerdictRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reasons } of rows) {
    const codes = new Set(reasons.map((reason) => reason.split(':', 1)[0] ?? reason));
    for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

async function saveRows(tx: Tx, orgId: string, runId: string, { run, repositories }: EvaluatedControl): Promise<void> {
  for (let at = 0; at < run.rows.length; at += BATCH_SIZE) {
    const rows = run.rows.slice(at, at + BATCH_SIZE).map((row, index) => ({
      ...row,
      ord: at + index,
      repository: repositories.get(row.subject) ?? null,
    }));
    await tx.query({
      name: 'controls.keep-rows',
      text: `insert into control_row (org_id, run_id, ord, subject, repository_id, verdict, reasons, leaf, leaves, setting)
             select $1, $2, r.ord, r.subject, r.repository, r.verdict, r.reasons, r.leaf, r.leaves, r.setting
             from json_to_recordset($3::json) as r(ord int, subject text, repository uuid, verdict text, reasons text[],
               leaf bigint, leaves bigint[], setting int)`,
      values: [orgId, runId, JSON.stringify(rows)],
    });
  }
}
