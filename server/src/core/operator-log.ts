import type { Plain } from '@sightline/evidence/ledger/canonical.ts';
import type { Tx } from '#database/database.ts';
import { newId } from './ids.ts';

export interface OperatorEntry {
  id: string;
  at: string;
  operator: string;
  /** noun.verb in the past, as in an audit log: `flag.set`. */
  action: string;
  subject: { kind: string; id: string };
  data: { readonly [key: string]: Plain };
}

/**
 * Writes what an operator changed for no single organisation, in the transaction of the change; answers its id. What
 * concerns one organisation goes to its audit log instead (`record`).
 */
export async function recordOperator(
  { db }: Tx,
  operator: string,
  { action, subject, data }: Pick<OperatorEntry, 'action' | 'subject' | 'data'>,
): Promise<string> {
  const id = newId();
  await db
    .insertInto('operator_entry')
    .values({
      id,
      operator,
      action,
      subject_kind: subject.kind,
      subject_id: subject.id,
      data: JSON.stringify(data),
    })
    .execute();
  return id;
}

/** The newest entries of the operator log, newest first. */
export async function listOperatorEntries({ db }: Tx, limit: number): Promise<OperatorEntry[]> {
  const rows = await db
    .selectFrom('operator_entry')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    operator: row.operator,
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id },
    data: row.data as OperatorEntry['data'],
  }));
}
