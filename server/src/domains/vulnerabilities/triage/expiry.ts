import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';
import { lockFindingsOf } from '../findings/status.ts';
import type { TriageDecision } from './decision.ts';
import { newsOf, note, setDecided, settle } from './decisions.ts';

const batch = 200;

/**
 * Ends up to 200 exceptions whose time is over, and requests that nobody decided in time. A finding whose exception held
 * counts again. Answers whether there may be more.
 */
export async function expireEnded(services: Services, tx: Tx, orgId: string): Promise<boolean> {
  const found = await endedOf(tx, orgId);
  if (found.length === 0) return false;
  await lockFindingsOf(
    tx,
    orgId,
    found.map((row) => row.finding_id),
  );
  // Looked at again under the lock: somebody may have decided or taken one back meanwhile.
  const rows = await endedOf(
    tx,
    orgId,
    found.map((row) => row.id),
  );
  await tx.db
    .updateTable('finding_waiver')
    .set({ state: 'expired', decided_at: sql`coalesce(decided_at, clock_timestamp())` })
    .where('org_id', '=', orgId)
    .where('id', 'in', [nothing, ...rows.map((row) => row.id)])
    .execute();
  const accepted = rows.filter((row) => row.state === 'approved');
  await setDecided(
    tx,
    orgId,
    accepted.map((row) => row.finding_id),
    null,
  );
  const decisions = rows.map((row): TriageDecision => {
    const target = { id: row.finding_id, repositoryId: row.repository_id, repository: row.full_name, title: row.title };
    const change = row.state === 'approved' && { before: { status: row.status }, after: { status: 'open' } };
    return { target, kind: 'exception_expired', exceptionId: row.id, until: row.until, ...(change || {}) };
  });
  const events = await note(services, tx, orgId, { doer: { clock: true }, decisions });
  const news = rows.flatMap((row, place) => {
    const target = decisions[place]?.target;
    if (!target) return [];
    const over = { type: 'exception.expired' as const, requestedBy: row.requested_by };
    return [{ ...over, ...newsOf(target, row.until), events: events.get(row.id) ?? [] }];
  });
  await raise(services, tx, orgId, { doer: { clock: true }, news });
  await settle(
    services,
    tx,
    orgId,
    decisions.map(({ target }) => target),
  );
  return found.length === batch;
}

// No exception has it: a list must not be empty.
const nothing = '00000000-0000-0000-0000-000000000000';

const endedOf = ({ db }: Tx, orgId: string, among?: readonly string[]) =>
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
    .$if(among !== undefined, (query) => query.where('e.id', 'in', [nothing, ...(among ?? [])]))
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
    .limit(batch)
    .execute();
