import { NOTIFICATION_RETENTION_DAYS } from '@sightline/contract/delivery/notifications.ts';
import { programName } from '@sightline/contract/identity/extensions.ts';
import { isArchived } from '#core/archived.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from './commands.ts';

/** Sends the notifications that depend on the time alone, such as of waivers that expire soon, and deletes old notifications. */
export async function remind(services: Services, orgId: string): Promise<void> {
  const { withOrg } = services.database;
  if (await withOrg(orgId, (tx) => isArchived(tx, orgId))) return;
  await withOrg(orgId, (tx) => remindOfFindingWaivers(services, tx, orgId));
  await withOrg(orgId, (tx) => remindOfControlWaivers(services, tx, orgId));
  await withOrg(orgId, (tx) => notifyOfOverdueRemediations(services, tx, orgId));
  await withOrg(orgId, (tx) => notifyOfUnansweredInvitations(services, tx, orgId));
  await withOrg(orgId, (tx) => notifyOfSilentExtensions(services, tx, orgId));
  let more = true;
  while (more) more = await withOrg(orgId, (tx) => deleteOldNotifications(tx, orgId));
}

const clock = { clock: true } as const;

/** Notifies of each waiver of a finding once, a week before it ends. */
async function remindOfFindingWaivers(services: Services, tx: Tx, orgId: string): Promise<void> {
  const rows = await tx.query<{
    until: Date;
    requested_by: string;
    finding_id: string;
    title: string;
    repository_id: string;
    full_name: string;
  }>({
    name: 'notifications.expiring-finding-waivers',
    text: `with near as (
             update finding_waiver set expiry_notified_at = now()
             where org_id = $1 and state = 'approved' and expiry_notified_at is null
               and valid_until between now() and now() + interval '7 days' and decided_at < valid_until - interval '7 days'
             returning finding_id, valid_until as until, requested_by)
           select n.until, n.requested_by, n.finding_id, t.title, f.repository_id, r.full_name from near n
           join finding f on f.org_id = $1 and f.id = n.finding_id
           join finding_title t on t.org_id = $1 and t.id = f.title_id
           join repository r on r.org_id = $1 and r.id = f.repository_id order by n.until`,
    values: [orgId],
  });
  await raiseNotifications(services, tx, orgId, {
    actor: clock,
    notifications: rows.map((row) => ({
      type: 'exception.expiring' as const,
      finding: { id: row.finding_id, title: row.title },
      repository: { id: row.repository_id, name: row.full_name },
      until: row.until.toISOString(),
      requestedBy: row.requested_by,
    })),
  });
}

/** Notifies of each waiver of a control once, a week before it ends. */
async function remindOfControlWaivers(services: Services, tx: Tx, orgId: string): Promise<void> {
  const rows = await tx.query<{
    id: string;
    control_id: string;
    subject: string;
    repository_id: string | null;
    full_name: string | null;
    valid_until: Date;
    requested_by: string;
  }>({
    name: 'notifications.expiring-control-waivers',
    text: `with near as (
             update control_waiver set expiry_notified_at = now()
             where org_id = $1 and decision = 'approved' and expired_at is null and expiry_notified_at is null
               and valid_until between now() and now() + interval '7 days' and decided_at < valid_until - interval '7 days'
             returning id, control_id, subject, repository_id, valid_until, requested_by)
           select n.*, r.full_name from near n left join repository r on r.org_id = $1 and r.id = n.repository_id
           order by n.valid_until, n.id`,
    values: [orgId],
  });
  await raiseNotifications(services, tx, orgId, {
    actor: clock,
    notifications: rows.map((row) => ({
      type: 'exception.expiring' as const,
      waiver: { id: row.id, control: row.control_id, subject: row.subject },
      repository: row.full_name === null ? null : { id: row.repository_id ?? '', name: row.full_name },
      until: row.valid_until.toISOString(),
      requestedBy: row.requested_by,
    })),
  });
}

