-- The timeline. Narrow on purpose: what one row shows and what filters ask; the rest is in event_detail.
-- id is the message's own id (or derived from the fact it tells), so a resend is the same row whatever its as_of says.
create table event (
  org_id uuid not null,
  id uuid not null,
  as_of timestamptz not null,
  received_at timestamptz not null,
  kind text not null,
  actor uuid,
  repo uuid,
  pr int,
  source text not null,
  summary json not null,
  leaf_hash bytea not null,
  -- The ledger entry that proves it: its own (the same id), or that of the batch it came in, whose root is over
  -- the leaf hashes of all events with this proof in the order of their ids.
  proof uuid not null,
  primary key (org_id, as_of, id)
);
create unique index event_once on event (org_id, id);
create index event_kind on event (org_id, kind, as_of, id) include (actor, repo, pr);
create index event_repo on event (org_id, repo, as_of, id) include (kind, actor, pr) where repo is not null;
create index event_actor on event (org_id, actor, as_of, id) include (kind, repo, pr) where actor is not null;
create index event_pr on event (org_id, repo, pr, as_of, id) where pr is not null;

-- Keyed by time like its event: inserts go to the right edge of the index, not to random pages.
create table event_detail (
  org_id uuid not null,
  as_of timestamptz not null,
  id uuid not null,
  detail json not null,
  primary key (org_id, as_of, id)
);

-- Words of an event as 64-bit hashes: wide enough that a hit needs no second look (and alignment makes 32 no smaller).
create table event_term (
  org_id uuid not null,
  term bigint not null,
  as_of timestamptz not null,
  id uuid not null,
  primary key (org_id, term, as_of, id)
);

-- Events whose words are not in event_term yet. A dozen postings cost several times the event itself, so ingest leaves
-- them here in its own transaction and a job moves them on; a search looks in both.
create table event_term_pending (
  org_id uuid not null,
  seq bigint generated always as identity,
  as_of timestamptz not null,
  id uuid not null,
  terms bigint[] not null,
  primary key (org_id, seq)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create table context (
  org_id uuid not null,
  id uuid not null,
  filters jsonb not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);

do $$
declare
  name text;
begin
  foreach name in array array['event', 'event_detail', 'event_term', 'event_term_pending', 'context'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
alter table event set (autovacuum_vacuum_insert_scale_factor = 0.02);
revoke update, delete on event_term from sightline_app;
