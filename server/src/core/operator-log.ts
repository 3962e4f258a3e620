import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { type AuditEntry, recordAuditEntry } from './audit.ts';
import { newId } from './ids.ts';
import type { Services } from './services.ts';

export interface OperatorEntry {
  id: string;
  at: string;
  operator: string;
  /** `noun.verb` in the past tense, as in an audit log: `flag.set`. */
  action: string;
  subject: { kind: string; id: string };
  data: { readonly [key: string]: CanonicalValue };
}

/**
 * Records an operator change that is not specific to an organization, in the transaction of the change. Returns the ID
 * of the entry. Changes to one organization are recorded in its audit log instead (`record`).
 */
export async function recordOperatorEntry(
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

/** Subjects of entries that concern every organization. */
const toldKinds = ['flag', 'destination'] as const;
type ToldKind = (typeof toldKinds)[number];

/**
 * Copies operator changes that concern every organization to each audit log exactly once. Called after such a change,
 * and by a job that completes the copies after a crash.
 */
export async function copyOperatorEntriesToAuditLogs({
  database,
  people,
}: Pick<Services, 'database' | 'people'>): Promise<void> {
  const pending = await database.global(({ db }) =>
    db
      .selectFrom('operator_entry')
      .select(['id', 'at', 'operator', 'action', 'subject_kind', 'subject_id', 'data'])
      .where('notified_at', 'is', null)
      .where('subject_kind', 'in', toldKinds)
      .orderBy('at')
      .execute(),
  );
  for (const entry of pending) {
    const { rows } = await database.pool.query<{ id: string }>('select every_organization() as id');
    for (const { id: orgId } of rows) {
      await database.withOrg(orgId, async (tx) => {
        if (await isCopied(tx, orgId, entry)) return;
        const actor = { operator: entry.operator, requestId: entry.id };
        const subject = { kind: entry.subject_kind as ToldKind, id: entry.subject_id };
        const { action, data } = entry as { action: AuditEntry['action']; data: NonNullable<AuditEntry['data']> };
        await recordAuditEntry(tx, { people, orgId, actor, entry: { action, subject, data } });
      });
    }
    await database.global(({ db }) =>
      db.updateTable('operator_entry').set({ notified_at: sql<Date>`now()` }).where('id', '=', entry.id).execute(),
    );
  }
}

async function isCopied({ db, query }: Tx, orgId: string, { id, at }: { id: string; at: Date }): Promise<boolean> {
  // The command and the job may run at the same time.
  await query({ name: '', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [`${orgId} ${id}`] });
  const copied = await db
    .selectFrom('audit_event')
    .select('id')
    .where('org_id', '=', orgId)
    .where('at', '>=', at)
    .where('request_id', '=', id)
    .executeTakeFirst();
  return copied !== undefined;
}
