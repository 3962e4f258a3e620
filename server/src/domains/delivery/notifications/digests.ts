import { isArchived } from '#core/archived.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { queueDigests } from './deliver.ts';
import { peopleSql } from './effective-sql.ts';
import { lockDelivery } from './lock.ts';
import { type DigestItem, digestMail } from './mails.ts';

/** Mails that are taken on at once, and what of each is listed. */
const batch = 20;
const listed = 25;
/** Until another process takes a mail for abandoned. */
const lease = `interval '10 minutes'`;

interface Claimed {
  account_id: string;
  /** When what goes into it was last told; null where nothing waits. */
  until: Date | null;
  email: string;
  organization: string;
  failures: number;
  cadence: string;
  send_empty: boolean;
  /** No member any more. */
  gone: boolean;
  waiting: number;
  items: DigestItem[];
}

/** Sends the mails of an organization that are due: one to each person, however much it tells of. */
export async function sendDue(services: Services, orgId: string): Promise<void> {
  const { database } = services;
  for (;;) {
    const claimed = await database.withOrg(orgId, async (tx) =>
      (await isArchived(tx, orgId)) ? [] : claim(tx, orgId),
    );
    for (const one of claimed) await send(services, orgId, one);
    if (claimed.length < batch) break;
  }
  await database.withOrg(orgId, async (tx) => {
    const [next] = await tx.query<{ at: Date | null }>({
      name: 'notifications.next',
      text: `select min(due_at) as at from notification_digest where org_id = $1 and due_at between now() and now() + interval '5 minutes'`,
      values: [orgId],
    });
    // Later ones are the clock's.
    if (next?.at) await queueDigests(services, tx, orgId, new Date(next.at.getTime() + 1000));
  });
}

async function claim(tx: Tx, orgId: string): Promise<Claimed[]> {
  return tx.query<Claimed>({ name: '', text: claimSql, values: [orgId] });
}

// What was read meanwhile need not be told again.
const claimSql = `
  with due as (
    select account_id from notification_digest where org_id = $1 and due_at <= now()
    order by account_id limit ${batch} for update skip locked
  ), claimed as (
    update notification_digest d set due_at = now() + ${lease} from due where d.org_id = $1 and d.account_id = due.account_id
    returning d.account_id, d.failures
  ), person as (${peopleSql})
  select c.account_id, c.failures, a.email, o.display_name as organization, coalesce(p.cadence, 'daily') as cadence,
    coalesce(p.send_empty, false) as send_empty, p.account_id is null as gone, x.until, coalesce(x.waiting, 0)::int as waiting,
    coalesce(x.items, '[]') as items
  from claimed c
  join account a on a.id = c.account_id
  join organization o on o.id = $1
  left join person p on p.account_id = c.account_id
  left join lateral (
    select max(at) as until, count(*) filter (where unread) as waiting,
      jsonb_agg(jsonb_build_object('type', type, 'title', title, 'titles', titles, 'body', body, 'link', link, 'count', count, 'tally', tally)
        order by severity, updated_at desc) filter (where unread and place <= ${listed}) as items
    from (
      select b.at, n.*, n.status = 'unread' as unread,
        row_number() over (partition by n.status = 'unread' order by n.severity, n.updated_at desc) as place
      from notification_outbox b
      join notification n on n.org_id = $1 and n.account_id = b.account_id and n.id = b.notification_id
      where b.org_id = $1 and b.account_id = c.account_id
    ) as n
  ) x on true`;

async function send(services: Services, orgId: string, claimed: Claimed): Promise<void> {
  const { config, database, flags, log, mail } = services;
  const { account_id: accountId, gone, items, send_empty: sendEmpty, cadence } = claimed;
  const isOn = !gone && (await flags.isOn('notificationSystem', { accountId, orgId }));
  const heartbeat = sendEmpty && (cadence === 'daily' || cadence === 'weekly');
  const wanted = isOn && (items.length > 0 || heartbeat);
  let failed = false;
  if (wanted) {
    try {
      await mail.send('subscription', digestMail({ ...claimed, orgId, url: config.PUBLIC_URL }));
    } catch (error) {
      failed = true;
      log.warn({ orgId, accountId, err: error }, 'a notification email could not be sent');
    }
  }
  await database.withOrg(orgId, (tx) => (failed ? putOff(tx, orgId, claimed) : finish(tx, orgId, claimed, wanted)));
}

/** After 1, 2, 4 minutes, at most an hour. */
async function putOff(tx: Tx, orgId: string, { account_id: accountId }: Claimed): Promise<void> {
  await tx.query({
    name: 'notifications.put-off',
    text: `update notification_digest set failures = failures + 1,
             due_at = now() + make_interval(mins => least(60, 2 ^ least(failures, 6))::int)
           where org_id = $1 and account_id = $2`,
    values: [orgId, accountId],
  });
}

/** Takes away what was mailed. What was told meanwhile waits for the next mail. */
async function finish(tx: Tx, orgId: string, { account_id: accountId, until }: Claimed, sent: boolean): Promise<void> {
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

/** Sets the time of a person's next mail, and takes it away where there is nothing to send. */
export async function scheduleDigests(tx: Tx, orgId: string, accountId: string): Promise<void> {
  await tx.query({
    name: 'notifications.schedule',
    text: `with person as (${peopleSql}), due as (
             select p.account_id, notification_due(clock_timestamp(), p.cadence, p.timezone, p.quiet_from, p.quiet_until) as at
             from person p where p.account_id = $2 and (
               exists (select from notification_outbox b where b.org_id = $1 and b.account_id = $2)
               or p.send_empty and p.cadence in ('daily', 'weekly'))
           ), gone as (
             delete from notification_digest where org_id = $1 and account_id = $2 and not exists (select from due))
           insert into notification_digest (org_id, account_id, due_at) select $1, account_id, at from due
           on conflict (org_id, account_id) do update set due_at = excluded.due_at`,
    values: [orgId, accountId],
  });
}
