-- Events are copied into ClickHouse where the operator has one. This is how far that came; without it nothing stands here.

create table event_copy (
  org_id uuid not null primary key,
  -- Older events than this are not copied yet. New ones are noted below from the moment this row is there.
  as_of timestamptz not null default 'infinity',
  id uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  -- Everything from before is copied.
  whole boolean not null default false
);

-- Events that came since, by the job that moves their words.
create table event_copy_pending (
  org_id uuid not null,
  seq bigint generated always as identity,
  as_of timestamptz[] not null,
  id uuid[] not null,
  primary key (org_id, seq)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_cost_delay = 0);

do $$
declare
  name text;
begin
  foreach name in array array['event_copy', 'event_copy_pending'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
    execute format('create policy lookup on %I for select to sightline_lookup using (true)', name);
  end loop;
end $$;
grant select (org_id, whole) on event_copy to sightline_lookup;
grant select (org_id) on event_copy_pending to sightline_lookup;

create function orgs_with_event_copies() returns setof uuid language sql stable security definer set search_path = public
  as $$ select org_id from event_copy $$;
create function orgs_to_copy() returns setof uuid language sql stable security definer set search_path = public
  as $$
    select o.id from organization o left join event_copy c on c.org_id = o.id where c.org_id is null or not c.whole
    union
    select org_id from event_copy_pending
  $$;
do $$
declare
  name text;
begin
  foreach name in array array['orgs_with_event_copies()', 'orgs_to_copy()'] loop
    execute format('alter function %s owner to sightline_lookup', name);
    execute format('revoke all on function %s from public', name);
    execute format('grant execute on function %s to sightline_app', name);
  end loop;
end $$;
