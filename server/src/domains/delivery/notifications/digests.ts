import { isArchived } from '#core/archived.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { queueDigests } from './deliver.ts';
import { recipientsSql } from './effective-sql.ts';
import { lockDelivery } from './lock.ts';
import { type DigestItem, digestMail } from './mails.ts';

const MAX_EMAILS_PER_BATCH = 20;
const MAX_LISTED_PER_EMAIL = 25;
/** Time after which another process sends a claimed email. */
const lease = `interval '10 minutes'`;

interface ClaimedDigest {
  account_id: string;
  /** The time of the newest pending notification; null without any. */
  until: Date | null;
  email: string;
  organization: string;
  failures: number;
  cadence: string;
  send_empty: boolean;
  is_former_member: boolean;
  waiting: number;
  items: DigestItem[];
}

/** Sends the due emails of an organization, one per recipient. */
export async function sendDueDigests(services: Services, orgId: string): Promise<void> {
  const { database } = services;
  for (;;) {
    const claimed = await database.withOrg(orgId, async (tx) =>
      (await isArchived(tx, orgId)) ? [] : claim(tx, orgId),
    );
    for (const one of claimed) await sendDigest(services, orgId, one);
    if (claimed.length < MAX_EMAILS_PER_BATCH) break;
  }
  await database.withOrg(orgId, async (tx) => {
    const [next] = await tx.query<{ at: Date | null }>({
      name: 'notifications.next',
      text: `select min(due_at) as at from notification_digest where org_id = $1 and due_at between now() and now() + interval '5 minutes'`,
      values: [orgId],
    });
    // The scheduled job finds later ones.
    if (next?.at) await queueDigests(services, tx, orgId, new Date(next.at.getTime() + 1000));
  });
}

async function claim(tx: Tx, orgId: string): Promise<ClaimedDigest[]> {
  return tx.query<ClaimedDigest>({ name: '', text: claimSql, values: [orgId] });
}

// Excludes notifications that were read in the meantime.
const claimSql = `
  with due as (
    select account_id from notification_digest where org_id = $1 and due_at <= now()
    order by account_id limit ${MAX_EMAILS_PER_BATCH} for update skip locked
  ), claimed as (
    update notification_digest d set due_at = now() + ${lease} from due where d.org_id = $1 and d.account_id = due.account_id
    returning d.account_id, d.failures
  ), person as (${recipientsSql})
  select c.account_id, c.failures, a.email, o.display_name as organization, coalesce(p.cadence, 'daily') as cadence,
    coalesce(p.send_empty, false) as send_empty, p.account_id is null as is_former_member, x.until, coalesce(x.waiting, 0)::int as waiting,
    coalesce(x.items, '[]') as items
  from claimed c
  join account a on a.id = c.account_id
  join organization o on o.id = $1
  left join person p on p.account_id = c.account_id
  left join lateral (
    select max(at) as until, count(*) filter (where unread) as waiting,
      jsonb_agg(jsonb_build_object('type', type, 'title', title, 'titles', titles, 'body', body, 'link', link, 'count', count, 'tally', tally)
        order by severity, updated_at desc) filter (where unread and position <= ${MAX_LISTED_PER_EMAIL}) as items
    from (
      select b.at, n.*, n.status = 'unread' as unread,
        row_number() over (partition by n.status = 'unread' order by n.severity, n.updated_at desc) as position
      from notification_outbox b
      join notification n on n.org_id = $1 and n.account_id = b.account_id and n.id = b.notification_id
      where b.org_id = $1 and b.account_id = c.account_id
    ) as n
  ) x on true`;

async function sendDigest(services: Services, orgId: string, claimed: ClaimedDigest): Promise<void> {
  const { config, database, flags, log, mail } = services;
  const { account_id: accountId, is_former_member: isFormerMember, items, send_empty: sendEmpty, cadence } = claimed;
  const isOn = !isFormerMember && (await flags.isOn('notificationSystem', { accountId, orgId }));
  const heartbeat = sendEmpty && (cadence === 'daily' || cadence === 'weekly');
  const isDue = isOn && (items.length > 0 || heartbeat);
  let failed = false;
  if (isDue) {
    try {
      await mail.send('subscription', digestMail({ ...claimed, orgId, url: config.PUBLIC_URL }));
    } catch (error) {
      failed = true;
      log.warn({ orgId, accountId, err: error }, 'a notification email could not be sent');
    }
  }
  await database.withOrg(orgId, (tx) =>
    failed ? postponeDigest(tx, orgId, claimed) : completeDigest(tx, orgId, claimed, isDue),
  );
}

/** Retries after 1, 2, 4 minutes, up to an hour. */
async function postponeDigest(tx: Tx, orgId: string, { account_id: accountId }: ClaimedDigest): Promise<void> {
  await tx.query({
    name: 'notifications.postpone',
    text: `update notification_digest set failures = failures + 1,
             due_at = now() + make_interval(mins => least(60, 2 ^ least(failures, 6))::int)
           where org_id = $1 and account_id = $2`,
    values: [orgId, accountId],
  });
}

/** Removes the emailed notifications from the outbox. Those added in the meantime remain for the next email. */
async function completeDigest(
  tx: Tx,
  orgId: string,
  { account_id: accountId, until }: ClaimedDigest,
  sent: boolean,
): Promise<void> {
  await lockDelivery(tx, orgId);
  const person = [orgId, accountId];
  await tx.query({
    name: 'notifications.mailed',
    text: `with mailed as (
             delete from notification_outbox where org_id = $1 and account_id = $2 and at <= $3 returning notification_id)
           delete from notification n using mailed m
           where n.org_id = $1 and n.account_id = $2 and n.id = m.notification_id and not n.in_app`,
    values: [...person, until],
  });
  await tx.query({
    name: 'notifications.sent',
    text: `update notification_digest set failures = 0, sent_at = case when $3 then now() else sent_at end
           where org_id = $1 and account_id = $2`,
    values: [...person, sent],
  });
  await scheduleDigests(tx, orgId, accountId);
}

/** Schedules the next email of a recipient, or deletes its schedule if there is nothing to send. */
export async function scheduleDigests(tx: Tx, orgId: string, accountId: string): Promise<void> {
  await tx.query({
    name: 'notifications.schedule',
    text: `with person as (${recipientsSql}), due as (
             select p.account_id, notification_due(clock_timestamp(), p.cadence, p.timezone, p.quiet_from, p.quiet_until) as at
             from person p where p.account_id = $2 and (
               exists (select from notification_outbox b where b.org_id = $1 and b.account_id = $2)
               or p.send_empty and p.cadence in ('daily', 'weekly'))
           ), deleted as (
             delete from notification_digest where org_id = $1 and account_id = $2 and not exists (select from due))
           insert into notification_digest (org_id, account_id, due_at) select $1, account_id, at from due
           on conflict (org_id, account_id) do update set due_at = excluded.due_at`,
    values: [orgId, accountId],
  });
}
