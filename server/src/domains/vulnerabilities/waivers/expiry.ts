import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { lockFindingsOf } from '../findings/status.ts';
import { recomputeAndNotify, setFindingDecisions } from '../triage/commands.ts';
import { controlWaiverOf, recordControlWaiver } from './control-waivers.ts';
import { notificationFieldsOf } from './events.ts';
import { recordFindingWaiver } from './finding-waivers.ts';
import type { FindingWaiver, Waiver } from './waiver.ts';

const BATCH_SIZE = 200;
const actor = { clock: true } as const;

/**
 * Records the expiry of up to 200 waivers and waiver requests of each kind after their end. Findings of expired waivers
 * are open again; evaluations of controls apply the end themselves. Returns whether there may be more.
 */
export async function expireEndedWaivers(services: Services, tx: Tx, orgId: string): Promise<boolean> {
  const controls = await expireControlWaivers(services, tx, orgId);
  if (controls > 0) tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgWaivers', {}));
  const findings = await expireFindingWaivers(services, tx, orgId);
  return controls === BATCH_SIZE || findings === BATCH_SIZE;
}

async function expireControlWaivers(services: Services, tx: Tx, orgId: string): Promise<number> {
  const rows = await tx.query<Parameters<typeof controlWaiverOf>[0]>({
    name: 'waivers.expire-of-controls',
    text: `with over as (
             select id from control_waiver where org_id = $1 and expired_at is null and valid_until <= now()
               and (decision is null or decision = 'approved') order by valid_until, id limit ${BATCH_SIZE} for update
           ), ended as (
             update control_waiver w set expired_at = now() from over o where w.org_id = $1 and w.id = o.id
             returning w.id, w.control_id, w.subject, w.repository_id, w.valid_until, w.requested_by)
           select d.*, r.full_name from ended d left join repository r on r.org_id = $1 and r.id = d.repository_id
           order by d.valid_until, d.id`,
    values: [orgId],
  });
  const notifications = [];
  for (const waiver of rows.map(controlWaiverOf)) {
    const { events } = await recordControlWaiver(services, tx, orgId, { actor, action: 'expired', waiver });
    notifications.push(expiryNotice(waiver, events));
  }
  await raiseNotifications(services, tx, orgId, { actor, notifications });
  return rows.length;
}

async function expireFindingWaivers(services: Services, tx: Tx, orgId: string): Promise<number> {
  const found = await findEndedWaivers(tx, orgId);
  if (found.length === 0) return 0;
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
  const isActive = (row: (typeof rows)[number]) => row.state === 'approved';
  await setFindingDecisions(
    tx,
    orgId,
    rows.filter(isActive).map((row) => row.finding_id),
    null,
  );
  const notifications = [];
  const targets = [];
  for (const row of rows) {
    const target = { id: row.finding_id, repositoryId: row.repository_id, repository: row.full_name, title: row.title };
    const waiver: FindingWaiver = {
      kind: 'finding',
      id: row.id,
      target,
      until: row.until,
      requestedBy: row.requested_by,
    };
    const change = isActive(row) ? { before: { status: row.status }, after: { status: 'open' } } : {};
    const events = await recordFindingWaiver(services, tx, orgId, { actor, action: 'expired', waiver, ...change });
    notifications.push(expiryNotice(waiver, events));
    targets.push(target);
  }
  await raiseNotifications(services, tx, orgId, { actor, notifications });
  await recomputeAndNotify(services, tx, orgId, targets);
  return found.length;
}

const expiryNotice = (waiver: Waiver, events: string[]) => ({
  type: 'exception.expired' as const,
  ...notificationFieldsOf(waiver),
  events,
});

// An ID that no waiver has, since the list must not be empty.
const NO_WAIVER_ID = '00000000-0000-0000-0000-000000000000';

const findEndedWaivers = ({ db }: Tx, orgId: string, ids?: readonly string[]) =>
  db
    .selectFrom('finding_waiver as w')
    .innerJoin('finding as f', (join) => join.onRef('f.org_id', '=', 'w.org_id').onRef('f.id', '=', 'w.finding_id'))
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'f.org_id').onRef('r.id', '=', 'f.repository_id'),
    )
    .innerJoin('finding_title as t', (join) => join.onRef('t.org_id', '=', 'f.org_id').onRef('t.id', '=', 'f.title_id'))
    .where('w.org_id', '=', orgId)
    .where('w.state', 'in', ['requested', 'approved'])
    .where('w.valid_until', '<=', sql<Date>`now()`)
    .$if(ids !== undefined, (query) => query.where('w.id', 'in', [NO_WAIVER_ID, ...(ids ?? [])]))
    .select(['w.id', 'w.finding_id', 'w.state', 'w.valid_until as until', 'w.requested_by'])
    .select(['f.repository_id', 'f.status', 'r.full_name', 't.title'])
    .orderBy('w.valid_until')
    .orderBy('w.id')
    .limit(BATCH_SIZE)
    .execute();
