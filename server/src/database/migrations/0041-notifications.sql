-- Notifications: what waits to be told, what each person was told, whom it is mailed to and when.

-- Written in the transaction of a change and worked off by a job of the organisation: nothing that changes waits for the
-- rows of hundreds of people, and what happens much in a row is told once.
create table notification_pending (
  org_id uuid not null references organization,
  id uuid not null,
  news jsonb not null,
  raised_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);

create table notification (
  org_id uuid not null references organization,
  account_id uuid not null references account,
  id uuid not null,
  type text not null,
  -- 0 critical, 1 high, 2 medium, 3 low, 4 info
  severity smallint not null check (severity between 0 and 4),
  -- `{count}` in the second stands for how many; the first is for one.
  title text not null,
  titles text not null,
  body text not null,
  link text not null,
  icon text,
  reason text not null check (reason in ('owner', 'author', 'subscribed', 'mention', 'assigned', 'rule')),
  -- What is told again under the same key adds to the row for as long as it is unread.
  scope_key text not null,
  count int not null,
  -- Of findings how many there are of each severity, from critical to info.
  tally int[],
  status text not null check (status in ('unread', 'read', 'archived')),
  saved boolean not null default false,
  -- False: it waits for a mail alone and is in nobody's inbox.
  in_app boolean not null,
  actor jsonb,
  subject jsonb not null,
  repository_id uuid,
  event_ids uuid[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  read_at timestamptz,
  primary key (org_id, account_id, id)
) with (fillfactor = 80);
create unique index notification_scope on notification (org_id, account_id, scope_key) where status = 'unread';
create index notification_list on notification (org_id, account_id, updated_at desc, id desc) where in_app;
create index notification_old on notification (org_id, updated_at) where not saved and status <> 'unread';

-- What a person chose. Null: as the organisation or the product has it.
create table notification_setting (
  org_id uuid not null references organization,
  account_id uuid not null references account,
  -- By type, then by channel, only what differs.
  matrix jsonb not null default '{}',
  min_severity smallint check (min_severity between 0 and 4),
  repositories uuid[],
  cadence text check (cadence in ('instant', 'hourly', 'daily', 'weekly')),
  -- Minutes of the day; both or none.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  timezone text not null default 'UTC',
  send_empty boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (org_id, account_id),
  check ((quiet_from is null) = (quiet_until is null))
);

-- What an organisation chose for a role. Locked: nobody of that role chooses otherwise.
create table notification_default (
  org_id uuid not null references organization,
  role_id text not null,
  matrix jsonb not null default '{}',
  min_severity smallint check (min_severity between 0 and 4),
  cadence text check (cadence in ('instant', 'hourly', 'daily', 'weekly')),
  locked boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (org_id, role_id)
);

-- One mail for each person that is to be sent, and what goes into it.
create table notification_digest (
  org_id uuid not null references organization,
  account_id uuid not null references account,
  due_at timestamptz not null,
  sent_at timestamptz,
  failures int not null default 0,
  primary key (org_id, account_id)
);
create table notification_outbox (
  org_id uuid not null references organization,
  account_id uuid not null references account,
  notification_id uuid not null,
  raised int not null,
  at timestamptz not null,
  primary key (org_id, account_id, notification_id)
);

-- Told once that the end is near, or that nothing was heard for a week.
alter table finding_exception add expiring_told_at timestamptz;
alter table extension_grant add silence_told_at timestamptz;

do $$ declare name text; begin
  foreach name in array array['notification_pending', 'notification', 'notification_setting', 'notification_default',
    'notification_digest', 'notification_outbox'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;

-- When a mail for something that happened at `at` is to be sent: gathered for a minute, to the full hour, to eight in the
-- morning, to eight on Monday; and never in the quiet hours.
create function notification_due(at timestamptz, cadence text, zone text, quiet_from int, quiet_until int)
  returns timestamptz language plpgsql stable set search_path = public as $$
declare
  here timestamp;
  minute int;
begin
  here := at at time zone zone;
  here := case cadence
    when 'instant' then here + interval '1 minute'
    when 'hourly' then date_trunc('hour', here) + interval '1 hour'
    when 'daily' then date_trunc('day', here - interval '8 hours') + interval '1 day 8 hours'
    else date_trunc('week', here - interval '8 hours') + interval '7 days 8 hours' end;
  minute := extract(hour from here)::int * 60 + extract(minute from here)::int;
  if quiet_from is null or quiet_from = quiet_until then
    return here at time zone zone;
  elsif quiet_from < quiet_until and minute >= quiet_from and minute < quiet_until
    or quiet_from > quiet_until and (minute >= quiet_from or minute < quiet_until) then
    here := date_trunc('day', here) + make_interval(days => case when minute < quiet_until then 0 else 1 end, mins => quiet_until);
  end if;
  return here at time zone zone;
end $$;

-- Asked by the clock: whose mails are due, whose news waits? Ids only.
create policy lookup on notification_digest for select to sightline_lookup using (true);
create policy lookup on notification_pending for select to sightline_lookup using (true);
grant select (org_id, due_at) on notification_digest to sightline_lookup;
grant select (org_id) on notification_pending to sightline_lookup;
create function orgs_with_due_notifications() returns setof uuid language sql stable security definer set search_path = public
  as $$ select org_id from notification_digest where due_at <= now() union select org_id from notification_pending $$;
alter function orgs_with_due_notifications() owner to sightline_lookup;
revoke all on function orgs_with_due_notifications() from public;
grant execute on function orgs_with_due_notifications() to sightline_app;
