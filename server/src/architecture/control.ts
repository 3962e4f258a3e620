import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';

const period = { period_from: '2026-01-01T00:00:00.000Z', period_to: '2026-04-01T00:00:00.000Z' };

/** Inserts an evaluation of LOG-01 for the first quarter of 2026, with its task. Returns the ID of the task. */
export async function insertControlRun({ db }: Tx, orgId: string): Promise<string> {
  const id = newId();
  const which = { org_id: orgId, control_id: 'LOG-01', ...period, as_of_epoch: 1, as_of_size: 1 };
  await db
    .insertInto('control_run')
    .values({
      ...which,
      id,
      catalog_version: '1.0.0',
      population: 1,
      pass: 0,
      fail: 0,
      waived: 0,
      missing_evidence: 1,
      status: 'missing_evidence',
      completeness: '[]',
      exclusions: '[]',
      weakenings: '[]',
      seed: 'seed',
      reasons: '{"ledger_facts_missing":1}',
      rows_of: id,
      is_reevaluation: false,
      rows_sha256: Buffer.alloc(32),
      entry_id: newId(),
    })
    .execute();
  await db
    .insertInto('control_row')
    .values({
      org_id: orgId,
      run_id: id,
      ord: 0,
      subject: '2026-01-01',
      verdict: 'missing_evidence',
      reasons: ['ledger_facts_missing'],
      leaves: [],
      setting: 0,
    })
    .execute();
  await db
    .insertInto('control_task')
    .values({ ...which, id, state: 'done', evaluated: 1, run_id: id, ended_at: new Date() })
    .execute();
  return id;
}
