-- Events, their inverted index and saved queries.

-- The timeline. `id` is the message ID, or derived from the recorded fact, so that a repeated message has the same row
-- regardless of its as_of.
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
  -- In the stored form of core/event-text.ts.
  summary text not null,
  leaf_hash bytea not null,
  -- The ledger entry that proves the event: its own (same ID), or that of its batch, whose root covers the leaf hashes
  -- of all events with this proof in ID order.
  proof uuid not null,
  -- Details in the same row avoid a second write. Pages that do not show them do not select this column.
  detail text not null,
  primary key (org_id, as_of, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02);
create index event_actor on event (org_id, actor, as_of, id) include (kind, repo, pr) where actor is not null;
create index event_kind on event (org_id, kind, as_of, id) include (actor, repo, pr);
create unique index event_once on event (org_id, id);
create index event_pr on event (org_id, repo, pr, as_of, id) where pr is not null;
create index event_repo on event (org_id, repo, as_of, id) include (kind, actor, pr) where repo is not null;

-- Number of events per kind and hour for unfiltered histograms. The indexing job updates it; pending events are counted
-- from event_copy_pending and posting_pending. No secondary index and a low fillfactor keep updates HOT.
create table event_hour_kind (
  org_id uuid not null,
  -- Hours since 1970 of as_of.
  hour int not null,
  kind text not null,
  n int not null,
  primary key (org_id, hour, kind)
) with (fillfactor = 50);

-- The archive of older events: immutable compressed segments, each with the rows, terms and index of its events. An event
-- is either in a row of `event` or in a segment. The version changes with every change of the segments, so that a statement
-- that reads rows learns which segments complete them.
create table event_archive (
  org_id uuid primary key,
  version bigint not null
) with (fillfactor = 50);

-- The version as it is now, and not as it was when the calling statement began: an insert that met the key of an event that
-- is being archived has waited for the end of that move. `written` makes the call follow the insert.
create function event_archive_version(org uuid, written bigint) returns bigint language plpgsql as $$
begin
  return coalesce((select version from event_archive where org_id = org), 0);
end
$$;

create table event_segment (
  org_id uuid not null,
  -- Also the ID of the ledger entry that names its hash.
  id uuid not null,
  -- The key of its first and last event, all of one month in UTC.
  first_at timestamptz not null,
  first_id uuid not null,
  last_at timestamptz not null,
  last_id uuid not null,
  events int not null,
  -- When its events were received.
  received_from timestamptz not null,
  received_to timestamptz not null,
  created_at timestamptz not null default now(),
  sha256 bytea not null,
  bytes int not null,
  -- 8 bytes of a hash per event ID, so that a repeated message is recognized without reading segments.
  id_hashes bytea not null,
  -- Uncompressed in the table, since it is compressed itself and read in parts. Null: an object under EVENT_ARCHIVE_URL.
  data bytea,
  primary key (org_id, id)
);
alter table event_segment alter data set storage external;
alter table event_segment alter id_hashes set storage external;

-- Objects under EVENT_ARCHIVE_URL that no segment refers to: being written, or replaced and to be deleted.
create table event_segment_garbage (
  org_id uuid not null,
  id uuid not null,
  replaced boolean not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);

-- Terms learnt of archived events, until the next run adds them to their segments.
create table event_segment_term (
  org_id uuid not null,
  seq bigint generated always as identity,
  id uuid not null,
  terms bigint[] not null,
  primary key (org_id, seq)
);

-- Deleted events not yet in the audit log. An interrupted run is reported by the next one.
create table event_retention (
  org_id uuid primary key,
  events int not null,
  clipboard_events int not null
);

create table event_copy (
  org_id uuid primary key,
  -- Events before this time are not copied yet. Later events are queued from the moment this row exists.
  as_of timestamptz not null default 'infinity',
  id uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  -- All earlier events are copied.
  whole boolean not null default false
);

-- Events queued for the copy by the indexing job.
create table event_copy_pending (
  org_id uuid not null,
  seq bigint generated always as identity,
  as_of timestamptz[] not null,
  id uuid[] not null,
  primary key (org_id, seq)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_cost_delay = 0);
grant insert on event_copy_pending to sightline_erasure;

-- Progress of the job that adds fields to older events, newest first.
create table event_reindex (
  org_id uuid primary key,
  -- Events received after this time already have their fields.
  received_before timestamptz not null default now(),
  as_of timestamptz not null default 'infinity',
  id uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff'
);

-- Leaf hashes of deleted events, which proofs of their batch still need.
create table forgotten_event (
  org_id uuid not null,
  -- The time of the event and of all events in its batch.
  received_at timestamptz not null,
  id uuid not null,
  proof uuid not null,
  leaf_hash bytea not null,
  primary key (org_id, received_at, id)
);
revoke update on forgotten_event from sightline_app;

