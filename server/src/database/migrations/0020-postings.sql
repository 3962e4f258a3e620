-- Which events hold a word, as lists by word and hour instead of a row for each: most words come again and again, and a list
-- costs a fraction of its rows to write, to keep and to read. As_of and id of a list belong together by their place; the
-- lists of one hour may be several, each in order.
create table posting_list (
  org_id uuid not null,
  -- A word as a 53-bit hash: wide enough that a hit needs no second look.
  term bigint not null,
  -- Hours since 1970 of the events' as_of.
  hour int not null,
  seq bigint generated always as identity,
  as_of timestamptz[] not null,
  id uuid[] not null,
  primary key (org_id, term, hour, seq)
);

-- What was written together and is not in the lists yet: events by place, and for each word of each the place of its event.
create table posting_pending (
  org_id uuid not null,
  seq bigint generated always as identity,
  events int not null,
  as_of timestamptz[] not null,
  id uuid[] not null,
  terms bigint[] not null,
  places int[] not null,
  primary key (org_id, seq)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_cost_delay = 0);
-- Read once and deleted: packing them would cost more than it saves.
alter table posting_pending
  alter as_of set storage external,
  alter id set storage external,
  alter terms set storage external,
  alter places set storage external;

insert into posting_list (org_id, term, hour, as_of, id)
select org_id, term, floor(extract(epoch from as_of) / 3600)::int, array_agg(as_of), array_agg(id)
from (
  select org_id, term, as_of, id from event_term
  union
  select org_id, term, as_of, id from event_term_pending cross join unnest(terms) as term
) t group by 1, 2, 3;

-- One row an event instead of two: its details are written with it and never changed, and pages that do not show them
-- name their columns.
alter table event add column detail json;
update event e set detail = d.detail from event_detail d where d.org_id = e.org_id and d.as_of = e.as_of and d.id = e.id;
update event set detail = '[]' where detail is null;
alter table event alter column detail set not null;

create or replace function orgs_with_unfinished_work() returns setof uuid language sql stable security definer set search_path = public
  as $$
    select org_id from webhook_delivery where processed_at is null
    union
    select org_id from repository_import where state in ('queued', 'running', 'waiting')
    union
    select org_id from posting_pending
  $$;

drop table event_term, event_term_pending, event_detail;

do $$
declare
  name text;
begin
  foreach name in array array['posting_list', 'posting_pending'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
revoke update, delete on posting_list from sightline_app;
create policy lookup on posting_pending for select to sightline_lookup using (true);
grant select (org_id) on posting_pending to sightline_lookup;
