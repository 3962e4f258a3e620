-- Controls: what was set about them, each time a population was judged, and the verdict of each row.

-- What policies amount to, by control. Written once: a later version, or an end, changes nothing of what was valid before it.
-- Who asks as of an earlier state of the ledger sees neither what was set later nor that it was ended later.
create table control_setting (
  org_id uuid not null references organization,
  control_id text not null,
  -- Counts on through all of an organisation's settings. What holds until somebody sets anything is version 0 and has no row.
  version int not null check (version > 0),
  setting jsonb not null,
  -- Null: all repositories.
  repositories uuid[],
  valid_from timestamptz not null,
  valid_until timestamptz,
  policy_id uuid,
  policy_version int,
  entry_id uuid not null,
  -- The entry that says until when.
  ended_entry_id uuid,
  primary key (org_id, control_id, version),
  check (valid_until is not null or ended_entry_id is null)
);
create unique index control_setting_version on control_setting (org_id, version);

create table control_run (
  org_id uuid not null references organization,
  id uuid not null,
  control_id text not null,
  catalogue_version text not null,
  period_from timestamptz not null,
  period_to timestamptz not null,
  as_of_epoch int not null,
  as_of_size bigint not null,
  population int not null,
  pass int not null,
  exception int not null,
  excepted int not null,
  gap int not null,
  status text not null check (status in ('met', 'not_met', 'gap', 'no_population')),
  completeness jsonb not null,
  seed text not null,
  -- How many rows have each reason, by its code.
  reasons jsonb not null,
  rows_sha256 bytea not null check (octet_length(rows_sha256) = 32),
  -- The run under which the rows lie: an earlier one that came to the very same, else itself. Null: they are kept no longer.
  rows_of uuid,
  -- As of an earlier checkpoint that somebody named: it tells nothing of the day it was made on.
  again boolean not null,
  entry_id uuid not null,
  run_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);
create index control_run_latest on control_run
  (org_id, control_id, period_from, period_to, as_of_epoch desc, as_of_size desc, run_at desc, id);
create index control_run_rows on control_run (org_id, rows_of);

create table control_row (
  org_id uuid not null,
  run_id uuid not null,
  ord int not null,
  subject text not null,
  repository_id uuid,
  verdict text not null check (verdict in ('pass', 'exception', 'excepted', 'gap')),
  reasons text[] not null,
  leaf bigint,
  leaves bigint[] not null,
  setting int not null,
  primary key (org_id, run_id, ord),
  foreign key (org_id, run_id) references control_run (org_id, id) on delete cascade
);
create index control_row_verdict on control_row (org_id, run_id, verdict, ord);

-- Somebody, or the clock, wants a population judged. One at a time of the same.
create table control_task (
  org_id uuid not null references organization,
  id uuid not null,
  control_id text not null,
  period_from timestamptz not null,
  period_to timestamptz not null,
  -- An earlier state of the ledger that somebody named.
  asked_epoch int,
  asked_size bigint,
  -- Null until the newest was signed for it.
  as_of_epoch int,
  as_of_size bigint,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  judged int not null default 0,
  failure text,
  run_id uuid,
  asked_by uuid,
  asked_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  primary key (org_id, id)
);
create unique index control_task_open on control_task
  (org_id, control_id, period_from, period_to, coalesce(asked_epoch, 0), coalesce(asked_size, 0))
  where state in ('queued', 'running');
create index control_task_latest on control_task (org_id, control_id, period_from, period_to, asked_at desc, id);

-- How long entries waited for their place on a day, at most: the sequencer keeps it.
create table ledger_wait (
  org_id uuid not null references organization,
  day date not null,
  seconds int not null check (seconds >= 0),
  primary key (org_id, day)
);

-- How the ledger was on a day that is over. Null: it is not known.
create table ledger_day (
  org_id uuid not null references organization,
  day date not null,
  self_check text check (self_check in ('ok', 'failed')),
  longest_pending_seconds int,
  -- As of the end of the day; null: never.
  last_anchored_at timestamptz,
  epoch_breaks int not null,
  entry_id uuid not null,
  primary key (org_id, day)
);

do $$
declare
  name text;
begin
  foreach name in array array['control_setting', 'control_run', 'control_row', 'control_task', 'ledger_wait', 'ledger_day'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
revoke update, delete on control_setting, control_run, ledger_day from sightline_app;
revoke update on control_row from sightline_app;
grant update (valid_until, ended_entry_id) on control_setting to sightline_app;
grant update (rows_of) on control_run to sightline_app;
revoke insert, update, delete on ledger_wait from sightline_app;
grant select, insert, update on ledger_wait to sightline_ledger;