-- Inverted index: the events of a term per hour. One row per list instead of one per event costs a fraction in writes,
-- storage and reads. Entries of as_of and id with the same position belong together.
create table posting_list (
  org_id uuid not null,
  -- Term as a 53-bit hash. Collisions are rare enough that hits are not rechecked.
  term bigint not null,
  -- Hours since 1970 of as_of.
  hour int not null,
  -- The smallest part of the hour, halved up to 12 times, that contains the times of all its events, so that few seconds
  -- of a dense hour can be read alone (store/hour-parts.ts); 4096 is the whole hour. It takes no space in the row and
  -- in the key, since the next column is aligned to 8 bytes.
  part int not null default 4096,
  seq bigint generated always as identity,
  as_of timestamptz[],
  id uuid[],
  -- Refers to another list of the same hour and sequence number with identical events. Similar events share most terms.
  same_as bigint,
  primary key (org_id, term, hour, part, seq),
  check (((same_as is null) = (as_of is not null)) and ((same_as is null) = (id is not null)))
);
alter table posting_list alter as_of set storage external;
alter table posting_list alter id set storage external;
-- Lists are written in time order, so a BRIN index finds an hour at a fraction of the cost of a B-tree.
create index posting_list_hour on posting_list using brin (org_id, hour) with (pages_per_range='16', autosummarize='on');
revoke update on posting_list from sightline_app;

-- All values and words as text for wildcard queries. Written by the indexing job. Collation C makes a prefix a key
-- range.
create table posting_name (
  org_id uuid not null,
  -- `word`, or the field of the value.
  field text not null,
  value text not null,
  term bigint not null,
  -- Since when no event has this value. The row is deleted some days later, because processes cache written names for a
  -- day.
  idle_since timestamptz,
  primary key (org_id, field, value)
);
create index posting_name_idle on posting_name (org_id) where idle_since is not null;
revoke update on posting_name from sightline_app;
grant insert on posting_name to sightline_erasure;

-- Events that are not indexed yet, one row per batch, with the position of the event for each term.
create table posting_pending (
  org_id uuid not null,
  seq bigint generated always as identity,
  events int not null,
  as_of timestamptz[] not null,
  id uuid[] not null,
  terms bigint[] not null,
  places int[] not null,
  -- The events by hour and kind, for event_hour_kind.
  hours int[] not null default '{}',
  kinds text[] not null default '{}',
  counts int[] not null default '{}',
  names text[] not null default '{}',
  name_terms bigint[] not null default '{}',
  -- Rows that add terms to events that were counted before.
  late boolean not null default false,
  primary key (org_id, seq)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_cost_delay = 0);
alter table posting_pending alter as_of set storage external;
alter table posting_pending alter id set storage external;
alter table posting_pending alter terms set storage external;
alter table posting_pending alter places set storage external;
grant insert on posting_pending to sightline_erasure;

create table context (
  org_id uuid not null,
  id uuid not null,
  filters jsonb not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);

-- A saved query of a list, private or shared with the organization. The query of events is in the query language and
-- may have a context and a chart; that of other lists is the query of their URL.
create table saved_view (
  org_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  -- One of `viewLists` in the contract.
  list text not null default 'events' check (list ~ '^[a-z-]{1,40}$'),
  name text not null,
  query text not null,
  context uuid check (context is null or list = 'events'),
  chart jsonb check (chart is null or list = 'events'),
  shared boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
create unique index saved_view_name on saved_view (org_id, account_id, list, lower(name));
create index saved_view_shared on saved_view (org_id, list, lower(name)) where shared;

call isolate_by_organization(
  'event', 'event_archive', 'event_hour_kind', 'event_retention', 'event_copy', 'event_copy_pending', 'event_reindex',
  'event_segment', 'event_segment_garbage', 'event_segment_term', 'forgotten_event', 'posting_list', 'posting_name',
  'posting_pending', 'context', 'saved_view'
);
revoke update on event_segment from sightline_app;
create policy lookup on event_copy for select to sightline_lookup using (true);
grant select (org_id, whole) on event_copy to sightline_lookup;
create policy lookup on event_copy_pending for select to sightline_lookup using (true);
grant select (org_id) on event_copy_pending to sightline_lookup;
create policy lookup on event_reindex for select to sightline_lookup using (true);
grant select (org_id) on event_reindex to sightline_lookup;
grant update (as_of, id) on posting_list to sightline_app;
grant update (idle_since) on posting_name to sightline_app;
create policy lookup on posting_pending for select to sightline_lookup using (true);
grant select (org_id, events) on posting_pending to sightline_lookup;

create function orgs_to_copy() returns setof uuid language sql stable security definer
  set search_path = public as $$
    select o.id from organization o left join event_copy c on c.org_id = o.id where c.org_id is null or not c.whole
    union
    select org_id from event_copy_pending
$$;

create function orgs_with_event_copies() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select org_id from event_copy
$$;

call open_lookup('orgs_to_copy()', 'orgs_with_event_copies()');