/** Notifies the owners of open remediations once after each due date. A passed retest, or a later statement, closes one. */
async function notifyOfOverdueRemediations(services: Services, tx: Tx, orgId: string): Promise<void> {
  const rows = await tx.query<{ control: string; owner: string; items: number; subject: string; due_on: string }>({
    name: 'notifications.overdue-remediations',
    text: `with late as (
             select m.id, m.control_id, m.subject, c.owner_id, c.due_on from remediation m
             cross join lateral (select owner_id, due_on, remediated_at from remediation_change v
               where v.org_id = $1 and v.remediation_id = m.id order by v.version desc limit 1) c
             left join lateral (select result, tested_at from remediation_retest v
               where v.org_id = $1 and v.remediation_id = m.id order by v.position desc limit 1) t on true
             where m.org_id = $1 and c.owner_id is not null and c.due_on < (now() at time zone 'UTC')::date
               and m.overdue_notified_on is distinct from c.due_on and t.result is distinct from 'pass'
               and (c.remediated_at is null or c.remediated_at <= t.tested_at)
           ), noted as (
             update remediation m set overdue_notified_on = l.due_on from late l where m.org_id = $1 and m.id = l.id)
           select control_id as control, owner_id as owner, count(*)::int as items, min(due_on)::text as due_on,
             (array_agg(subject order by due_on, subject))[1] as subject
           from late group by control_id, owner_id order by min(due_on), control_id, owner_id`,
    values: [orgId],
  });
  await raiseNotifications(services, tx, orgId, {
    actor: clock,
    notifications: rows.map(({ due_on: dueOn, ...owned }) => ({
      type: 'remediation.overdue' as const,
      ...owned,
      dueOn,
    })),
  });
}

/** Notifies of each expired invitation once. Replaced ones are revoked, so they do not count. */
async function notifyOfUnansweredInvitations(services: Services, tx: Tx, orgId: string): Promise<void> {
  const rows = await tx.query<{ id: string; email: string; invited_by: string }>({
    name: 'notifications.unanswered',
    text: `update invitation set expiry_notified_at = now()
           where org_id = $1 and expires_at between now() - interval '7 days' and now() and expiry_notified_at is null
             and accepted_at is null and declined_at is null and revoked_at is null
           returning id, email, invited_by`,
    values: [orgId],
  });
  await raiseNotifications(services, tx, orgId, {
    actor: clock,
    notifications: rows.map(({ id, email, invited_by }) => ({
      type: 'invitation.expired' as const,
      invitationId: id,
      email,
      invitedBy: invited_by,
    })),
  });
}

/** Notifies once of each signed-in extension that has not reported for a week. */
async function notifyOfSilentExtensions(services: Services, tx: Tx, orgId: string): Promise<void> {
  const rows = await tx.query<{ account_id: string; type: string; last_report_at: Date }>({
    name: 'notifications.silent',
    text: `with report as (
             select g.id, greatest(g.created_at, g.last_used_at, max(s.seen_at)) as at from extension_grant g
             left join extension_session s on s.org_id = $1 and s.account_id = g.account_id and s.grant_id = g.id
             where g.org_id = $1 and g.side <> 'mcp' and g.revoked_at is null group by g.id, g.created_at, g.last_used_at)
           update extension_grant g set silence_notified_at = now() from report h
           where g.org_id = $1 and g.id = h.id and h.at < now() - interval '7 days'
             and (g.silence_notified_at is null or g.silence_notified_at < h.at)
           returning g.account_id, g.type, h.at as last_report_at`,
    values: [orgId],
  });
  await raiseNotifications(services, tx, orgId, {
    actor: clock,
    notifications: rows.map(({ account_id, type, last_report_at }) => ({
      type: 'extension.disconnected' as const,
      accountId: account_id,
      program: programName(type),
      silentSince: last_report_at.toISOString(),
    })),
  });
}

const MAX_DELETED_PER_BATCH = 5_000;

/** Deletes a batch of old read notifications that are not saved. Returns whether there may be more. */
async function deleteOldNotifications(tx: Tx, orgId: string): Promise<boolean> {
  const [row] = await tx.query<{ count: number }>({
    name: 'notifications.clear',
    text: `with deleted as (
             delete from notification n using (
               select account_id, id from notification where org_id = $1 and not saved and status <> 'unread'
                 and updated_at < now() - make_interval(days => ${NOTIFICATION_RETENTION_DAYS}) limit ${MAX_DELETED_PER_BATCH}) o
             where n.org_id = $1 and n.account_id = o.account_id and n.id = o.id returning n.id)
           select count(*)::int as count from deleted`,
    values: [orgId],
  });
  return row?.count === MAX_DELETED_PER_BATCH;
}
