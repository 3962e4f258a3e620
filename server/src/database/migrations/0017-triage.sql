-- What people decide about findings: that one does not count, that it is accepted until a date, that two are one.

-- What somebody said last, and only that: `open` that it counts although a scanner says it does not, `dismissed` that it
-- does not, `exception` that it was accepted for a while. No scan touches it; `status` is worked out from it and from the
-- instances.
alter table finding add column decided text check (decided in ('open', 'dismissed', 'exception'));

-- Every decision ever made, also those taken back.
create table finding_decision (
  org_id uuid not null,
  finding_id uuid not null,
  id uuid not null,
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('dismissed', 'reopened', 'exception_requested', 'exception_approved',
    'exception_refused', 'exception_withdrawn', 'exception_expired', 'merged', 'split')),
  -- Null where the clock did it.
  account_id uuid,
  -- One of the reasons for a dismissal.
  reason text,
  comment text not null default '',
  exception_id uuid,
  until timestamptz,
  -- Of a merge or a split: the other finding, and its title.
  other jsonb,
  primary key (org_id, finding_id, id)
);

create table finding_exception (
  org_id uuid not null,
  id uuid not null,
  finding_id uuid not null,
  state text not null check (state in ('requested', 'approved', 'refused', 'withdrawn', 'expired')),
  until timestamptz not null,
  comment text not null,
  requested_by uuid not null,
  requested_at timestamptz not null default clock_timestamp(),
  decided_by uuid,
  decided_at timestamptz,
  decided_comment text not null default '',
  primary key (org_id, id),
  -- Four eyes, whatever the code above says.
  check (state not in ('approved', 'refused') or decided_by <> requested_by)
);
create index finding_exception_finding on finding_exception (org_id, finding_id, requested_at);
-- One at a time: a second request would say nothing the first does not.
create unique index finding_exception_alive on finding_exception (org_id, finding_id)
  where state in ('requested', 'approved');
create index finding_exception_state on finding_exception (org_id, state, requested_at, id);
create index finding_exception_until on finding_exception (org_id, until) where state in ('requested', 'approved');

-- A finding that became part of another one: its address leads there, and a split gives it back. Its sources as they were.
create table finding_merged (
  org_id uuid not null,
  id uuid not null,
  into_id uuid not null,
  fingerprints uuid[] not null,
  introduced jsonb,
  merged_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index finding_merged_into on finding_merged (org_id, into_id);

do $$
declare
  name text;
begin
  foreach name in array array['finding_decision', 'finding_exception', 'finding_merged'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;

-- Asked by the clock, of all organisations at once: whose exceptions have run out? Ids only.
create policy lookup on finding_exception for select to sightline_lookup using (true);
grant select (org_id, state, until) on finding_exception to sightline_lookup;
create function orgs_with_ended_exceptions() returns setof uuid language sql stable security definer set search_path = public
  as $$
    select distinct org_id from finding_exception where state in ('requested', 'approved') and until <= now()
  $$;
alter function orgs_with_ended_exceptions() owner to sightline_lookup;
revoke all on function orgs_with_ended_exceptions() from public;
grant execute on function orgs_with_ended_exceptions() to sightline_app;
