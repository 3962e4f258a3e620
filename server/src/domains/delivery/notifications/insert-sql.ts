import { MAX_NOTIFICATION_EVENTS } from '@sightline/contract/delivery/notifications.ts';
import { channelEnabledSql, recipientsSql } from './effective-sql.ts';

// Whether a recipient contributed to the repository, as in lists of repositories.
const hasContributed = `exists (
  select from identity w where w.org_id = $1 and w.kind = 'account' and w.value = p.account_id::text and (
    exists (select from contributor c where c.org_id = $1 and c.repository_id = i.repository and c.person_id = w.person_id)
    or exists (select from pull_request r where r.org_id = $1 and r.author_person = w.person_id and r.repository_id = i.repository)
    or exists (select from review r where r.org_id = $1 and r.person_id = w.person_id and r.repository_id = i.repository)))`;

// The newest events of a list, up to the maximum of a notification.
const newestEvents = (list: string) => `(${list})[greatest(cardinality(${list}) - ${MAX_NOTIFICATION_EVENTS - 1}, 1):]`;

const isNamed = 'p.account_id = any(i.authors) or p.account_id = any(i.assigned)';

/**
 * Inserts notifications for their recipients. $1 organization, $2 merged notifications, $3 built-in defaults, $4 time.
 * Writes one row per recipient and scope, sorted to avoid deadlocks, and adds to a row that is unread. Notifications to
 * email are added to the outbox; a scheduled email keeps its due time. Returns the written rows, and whether each is
 * emailed instantly; then a `message` for each chat that a recipient linked and chose, due after a minute and their quiet
 * hours.
 */
export const insertNotificationsSql = `
  with input as materialized (
    select * from jsonb_to_recordset($2::jsonb) as x(
      n int, id uuid, type text, scope text, severity int, title text, titles text, body text, link text, icon text, subject jsonb,
      thread text, repository uuid, actor jsonb, actor_account uuid, authors uuid[], assigned uuid[], audience_all text[], audience_own text[],
      count int, tally int[], weighed boolean, events uuid[])
  ),
  person as materialized (${recipientsSql}),
  matched as (
    select p.*, i.n, i.id, i.type, i.scope, i.title, i.titles, i.body, i.link, i.icon, i.subject, i.thread, i.repository, i.actor, i.events,
      case when p.account_id = any(i.assigned) then 'assigned' when p.account_id = any(i.authors) then 'author'
        when p.role_id = 'rol_owner' then 'owner' else 'subscribed' end as reason,
      ${channelEnabledSql('i.type', 'inApp', '$3')} as in_app, ${channelEnabledSql('i.type', 'mail', '$3')} as mail,
      ${channelEnabledSql('i.type', 'slack', '$3')} as slack, ${channelEnabledSql('i.type', 'teams', '$3')} as teams,
      case when i.weighed then array(
        select case when position - 1 <= p.threshold then v else 0 end from unnest(i.tally) with ordinality as u(v, position) order by position
      ) end as tally, i.count, i.severity
    from input i join person p on p.account_id is distinct from i.actor_account and (
      ${isNamed} or p.role_id = any(i.audience_all) or (p.role_id = any(i.audience_own) and i.repository is not null and ${hasContributed}))
    where p.repositories is null or i.repository is null or i.repository = any(p.repositories) or ${isNamed}
  ),
  counted as (
    select h.*, coalesce((select sum(v)::int from unnest(h.tally) as v), h.count) as times,
      coalesce((select min(position)::int - 1 from unnest(h.tally) with ordinality as u(v, position) where v > 0), h.severity) as worst
    from matched h where h.in_app or h.mail or h.slack or h.teams
  ),
  merged as materialized (
    select distinct on (account_id, scope) *, sum(times) over same as all_times, min(worst) over same as all_worst,
      bool_or(in_app) over same as any_app, bool_or(mail) over same as any_mail,
      bool_or(slack) over same as any_slack, bool_or(teams) over same as any_teams,
      coalesce(string_to_array(
        string_agg(nullif(array_to_string(events, ','), ''), ',') over (same order by n), ',')::uuid[], '{}') as all_events,
      case when tally is not null then array[
        sum(tally[1]) over same, sum(tally[2]) over same, sum(tally[3]) over same, sum(tally[4]) over same, sum(tally[5]) over same
      ]::int[] end as all_tally
    from counted where times > 0
    window same as (partition by account_id, scope)
    order by account_id, scope, n desc
  ),
  written as (
    insert into notification as o (org_id, account_id, id, type, severity, title, titles, body, link, icon, reason, scope_key,
      count, tally, status, in_app, actor, subject, repository_id, event_ids, created_at, updated_at)
    select $1, account_id, id, type, all_worst, title, titles, body, link, icon, reason, scope,
      all_times, all_tally, 'unread', any_app, actor, subject, repository, ${newestEvents('all_events')}, $4, $4
    from merged where any_app or any_mail order by account_id, scope
    on conflict (org_id, account_id, scope_key) where status = 'unread' do update set
      type = excluded.type, severity = case when o.type = excluded.type then least(o.severity, excluded.severity) else excluded.severity end,
      title = excluded.title, titles = excluded.titles, body = excluded.body, link = excluded.link,
      icon = excluded.icon, reason = excluded.reason, actor = excluded.actor, subject = excluded.subject,
      in_app = o.in_app or excluded.in_app, updated_at = excluded.updated_at,
      event_ids = case when o.type = excluded.type then ${newestEvents('o.event_ids || excluded.event_ids')} else excluded.event_ids end,
      count = case when o.type = excluded.type then o.count + excluded.count else excluded.count end,
      tally = case when o.type = excluded.type and o.tally is not null and excluded.tally is not null then array(
        select coalesce(a, 0) + coalesce(b, 0) from unnest(o.tally, excluded.tally) with ordinality as u(a, b, position) order by position
      ) else excluded.tally end
    returning account_id, id, scope_key
  ),
  mailed as materialized (
    select w.account_id, w.id, t.all_times, t.cadence, t.timezone, t.quiet_from, t.quiet_until
    from written w join merged t on t.account_id = w.account_id and t.scope = w.scope_key where t.any_mail
  ),
  outbox as (
    insert into notification_outbox as o (org_id, account_id, notification_id, raised, at)
    select $1, account_id, id, all_times, $4 from mailed order by account_id, id
    on conflict (org_id, account_id, notification_id) do update set raised = o.raised + excluded.raised, at = excluded.at
  ),
  digest as (
    insert into notification_digest as d (org_id, account_id, due_at)
    select distinct on (account_id) $1, account_id, notification_due($4, cadence, timezone, quiet_from, quiet_until)
    from mailed order by account_id
    on conflict (org_id, account_id) do update set due_at = d.due_at
  )
  select w.account_id, w.id, coalesce(m.cadence = 'instant', false) as instant, null::jsonb as message
  from written w left join mailed m on m.account_id = w.account_id and m.id = w.id
  union all
  select t.account_id, t.id, false, jsonb_build_object('target', g.id, 'type', t.type, 'severity', t.all_worst,
    'title', t.title, 'titles', t.titles, 'body', t.body, 'link', t.link, 'thread', t.thread, 'count', t.all_times,
    'tally', t.all_tally, 'due', notification_due($4, 'instant', t.timezone, t.quiet_from, t.quiet_until))
  from merged t join chat_target g on g.org_id = $1 and g.account_id = t.account_id and g.enabled
    and case g.service when 'slack' then t.any_slack else t.any_teams end
    and not (t.subject->>'kind' = 'integration' and t.subject->>'ident' = g.service)`;
