-- Events are deleted some time after they happened, and with them whatever tells of them.

-- Lists of an hour, whatever their words: they are written in the order of time, so that a range of pages knows its hours.
-- Next to nothing to write, where another tree would be a fifth of what a list costs.
create index posting_list_hour on posting_list using brin (org_id, hour) with (pages_per_range = 16, autosummarize = on);
grant delete on posting_list, event_hour_kind to sightline_app;

-- Since when no event has this value. Its name goes some days later: processes remember for a day which names are written.
alter table posting_name add column idle_since timestamptz;
create index posting_name_idle on posting_name (org_id) where idle_since is not null;
grant delete, update (idle_since) on posting_name to sightline_app;

-- What proofs still need of events that are gone: a batch is proved by the root over the leaf hashes of all its events.
create table forgotten_event (
  org_id uuid not null,
  -- That of the event, and so of every event in its batch.
  received_at timestamptz not null,
  id uuid not null,
  proof uuid not null,
  leaf_hash bytea not null,
  primary key (org_id, received_at, id)
);

-- Deleted and not yet told of in the audit log: a run that was cut short is told of by the next.
create table event_retention (
  org_id uuid not null primary key,
  events int not null,
  clipboard_events int not null
);

do $$
declare
  name text;
begin
  foreach name in array array['forgotten_event', 'event_retention'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
revoke update on forgotten_event from sightline_app;
