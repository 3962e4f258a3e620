-- Destinations that an organization's audit log is streamed to.
create table audit_stream (
  org_id uuid not null references organization,
  id uuid not null,
  kind text not null check (kind in ('syslog', 's3', 'https')),
  name text not null check (length(name) between 1 and 80),
  -- Whatever its kind needs and is no secret.
  settings jsonb not null,
  secret_sealed bytea,
  previous_secret_sealed bytea,
  previous_until timestamptz,
  enabled boolean not null default true,
  -- The cursor: place in the ledger of the last entry that was delivered. Places are given in the order of commits.
  epoch int not null,
  leaf_index bigint not null,
  last_delivered_at timestamptz,
  -- Failed attempts since the last success.
  tries int not null default 0,
  failing_since timestamptz,
  failed_at timestamptz,
  failure text,
  next_at timestamptz not null default now(),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, name)
);
create index audit_stream_due on audit_stream (org_id, next_at) where enabled;

-- Audit entries in the order of the ledger.
create index ledger_entry_audit on ledger_entry (org_id, epoch, leaf_index) where kind like 'audit.%';

alter table audit_stream enable row level security;
alter table audit_stream force row level security;
create policy tenant on audit_stream using (org_id = app_org()) with check (org_id = app_org());

-- For the job that resumes what a process left behind.
create policy lookup on audit_stream for select to sightline_lookup using (true);
grant select (org_id, kind, enabled, epoch, leaf_index, failing_since, next_at) on audit_stream to sightline_lookup;
create function orgs_with_due_audit_streams() returns setof uuid language sql stable security definer set search_path = public
  as $$ select distinct org_id from audit_stream where enabled and next_at <= now() $$;
alter function orgs_with_due_audit_streams() owner to sightline_lookup;
revoke all on function orgs_with_due_audit_streams() from public;
grant execute on function orgs_with_due_audit_streams() to sightline_app;

-- How far the destinations of each kind are behind, over all organizations, for metrics. Entries of one destination are counted up to
-- 10,000.
create policy lookup on ledger_entry for select to sightline_lookup using (true);
grant select (org_id, epoch, leaf_index, kind, entry_id) on ledger_entry to sightline_lookup;
grant select (org_id, kind, queued_at) on ledger_pending to sightline_lookup;
create policy lookup on audit_event for select to sightline_lookup using (true);
grant select (org_id, id, at) on audit_event to sightline_lookup;
create function audit_stream_lag() returns table (kind text, streams bigint, failing bigint, behind numeric, seconds double precision)
  language sql stable security definer set search_path = public
  as $$
    select s.kind, count(*), count(s.failing_since), sum(placed.count + waiting.count),
      coalesce(max(extract(epoch from clock_timestamp() - coalesce(oldest.at, waiting.oldest))), 0)::double precision
    from audit_stream s
    cross join lateral (
      select count(*) from (
        select from ledger_entry e
        where e.org_id = s.org_id and e.kind like 'audit.%' and (e.epoch, e.leaf_index) > (s.epoch, s.leaf_index)
        limit 10000) few) placed
    cross join lateral (
      select count(*), min(p.queued_at) as oldest from (
        select queued_at from ledger_pending q where q.org_id = s.org_id and q.kind like 'audit.%' limit 10000) p) waiting
    left join lateral (
      select a.at from ledger_entry e join audit_event a on a.org_id = e.org_id and a.id = e.entry_id
      where e.org_id = s.org_id and e.kind like 'audit.%' and (e.epoch, e.leaf_index) > (s.epoch, s.leaf_index)
      order by e.epoch, e.leaf_index limit 1) oldest on true
    where s.enabled
    group by s.kind
  $$;
alter function audit_stream_lag() owner to sightline_lookup;
revoke all on function audit_stream_lag() from public;
grant execute on function audit_stream_lag() to sightline_app;
