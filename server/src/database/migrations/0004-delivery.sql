-- E-mail, notifications, outgoing webhooks and chat.

create table mail (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null default now()
);
create index mail_created on mail (created_at desc);

create table notification (
  org_id uuid not null references organization,
  account_id uuid not null references account,
  id uuid not null,
  type text not null,
  -- 0 critical, 1 high, 2 medium, 3 low, 4 info
  severity smallint not null check (severity >= 0 and severity <= 4),
  -- Singular title; titles contains the plural with `{count}`.
  title text not null,
  titles text not null,
  body text not null,
  link text not null,
  icon text,
  reason text not null check (reason in ('owner', 'author', 'subscribed', 'mention', 'assigned', 'rule')),
  -- Unread notifications with the same key are merged.
  scope_key text not null,
  count int not null,
  -- For findings: the number per severity, critical first.
  tally int[],
  status text not null check (status in ('unread', 'read', 'archived')),
  saved boolean not null default false,
  -- False: only for e-mail, not shown in the inbox.
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
create index notification_list on notification (org_id, account_id, updated_at desc, id desc) where in_app;
create index notification_old on notification (org_id, updated_at) where (not saved) and status <> 'unread';
create unique index notification_scope on notification (org_id, account_id, scope_key) where status = 'unread';

-- Notification defaults of the organization per role. Members of a locked role cannot change them.
create table notification_default (
  org_id uuid not null references organization,
  role_id text not null,
  matrix jsonb not null default '{}',
  min_severity smallint check (min_severity >= 0 and min_severity <= 4),
  cadence text check (cadence in ('instant', 'hourly', 'daily', 'weekly')),
  locked boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (org_id, role_id)
);

-- The next summary e-mail of each account.
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

-- Changes to notify about, written in their transaction and processed by a job, so that a change never waits for the
-- notifications of all members.
create table notification_pending (
  org_id uuid not null references organization,
  id uuid not null,
  notification jsonb not null,
  raised_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);

-- Settings of an account. Null: the default of the role.
create table notification_setting (
  org_id uuid not null references organization,
  account_id uuid not null references account,
  -- Deviations from the default by type and channel.
  matrix jsonb not null default '{}',
  min_severity smallint check (min_severity >= 0 and min_severity <= 4),
  repositories uuid[],
  cadence text check (cadence in ('instant', 'hourly', 'daily', 'weekly')),
  -- Minutes of the day; both or none.
  quiet_from smallint check (quiet_from >= 0 and quiet_from <= 1439),
  quiet_until smallint check (quiet_until >= 0 and quiet_until <= 1439),
  timezone text not null default 'UTC',
  send_empty boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (org_id, account_id),
  check ((quiet_from is null) = (quiet_until is null))
);

-- Webhook endpoints of an organization.
create table outgoing_webhook (
  org_id uuid not null references organization,
  id uuid not null,
  url text not null,
  description text not null,
  -- Event types; null for all types, including future ones.
  types text[],
  secret_sealed bytea not null,
  -- After a rotation both secrets sign until previous_until.
  previous_secret_sealed bytea,
  previous_until timestamptz,
  enabled boolean not null default true,
  -- Start of the current series of failures; null after a success.
  failing_since timestamptz,
  -- Set when the webhook was disabled automatically after failing for days.
  auto_disabled_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);

-- One event to one endpoint.
create table outgoing_delivery (
  org_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  type text not null,
  -- The exact JSON that is sent and signed.
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  -- Attempts since the delivery was queued or redelivered.
  tries int not null default 0,
  -- All attempts.
  attempts int not null default 0,
  -- Time of the next attempt. During an attempt: when another process may take over.
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, webhook_id) references outgoing_webhook(org_id, id) on delete cascade
);
create index outgoing_delivery_age on outgoing_delivery (org_id, created_at);
create index outgoing_delivery_due on outgoing_delivery (org_id, webhook_id, next_at) where status = 'pending';
create index outgoing_delivery_failed on outgoing_delivery (org_id) where status = 'failed' or (status = 'pending' and tries > 0);
create index outgoing_delivery_log on outgoing_delivery (org_id, webhook_id, created_at desc, id);

create table outgoing_attempt (
  org_id uuid not null,
  delivery_id uuid not null,
  number int not null,
  at timestamptz not null default now(),
  -- Null without a response; failure then contains the reason.
  response_status int,
  -- The first characters of the response.
  response text,
  failure text,
  ms int not null,
  primary key (org_id, delivery_id, number),
  foreign key (org_id, delivery_id) references outgoing_delivery(org_id, id) on delete cascade
);

-- The Slack workspace of an organization.
create table chat_workspace (
  org_id uuid not null references organization,
  service text not null check (service in ('slack')),
  team_id text not null,
  team text not null,
  bot_id text not null,
  bot text not null,
  token_sealed bytea not null,
  token_end text not null,
  signing_secret_sealed bytea not null,
  -- Why the service rejects the token; null while it accepts it. Messages wait until another token is set.
  problem text,
  -- Null for the operator, at the command line.
  connected_by uuid,
  connected_at timestamptz not null default now(),
  primary key (org_id, service)
);

