-- How many events of a kind happened in an hour, for histograms that ask for no more than kinds and a stretch of time. The job
-- that moves words into their lists adds what it moves; what still waits for it is counted from there. No index but the key,
-- and room on each page, so that adding to a count writes no index.
create table event_hour_kind (
  org_id uuid not null,
  -- Hours since 1970 of the events' as_of.
  hour int not null,
  kind text not null,
  n int not null,
  primary key (org_id, hour, kind)
) with (fillfactor = 50);

-- Rows that only add words to events which were counted before.
alter table posting_pending add column late boolean not null default false;

-- What waits is counted when it is moved.
insert into event_hour_kind (org_id, hour, kind, n)
select e.org_id, floor(extract(epoch from e.as_of) / 3600)::int, e.kind, count(*)
from event e
where not exists (
  select from (select p.org_id, unnest(p.id) as id from posting_pending p) waiting
  where waiting.org_id = e.org_id and waiting.id = e.id)
group by 1, 2, 3;

-- A question kept under a name, for whoever made it or for everybody in the organisation.
create table explore_view (
  org_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  name text not null,
  query text not null,
  context uuid,
  shared boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
create unique index explore_view_name on explore_view (org_id, account_id, lower(name));
create index explore_view_shared on explore_view (org_id, lower(name)) where shared;

do $$
declare
  name text;
begin
  foreach name in array array['event_hour_kind', 'explore_view'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
revoke delete on event_hour_kind from sightline_app;
