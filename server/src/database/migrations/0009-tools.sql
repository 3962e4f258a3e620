-- Tools, their detections and use, and presence of extensions.

-- Tools in use per organization and tab.
create table tool (
  org_id uuid not null references organization,
  tab text not null check (tab in ('ci/cd', 'developer')),
  id text not null,
  name text not null,
  vendor text,
  icon text,
  kind text not null,
  categories text[] not null,
  version text,
  sources text[] not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (org_id, tab, id)
);
create index tool_name on tool (org_id, tab, lower(name), id);

-- A location in a file of the default branch that refers to a tool.
create table tool_detection (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  tool_id text not null,
  source text not null,
  path text not null,
  -- Null: the whole file.
  line int,
  text text not null,
  version text,
  -- The introducing commit and its author, if known.
  commit_sha text not null,
  added_by text,
  person_id uuid,
  confidence text not null check (confidence in ('observed', 'inferred')),
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  removed_at timestamptz,
  -- Of agent configuration: {agent, kind, problem, server}, without values that may be secrets; null for any other file.
  configuration jsonb,
  -- The last commit that changed the file and its author, of agent configuration; null if unknown.
  changed_sha text,
  changed_by text,
  changed_person uuid,
  changed_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index tool_detection_configuration on tool_detection (org_id, last_seen desc, id) where configuration is not null;
create index tool_detection_repository on tool_detection (org_id, repository_id, path);
create index tool_detection_tool on tool_detection (org_id, tool_id, last_seen desc, id);

create table tool_person (
  org_id uuid not null,
  tab text not null,
  tool_id text not null,
  person_id uuid not null,
  source text not null,
  -- The editor or browser; empty for a repository.
  program text not null,
  -- The reporting installation, so that one device does not remove the tool of another; nil UUID if none.
  device_id uuid not null,
  version text,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  removed_at timestamptz,
  -- Of an MCP server that an editor reports, and when it changed; null for any other tool.
  configuration jsonb,
  changed_at timestamptz,
  primary key (org_id, tab, tool_id, person_id, source, program, device_id)
);
create index tool_person_person on tool_person (org_id, person_id, tab);
create index tool_person_configuration on tool_person (org_id, last_seen desc) where configuration is not null;

create table tool_repository (
  org_id uuid not null,
  tab text not null,
  tool_id text not null,
  repository_id uuid not null,
  source text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  removed_at timestamptz,
  primary key (org_id, tab, tool_id, repository_id, source),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index tool_repository_repository on tool_repository (org_id, repository_id, tab);

-- Changes with each transaction that changes what filters and counts of the inventory are computed from: they are reused until then.
create table tool_version (
  org_id uuid primary key,
  version uuid not null
);

-- State of the tool scan of a repository.
create table tool_scan (
  org_id uuid not null,
  repository_id uuid not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed')),
  -- The last completely scanned commit.
  commit_sha text,
  scanned_at timestamptz,
  error text,
  -- Scanned files by content ID with the rule version and time.
  files jsonb not null default '{}',
  rules int not null default 0,
  updated_at timestamptz not null default now(),
  primary key (org_id, repository_id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);

-- First sighting of a tool per person or repository and day. Messages older than an hour add nothing.
create table tool_sighting (
  org_id uuid not null,
  tab text not null,
  tool_id text not null,
  holder text not null check (holder in ('person', 'repository')),
  holder_id uuid not null,
  -- Empty: unknown.
  version text not null,
  day date not null,
  seen_at timestamptz not null,
  entry_id uuid not null,
  primary key (org_id, tool_id, holder, holder_id, version, day, tab)
);
create index tool_sighting_day on tool_sighting (org_id, day, tool_id, holder, holder_id);
revoke update, delete on tool_sighting from sightline_app;

-- An editor window or browser profile. Written at every heartbeat, so no changing column is indexed.
create table extension_session (
  org_id uuid not null references organization,
  account_id uuid not null references account,
  side text not null check (side in ('browser', 'ide')),
  id uuid not null,
  type text not null,
  version text not null,
  -- Connected until this time. Sockets and heartbeats extend it.
  live_until timestamptz not null,
  seen_at timestamptz not null,
  heartbeat_at timestamptz,
  -- The current connection. Messages of earlier connections are ignored.
  holder uuid,
  -- The repository and branch open in the editor, and when they were reported.
  repository_id uuid,
  branch text,
  opened_at timestamptz,
  grant_id uuid,
  -- Recording is paused between these times; paused_until is null until the person resumes.
  paused_at timestamptz,
  paused_until timestamptz,
  primary key (org_id, account_id, side, id)
) with (fillfactor = 70);

create table presence_change (
  org_id uuid not null,
  account_id uuid not null,
  side text not null check (side in ('browser', 'ide')),
  at timestamptz not null,
  connected boolean not null,
  reason text not null check (reason in ('connected', 'disconnected', 'timed_out', 'paused', 'signed_out')),
  entry_id uuid not null,
  primary key (org_id, account_id, side, at, connected)
);
create index presence_change_at on presence_change (org_id, at, account_id);
revoke update, delete on presence_change from sightline_app;

-- Current connection state per person and side. Its row lock serializes changes.
create table presence_side (
  org_id uuid not null,
  account_id uuid not null,
  side text not null check (side in ('browser', 'ide')),
  -- Null: not connected.
  connected_since timestamptz,
  primary key (org_id, account_id, side)
);
create index presence_side_connected on presence_side (org_id, account_id, side) where connected_since is not null;

-- A session of a coding agent, as its telemetry reports it.
create table agent_session (
  org_id uuid not null references organization,
  id uuid not null,
  agent text not null,
  -- The ID that the agent gave it.
  vendor_session text not null,
  -- The account whose key or token sent it; nil UUID for a key of the organization. No other sender adds to the session.
  reporter uuid not null,
  -- The person of the reporter, or the one that the telemetry declares; null: unknown.
  person_id uuid,
  repository_id uuid,
  branch text,
  version text,
  models text[] not null default '{}',
  -- Names of the MCP servers whose tools it called.
  mcp_servers text[] not null default '{}',
  -- Whether it reports its tool calls, and the MCP server of each of them that uses one.
  reports_tools boolean not null default false,
  names_mcp_servers boolean not null default true,
  first_at timestamptz not null,
  last_at timestamptz not null,
  received_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create unique index agent_session_vendor on agent_session (org_id, agent, vendor_session, reporter);
create index agent_session_last on agent_session (org_id, last_at desc, id);
create index agent_session_person on agent_session (org_id, person_id, last_at desc, id);
create index agent_session_repository on agent_session (org_id, repository_id, branch, last_at) where repository_id is not null;
-- Changes name sessions by the hash of this ID.
create index agent_session_key on agent_session (org_id, hashtextextended(vendor_session, 0));

-- One record of telemetry, without texts. digest is SHA-256 of its canonical form, so that a repeated one is stored once.
create table agent_record (
  org_id uuid not null,
  session_id uuid not null,
  digest bytea not null,
  at timestamptz not null,
  signal text not null check (signal in ('logs', 'traces', 'metrics')),
  kind text not null,
  -- Numbers, and names of models and tools.
  fields json not null,
  -- HMAC of a prompt under the key of the person.
  prompt_hash bytea,
  -- The ledger entry of the batch.
  entry_id uuid not null,
  primary key (org_id, session_id, digest),
  foreign key (org_id, session_id) references agent_session(org_id, id) on delete cascade
);
create index agent_record_at on agent_record (org_id, session_id, at, digest);
create index agent_record_expiry on agent_record (org_id, at);

-- Organizations that store texts of prompts, and who decided it.
create table agent_prompt_storage (
  org_id uuid primary key references organization,
  enabled_at timestamptz not null default now(),
  enabled_by uuid not null
);

-- The text of a prompt, encrypted under the key of its person.
create table agent_prompt (
  org_id uuid not null,
  session_id uuid not null,
  digest bytea not null,
  person_id uuid not null,
  text bytea not null,
  primary key (org_id, session_id, digest),
  foreign key (org_id, session_id, digest) references agent_record(org_id, session_id, digest) on delete cascade
);
create index agent_prompt_person on agent_prompt (org_id, person_id);

-- Totals of a session by signal, since an agent may report the same use by several signals.
create table agent_total (
  org_id uuid not null,
  session_id uuid not null,
  signal text not null check (signal in ('logs', 'traces', 'metrics')),
  measure text not null,
  -- Empty: not of a model.
  model text not null,
  -- SHA-256 of the series and its start for a cumulative metric, whose value is the largest; empty: a sum.
  series bytea not null,
  value float8 not null,
  primary key (org_id, session_id, signal, measure, model, series),
  foreign key (org_id, session_id) references agent_session(org_id, id) on delete cascade
);

-- A commit that a session made, by its SHA or the start of it, a hash of the end of the path of a file that it edited, or
-- the URL of a build that it was attached to.
create table agent_touch (
  org_id uuid not null,
  session_id uuid not null,
  kind text not null check (kind in ('commit', 'file', 'build')),
  value text not null,
  primary key (org_id, session_id, kind, value),
  foreign key (org_id, session_id) references agent_session(org_id, id) on delete cascade
);
-- The shortest SHA that telemetry may contain.
create index agent_touch_commit on agent_touch (org_id, left(value, 7)) where kind = 'commit';

-- The last reading of the Copilot usage of a GitHub organization.
create table copilot_source (
  org_id uuid not null references organization,
  installation_id text not null,
  state text not null check (state in ('read', 'no_reports', 'not_permitted', 'limited', 'failed')),
  -- What GitHub answered, if not everything was read.
  reason text,
  checked_at timestamptz not null,
  -- The last day until which GitHub answered for every day; null: for none.
  read_through date,
  primary key (org_id, installation_id)
);

-- The report of a day (UTC): numbers only. A count that is missing was not reported.
create table copilot_day (
  org_id uuid not null references organization,
  installation_id text not null,
  day date not null,
  counts jsonb not null,
  -- Records and parts of records that were not understood.
  rejected int not null,
  read_at timestamptz not null,
  -- The ledger entry with the digest of the report.
  entry_id uuid not null,
  primary key (org_id, installation_id, day)
);

-- The counts of a day by feature, by model and feature, or by editor.
create table copilot_day_part (
  org_id uuid not null,
  installation_id text not null,
  day date not null,
  kind text not null check (kind in ('feature', 'model', 'editor')),
  name text not null,
  -- Empty unless of a model.
  feature text not null,
  counts jsonb not null,
  primary key (org_id, installation_id, day, kind, name, feature),
  foreign key (org_id, installation_id, day) references copilot_day(org_id, installation_id, day) on delete cascade
);

call isolate_by_organization(
  'copilot_source', 'copilot_day', 'copilot_day_part', 'agent_prompt_storage', 'agent_prompt', 'agent_touch', 'agent_session', 'agent_record', 'agent_total', 'tool', 'tool_detection', 'tool_person', 'tool_repository', 'tool_scan', 'tool_sighting', 'tool_version', 'extension_session',
  'presence_change', 'presence_side'
);

-- Once per transaction, at its end, so that its lock is the last one and transactions cannot deadlock.
create function renew_tool_version() returns trigger language plpgsql as $$
declare
  org uuid := case when tg_op = 'DELETE' then old.org_id else new.org_id end;
  done text := concat(pg_current_xact_id(), org);
begin
  if current_setting('sightline.tool_version', true) = done then return null; end if;
  perform set_config('sightline.tool_version', done, true);
  insert into tool_version (org_id, version) values (org, gen_random_uuid())
  on conflict (org_id) do update set version = excluded.version;
  return null;
end
$$;

-- The inventory is filtered by days in UTC: another sighting on the same day changes nothing.
create constraint trigger renew_tool_version after insert or delete on tool deferrable initially deferred
  for each row when (not is_importing()) execute function renew_tool_version();
create constraint trigger renew_tool_version_update after update on tool deferrable initially deferred
  for each row when ((old.name, old.vendor, old.kind, old.categories, old.version, old.sources, (old.first_seen at time zone 'UTC')::date, (old.last_seen at time zone 'UTC')::date)
      is distinct from (new.name, new.vendor, new.kind, new.categories, new.version, new.sources, (new.first_seen at time zone 'UTC')::date, (new.last_seen at time zone 'UTC')::date))
  execute function renew_tool_version();
create constraint trigger renew_tool_version after insert or delete on tool_person deferrable initially deferred
  for each row when (not is_importing()) execute function renew_tool_version();
create constraint trigger renew_tool_version_update after update on tool_person deferrable initially deferred
  for each row when ((old.person_id, old.removed_at is null, (old.first_seen at time zone 'UTC')::date, (old.last_seen at time zone 'UTC')::date)
      is distinct from (new.person_id, new.removed_at is null, (new.first_seen at time zone 'UTC')::date, (new.last_seen at time zone 'UTC')::date))
  execute function renew_tool_version();
create constraint trigger renew_tool_version after insert or delete on tool_repository deferrable initially deferred
  for each row when (not is_importing()) execute function renew_tool_version();
create constraint trigger renew_tool_version_update after update on tool_repository deferrable initially deferred
  for each row when ((old.removed_at is null, (old.first_seen at time zone 'UTC')::date, (old.last_seen at time zone 'UTC')::date)
      is distinct from (new.removed_at is null, (new.first_seen at time zone 'UTC')::date, (new.last_seen at time zone 'UTC')::date))
  execute function renew_tool_version();
create constraint trigger renew_tool_version after insert or delete on tool_detection deferrable initially deferred
  for each row when (not is_importing()) execute function renew_tool_version();
create constraint trigger renew_tool_version_update after update on tool_detection deferrable initially deferred
  for each row when ((old.path, old.text) is distinct from (new.path, new.text)) execute function renew_tool_version();
-- Shared rows contain names of repositories.
create constraint trigger renew_tool_version_of_name after update of full_name on repository deferrable initially deferred
  for each row when (old.full_name is distinct from new.full_name) execute function renew_tool_version();

-- Finds organizations whose connections may have timed out.
create policy lookup on presence_side for select to sightline_lookup using (true);
grant select (org_id, connected_since) on presence_side to sightline_lookup;

create function orgs_with_connected_sides() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from presence_side where connected_since is not null
$$;

call open_lookup('orgs_with_connected_sides()');
