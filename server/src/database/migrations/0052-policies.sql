-- What an organisation asks of its changes, tools and members, and who may break it for a time. A version is never changed: the
-- next one, or taking the policy away, ends it. What policies amount to for each control stands in control_setting.
create table policy (
  org_id uuid not null,
  id uuid not null,
  version int not null check (version > 0),
  name text not null,
  kind text not null check (kind in ('merge', 'scan-freshness', 'sla', 'tool-allow', 'tool-deny', 'ai-provenance', 'access-review', 'digest')),
  -- {repositories: uuid[] or null for all, branches: patterns, tools: [{id, versions: patterns or null for all}]}
  scope jsonb not null,
  -- Values of parameters, by control.
  settings jsonb not null,
  mode text not null check (mode in ('observe', 'warn', 'enforce')),
  valid_from timestamptz not null,
  -- Null: it holds on. Set once, by the entry of the ledger that ended_entry_id names.
  valid_until timestamptz,
  ended_entry_id uuid,
  author uuid not null,
  entry_id uuid not null,
  primary key (org_id, id, version),
  check ((valid_until is null) = (ended_entry_id is null)),
  check (valid_until >= valid_from)
);
create unique index policy_current on policy (org_id, id) where valid_until is null;
create index policy_kind on policy (org_id, kind, valid_from, id, version);

-- What a policy would have said of the last 30 days. None is enforced before somebody looked at exactly that.
create table policy_dry_run (
  org_id uuid not null,
  id uuid not null,
  -- SHA-256 of what was tried: the policy and its version, kind, scope and settings.
  tried bytea not null check (octet_length(tried) = 32),
  result jsonb not null,
  made_by uuid not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);
create index policy_dry_run_tried on policy_dry_run (org_id, tried, made_at);

-- Leave to break a control: asked for by one account, decided by another. That of findings stands in finding_exception.
create table control_exception (
  org_id uuid not null,
  id uuid not null,
  control_id text not null,
  -- Of the row that the control judges.
  subject text not null,
  -- Null where the row is about no repository.
  repository_id uuid,
  reason text not null,
  -- Of the reason as it was written, also when its words are erased.
  reason_length int not null check (reason_length > 0),
  requested_by uuid not null,
  requested_at timestamptz not null default clock_timestamp(),
  decided_by uuid,
  decided_at timestamptz,
  decision text check (decision in ('approved', 'refused', 'withdrawn')),
  decided_comment text not null default '',
  -- From the request on; of one that was approved, from then on.
  valid_from timestamptz not null default clock_timestamp(),
  valid_until timestamptz not null,
  -- That its time is over, or that nobody decided in time, was told and noted.
  expired_at timestamptz,
  expiring_told_at timestamptz,
  entry_id uuid not null,
  decided_entry_id uuid,
  primary key (org_id, id),
  -- Four eyes, whatever the code above says.
  check (decided_by is null or decision = 'withdrawn' or decided_by <> requested_by),
  check ((decision is null) = (decided_at is null)),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
-- One request or leave for a subject at a time.
create unique index control_exception_alive on control_exception (org_id, control_id, subject)
  where expired_at is null and (decision is null or decision = 'approved');
create index control_exception_subject on control_exception (org_id, control_id, subject, requested_at);
create index control_exception_requested on control_exception (org_id, requested_at, id);
create index control_exception_until on control_exception (org_id, valid_until, id) where expired_at is null;

-- Asked before an organisation is known: whose exceptions are over? One look into the index for each that has any.
create policy lookup on control_exception for select to sightline_lookup using (true);
grant select (org_id, valid_until, decision, expired_at) on control_exception to sightline_lookup;
create function orgs_with_ended_control_exceptions() returns setof uuid language sql stable security definer set search_path = public
  as $$
    with recursive each as (
      (select org_id from control_exception where expired_at is null order by org_id limit 1)
      union all
      select (select c.org_id from control_exception c where c.expired_at is null and c.org_id > e.org_id order by c.org_id limit 1)
      from each e where e.org_id is not null
    )
    select org_id from each where org_id is not null and (
      select true from control_exception c
      where c.org_id = each.org_id and c.expired_at is null and c.valid_until <= now() and (c.decision is null or c.decision = 'approved')
      limit 1
    )
  $$;
alter function orgs_with_ended_control_exceptions() owner to sightline_lookup;
revoke all on function orgs_with_ended_control_exceptions() from public;
grant execute on function orgs_with_ended_control_exceptions() to sightline_app;

do $$
declare
  name text;
begin
  foreach name in array array['policy', 'policy_dry_run', 'control_exception'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
-- What was said once is only ended, never rewritten.
revoke update, delete on policy, control_exception from sightline_app;
grant update (valid_until, ended_entry_id) on policy to sightline_app;
grant update (decided_by, decided_at, decision, decided_comment, valid_from, valid_until, expired_at, expiring_told_at, decided_entry_id)
  on control_exception to sightline_app;