-- A channel or person that receives messages.
create table chat_target (
  org_id uuid not null references organization,
  id uuid not null,
  service text not null check (service in ('slack', 'teams')),
  -- The member whose notifications are sent; null for a channel.
  account_id uuid references account,
  name text not null,
  -- The ID of the channel or person in Slack.
  address text,
  -- The URL of a Teams workflow, of which the host is public.
  secret_sealed bytea,
  host text,
  -- Of channels: null for all types, including future ones.
  types text[],
  min_severity smallint not null default 4 check (min_severity >= 0 and min_severity <= 4),
  repositories uuid[],
  enabled boolean not null default true,
  failing_since timestamptz,
  auto_disabled_at timestamptz,
  -- Failed attempts since the last success.
  failures int not null default 0,
  problem text,
  -- The service asked to wait; not a failure.
  limited boolean not null default false,
  -- No message is sent before this time. During an attempt: when another process may take over.
  resumes_at timestamptz not null default now(),
  -- Posts since window_at, which is at most a minute ago.
  window_at timestamptz not null default now(),
  window_posts int not null default 0,
  last_delivered_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  check ((service = 'slack') = (address is not null) and (service = 'teams') = (secret_sealed is not null))
);
create unique index chat_target_person on chat_target (org_id, account_id, service) where account_id is not null;
create index chat_target_failing on chat_target (org_id, id) where failing_since is not null;
create unique index chat_target_address on chat_target (org_id, service, address) where account_id is null;

-- The thread of a subject, such as a finding, in a channel.
create table chat_thread (
  org_id uuid not null,
  target_id uuid not null,
  subject text not null,
  thread text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, target_id, subject),
  foreign key (org_id, target_id) references chat_target(org_id, id) on delete cascade
);
create index chat_thread_age on chat_thread (org_id, created_at);

-- One notification to one channel or person.
create table chat_message (
  org_id uuid not null,
  id uuid not null,
  target_id uuid not null,
  type text not null,
  severity smallint not null check (severity >= 0 and severity <= 4),
  title text not null,
  body text not null,
  link text not null,
  -- What its thread is about; null without a thread.
  subject text,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  -- The post that contains it, alone or as part of a digest. Kept while the result of an attempt is unknown, so that the
  -- next attempt sends the same post.
  post_id uuid,
  digest boolean not null default false,
  failure text,
  -- Time of the earliest attempt, after the quiet hours of a person.
  due_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  delivered_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, target_id) references chat_target(org_id, id) on delete cascade
);
create index chat_message_pending on chat_message (org_id, target_id, due_at, id) where status = 'pending';
create index chat_message_log on chat_message (org_id, target_id, created_at desc, id);
create index chat_message_age on chat_message (org_id, created_at);

call isolate_by_organization(
  'notification', 'notification_default', 'notification_digest', 'notification_outbox', 'notification_pending',
  'notification_setting', 'outgoing_webhook', 'outgoing_delivery', 'outgoing_attempt',
  'chat_workspace', 'chat_target', 'chat_thread', 'chat_message'
);
-- For the job that sends due e-mails. IDs only.
create policy lookup on notification_digest for select to sightline_lookup using (true);
grant select (org_id, due_at) on notification_digest to sightline_lookup;
create policy lookup on notification_pending for select to sightline_lookup using (true);
grant select (org_id) on notification_pending to sightline_lookup;
-- For the jobs that resume deliveries and delete old ones.
create policy lookup on outgoing_webhook for select to sightline_lookup using (true);
grant select (org_id) on outgoing_webhook to sightline_lookup;
-- For the jobs that resume messages to chat services and delete old ones.
create policy lookup on chat_target for select to sightline_lookup using (true);
grant select (org_id) on chat_target to sightline_lookup;
-- For the list of failures, without bodies and responses.
grant select (id, service, enabled, failing_since, failures, problem, resumes_at) on chat_target to sightline_lookup;
create policy lookup on outgoing_delivery for select to sightline_lookup using (true);
grant select (org_id, id, type, status, tries, attempts, next_at) on outgoing_delivery to sightline_lookup;
create policy lookup on outgoing_attempt for select to sightline_lookup using (true);
grant select (org_id, delivery_id, number, at, failure) on outgoing_attempt to sightline_lookup;

-- When to send the e-mail for an event at `at`: after a minute, on the next full hour, at 08:00, or on Monday at 08:00,
-- and never during quiet hours.
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
end
$$;

create function orgs_with_due_notifications() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select org_id from notification_digest where due_at <= now() union select org_id from notification_pending
$$;

create function orgs_with_outgoing_webhooks() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from outgoing_webhook
$$;

create function orgs_with_chat_targets() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from chat_target
$$;

call open_lookup('orgs_with_due_notifications()', 'orgs_with_outgoing_webhooks()', 'orgs_with_chat_targets()');
