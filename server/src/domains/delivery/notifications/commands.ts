import type { NotificationFacts } from '@sightline/contract/delivery/notification-types.ts';
import type { ChangeStatus } from '@sightline/contract/delivery/notifications.ts';
import type { Actor } from '#core/actor.ts';
import type { AuditActor } from '#core/audit.ts';
import { NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { recipientsSql } from './effective-sql.ts';
import { lockDelivery } from './lock.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'notifications.deliver': { orgId: string };
  }
}

/** Facts of a notification, with IDs of the timeline events that describe it, the newest last. */
export type NewNotification = NotificationFacts & { events?: readonly string[] };

/** The actor that notifications name: an account, an integration, or null for any other. */
export type Cause = { account: string } | { integration: string } | null;

/**
 * Queues notifications once this transaction commits. It writes one row each; a job determines the recipients and
 * channels, and merges notifications of the same kind. The actor is not notified.
 */
export async function raiseNotifications(
  services: Pick<Services, 'jobs'>,
  tx: Tx,
  orgId: string,
  { actor, notifications }: { actor: AuditActor; notifications: readonly NewNotification[] },
): Promise<void> {
  if (notifications.length === 0) return;
  const cause = causeOf(actor);
  await tx.query({
    name: 'notifications.raise',
    text: `insert into notification_pending (org_id, id, notification)
           select $1, id, notification from unnest($2::uuid[], $3::jsonb[]) as n(id, notification)`,
    values: [orgId, notifications.map(() => newId()), notifications.map((one) => JSON.stringify({ ...one, cause }))],
  });
  await services.jobs.enqueue(tx, 'notifications.deliver', { orgId }, { key: orgId });
}

function causeOf(actor: AuditActor): Cause {
  if ('integration' in actor) return { integration: actor.integration };
  return 'accountId' in actor && actor.operator === undefined ? { account: actor.accountId } : null;
}

/** Changes the status of the given notifications of the actor, or of all unread ones. Returns the numbers of changed and of unread ones. */
export function changeStatus(
  { database, realtime }: Services,
  { orgId, accountId }: Actor,
  change: ChangeStatus,
): Promise<{ updated: number; unread: number }> {
  const ids = 'ids' in change ? change.ids : null;
  return database.withOrg(orgId, async (tx) => {
    // At most one notification of a scope is unread, so no other may become unread concurrently.
    if (change.status === 'unread') await lockDelivery(tx, orgId);
    const [changed] = await tx.query<{ updated: number }>({
      name: 'notifications.status',
      text: statusSql,
      values: [orgId, accountId, change.status, ids],
    });
    const unread = await countUnread(tx, orgId, accountId);
    const { updated = 0 } = changed ?? {};
    if (updated > 0) tx.afterCommit(() => realtime.notifyAccount(accountId, 'notificationsChanged', {}));
    return { updated, unread };
  });
}

// Locks rows in the order of the delivery job to avoid deadlocks. Of two rows of a scope, only the newer one can become
// unread.
const statusSql = `
  with mine as (
    select n.id, n.scope_key, n.status from notification n
    where n.org_id = $1 and n.account_id = $2 and n.in_app and n.status <> $3
      and case when $4::uuid[] is null then n.status = 'unread' else n.id = any($4::uuid[]) end
    order by n.scope_key, n.updated_at desc, n.id desc for update
  ), changing as (
    select distinct on (case when $3 = 'unread' then scope_key else id::text end) id from mine
    where $3 <> 'unread' or not exists (
      select from notification u where u.org_id = $1 and u.account_id = $2 and u.scope_key = mine.scope_key and u.status = 'unread')
    order by case when $3 = 'unread' then scope_key else id::text end
  ), changed as (
    update notification n set status = $3, read_at = case when $3 = 'unread' then null else coalesce(n.read_at, clock_timestamp()) end
    from changing c where n.org_id = $1 and n.account_id = $2 and n.id = c.id returning n.id
  )
  select count(*)::int as updated from changed`;

/** Recalculates the due times of emails after the clock was set back, so that none is late. */
export async function bringDigestsForward(tx: Tx, orgId: string): Promise<void> {
  await tx.query({
    name: '',
    text: `with person as (${recipientsSql})
           update notification_digest d
           set due_at = least(d.due_at, notification_due(clock_timestamp(), p.cadence, p.timezone, p.quiet_from, p.quiet_until))
           from person p where d.org_id = $1 and d.account_id = p.account_id and d.due_at > now()`,
    values: [orgId],
  });
}

/** Counts the unread notifications of a member. */
export async function countUnread(tx: Tx, orgId: string, accountId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'notifications.count',
    text: `select count(*)::int as count from notification
           where org_id = $1 and account_id = $2 and status = 'unread' and in_app`,
    values: [orgId, accountId],
  });
  return row?.count ?? 0;
}

/** Sets whether a notification of the actor is saved. 404 for those of other members. */
export async function setSaved(
  { database, realtime }: Services,
  { orgId, accountId }: Actor,
  id: string,
  saved: boolean,
): Promise<null> {
  await database.withOrg(orgId, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('notification')
      .set({ saved })
      .where('org_id', '=', orgId)
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('in_app', '=', true)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw NotFound('Notification');
    tx.afterCommit(() => realtime.notifyAccount(accountId, 'notificationsChanged', {}));
  });
  return null;
}
