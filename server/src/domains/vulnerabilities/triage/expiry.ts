import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';
import { lockFindingsOf } from '../findings/status.ts';
import type { TriageDecision } from './decision.ts';
import { recomputeAndNotify, recordDecisions, setFindingDecisions, waiverNotificationFields } from './decisions.ts';

const BATCH_SIZE = 200;

/**
 * Expires up to 200 waivers and waiver requests after their end. Findings of expired waivers are open again. Returns
 * whether there may be more.
 */
export async function expireEndedWaivers(services: Services, tx: Tx, orgId: string): Promise<boolean> {
  const found = await findEndedWaivers(tx, orgId);
  if (found.length === 0) return false;
  await lockFindingsOf(
    tx,
    orgId,
    found.map((row) => row.finding_id),
  );
  // Read again under the lock, since another transaction may have decided or withdrawn one.
  const rows = await findEndedWaivers(
    tx,
    orgId,
    found.map((row) => row.id),
  );
  await tx.db
    .updateTable('finding_waiver')
    .set({ state: 'expired', decided_at: sql`coalesce(decided_at, clock_timestamp())` })
    .where('org_id', '=', orgId)
    .where('id', 'in', [NO_WAIVER_ID, ...rows.map((row) => row.id)])
    .execute();
  const approved = rows.filter((row) => row.state === 'approved');
  await setFindingDecisions(
    tx,
    orgId,
    approved.map((row) => row.finding_id),
    null,
  );
  const decisions = rows.map((row): TriageDecision => {
    const target = { id: row.finding_id, repositoryId: row.repository_id, repository: row.full_name, title: row.title };
    const change = row.state === 'approved' && { before: { status: row.status }, after: { status: 'open' } };
    return { target, kind: 'exception_expired', exceptionId: row.id, until: row.until, ...(change || {}) };
  });
  const events = await recordDecisions(services, tx, orgId, { doer: { clock: true }, decisions });
  const news = rows.flatMap((row, index) => {
    const target = decisions[index]?.target;
    if (!target) return [];
    const expired = { type: 'exception.expired' as const, requestedBy: row.requested_by };
    return [{ ...expired, ...waiverNotificationFields(target, row.until), events: events.get(row.id) ?? [] }];
  });
  await raise(services, tx, orgId, { doer: { clock: true }, news });
  await recomputeAndNotify(
    services,
    tx,
    orgId,
    decisions.map(({ target }) => target),
  );
  return found.length === BATCH_SIZE;
}

// An ID that no waiver has, since the list must not be empty.
const NO_WAIVER_ID = '00000000-0000-0000-0000-000000000000';

const findEndedWaivers = ({ db }: Tx, orgId: string, ids?: readonly string[]) =>
  db
    .selectFrom('finding_waiver as e')
    .innerJoin('finding as f', (join) => join.onRef('f.org_id', '=', 'e.org_id').onRef('f.id', '=', 'e.finding_id'))
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'f.org_id').onRef('r.id', '=', 'f.repository_id'),
    )
    .innerJoin('finding_title as t', (join) => join.onRef('t.org_id', '=', 'f.org_id').onRef('t.id', '=', 'f.title_id'))
    .where('e.org_id', '=', orgId)
    .where('e.state', 'in', ['requested', 'approved'])
    .where('e.until', '<=', sql<Date>`now()`)
    .$if(ids !== undefined, (query) => query.where('e.id', 'in', [NO_WAIVER_ID, ...(ids ?? [])]))
    .select([
      'e.id',
      'e.finding_id',
      'e.state',
      'e.until',
      'e.requested_by',
      'f.repository_id',
      'f.status',
      'r.full_name',
      't.title',
    ])
    .orderBy('e.until')
    .orderBy('e.id')
    .limit(BATCH_SIZE)
    .execute();
