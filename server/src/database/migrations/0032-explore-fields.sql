-- What events are found by beside their words: branch:main, tool:cursor, has:site. Each value is a term in the posting lists,
-- `field`, a line break and the value in lower case, hashed as words are.

-- Every value and word by its text, so that an asterisk in a query can stand for any part of it. Written by the job that
-- moves postings into their lists; `C` so that the beginning of a value is a stretch of the key.
create table posting_name (
  org_id uuid not null,
  -- `word`, or the field of the value.
  field text not null,
  value text collate "C" not null,
  term bigint not null,
  primary key (org_id, field, value)
);

-- New names among what waits for its lists: field, line break, value, and the term of each.
alter table posting_pending
  add names text[] not null default '{}',
  add name_terms bigint[] not null default '{}';

-- Organisations whose events were written without fields, and how far a job that adds them has come, from the newest on.
create table event_refield (
  org_id uuid not null primary key,
  -- Events received from here on have their fields.
  received_before timestamptz not null default now(),
  as_of timestamptz not null default 'infinity',
  id uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff'
);
insert into event_refield (org_id) select id from organization;

create or replace function orgs_with_unfinished_work() returns setof uuid language sql stable security definer set search_path = public
  as $$
    select org_id from webhook_delivery where processed_at is null
    union
    select org_id from repository_import where state in ('queued', 'running', 'waiting')
    union
    select org_id from posting_pending
    union
    select org_id from event_refield
  $$;

do $$
declare
  name text;
begin
  foreach name in array array['posting_name', 'event_refield'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
revoke update, delete on posting_name from sightline_app;
create policy lookup on event_refield for select to sightline_lookup using (true);
grant select (org_id) on event_refield to sightline_lookup;
