-- What scanners found. A scan is one arrival of results; a finding is one weakness at one place of a repository, seen by
-- one or more scanners (its sources) on one or more refs (its instances). A row of `finding`, but for who introduced it, is
-- worked out from its instances and sources and from what people decided (features/findings/status.ts), and the same
-- statement keeps `finding_count` and `finding_day` in step with it. Keys and fingerprints are hashes in the form of a uuid.

create table scan (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  source text not null check (source in ('sarif', 'checkmarx', 'code_scanning', 'dependabot', 'secret_scanning')),
  tool text not null,
  tool_name text not null,
  tool_version text,
  category text not null,
  ref text not null,
  commit_sha text,
  -- The scanner's own name of the scan, so that a second look does not take it in twice.
  native_id text,
  -- Scans of the same repository, ref, source, tool and category replace each other: this is their common key.
  analysis uuid not null,
  -- Whether what is missing in it is gone: not so for a part of the results.
  complete boolean not null,
  state text not null check (state in ('receiving', 'matching', 'done', 'failed')),
  received int not null default 0,
  -- ScanCounts of features/findings/counts.ts.
  counts jsonb,
  -- How many could not be taken, and the first hundred of them.
  rejections int not null default 0,
  rejected jsonb not null default '[]',
  error text,
  -- As in audit_event: who began it.
  actor_kind text not null,
  actor_id text not null,
  received_at timestamptz not null default clock_timestamp(),
  -- A sign of life of whoever takes it in; without one it counts as interrupted.
  touched_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index scan_newest on scan (org_id, repository_id, received_at, id);
create index scan_native on scan (org_id, repository_id, source, native_id) where native_id is not null;
create index scan_source on scan (org_id, source, repository_id, received_at, id);
create index scan_under_way on scan (org_id, touched_at) where state in ('receiving', 'matching');

-- How the latest scan of each repository by each scanner ended, and what the latest that came to its end changed. A scanner
-- that sends what it found in parts, as by engine or language, has a row for each: only together they are its latest scan.
create table scan_latest (
  org_id uuid not null,
  repository_id uuid not null,
  tool text not null,
  source text not null,
  category text not null,
  state text not null check (state in ('done', 'failed')),
  finished_at timestamptz not null,
  -- Null: none has come to its end yet.
  done_at timestamptz,
  added int not null default 0,
  fixed int not null default 0,
  primary key (org_id, repository_id, tool, source, category)
);
create function note_latest_scan() returns trigger language plpgsql as $$
begin
  insert into scan_latest as l (org_id, repository_id, tool, source, category, state, finished_at, done_at, added, fixed)
  values (new.org_id, new.repository_id, new.tool, new.source, new.category, new.state, clock_timestamp(),
    case when new.state = 'done' then new.received_at end,
    coalesce((new.counts->>'new')::int + (new.counts->>'reopened')::int, 0), coalesce((new.counts->>'fixed')::int, 0))
  on conflict (org_id, repository_id, tool, source, category) do update set state = excluded.state, finished_at = excluded.finished_at,
    done_at = coalesce(excluded.done_at, l.done_at),
    added = case when excluded.state = 'done' then excluded.added else l.added end,
    fixed = case when excluded.state = 'done' then excluded.fixed else l.fixed end;
  return null;
end $$;
create trigger note_latest_scan after insert or update of state on scan
  for each row when (new.state in ('done', 'failed')) execute function note_latest_scan();

-- What the scans of one analysis said last. An instance that is not fixed was last seen by its own `last_scan`, or, where
-- that is null, by the one named here: so a scan that finds everything as it was writes one row and not all of them.
create table analysis (
  org_id uuid not null,
  repository_id uuid not null,
  key uuid not null,
  source text not null,
  tool text not null,
  category text not null,
  ref text not null,
  -- The latest complete scan.
  last_scan uuid,
  last_seen timestamptz,
  primary key (org_id, repository_id, key)
);
create index analysis_ref on analysis (org_id, repository_id, ref);

-- Scanners by their key, as they call themselves.
create table finding_tool (
  org_id uuid not null,
  tool text not null,
  name text not null,
  primary key (org_id, tool)
);

-- Results between their arrival and the moment they are matched; emptied with the scan's end. Unlogged: a crash of
-- PostgreSQL ends the scan, whose `received` then tells that rows are missing.
create unlogged table scan_result (
  org_id uuid not null,
  scan_id uuid not null,
  place int not null,
  -- See features/findings/identity.ts: what tells places apart, the same without the path where that can stand alone, the
  -- same without the content.
  key uuid not null,
  first_key uuid,
  nth int not null default 1,
  moved_key uuid,
  near_key uuid not null,
  -- Of all that is kept of the result.
  digest uuid not null,
  rule_id text not null,
  rule_name text,
  title text not null,
  severity smallint not null,
  category text not null,
  cwes int[] not null,
  codes jsonb not null,
  package text,
  state text not null,
  suppressed jsonb,
  path text,
  line int,
  end_line int,
  discovered_at timestamptz,
  -- Null: that of the scan.
  commit_sha text,
  native jsonb,
  text_id uuid not null,
  detail json not null,
  primary key (org_id, scan_id, place)
);
create index scan_result_key on scan_result (org_id, scan_id, key);
create unlogged table scan_text (
  org_id uuid not null,
  scan_id uuid not null,
  id uuid not null,
  description text not null,
  links jsonb not null,
  primary key (org_id, scan_id, id)
);

-- What lists are narrowed by, in one value: severity, category and scanners, one on each line. There are few of them.
create function finding_lane(severity smallint, category text, tools text[]) returns text
  language sql immutable parallel safe
  as $$ select severity::text || chr(10) || category || chr(10) || array_to_string(tools, chr(10)) $$;

-- Titles are few and findings many: a search by name looks here first.
create table finding_title (
  org_id uuid not null,
  id uuid not null,
  title text not null,
  search text collate "C" not null generated always as (lower(title)) stored,
  primary key (org_id, id)
);
create unique index finding_title_once on finding_title (org_id, md5(title));

create table finding (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  title_id uuid not null,
  -- 0 critical, 1 high, 2 medium, 3 low, 4 info
  severity smallint not null check (severity between 0 and 4),
  category text not null,
  -- Keys of its scanners, sorted.
  tools text[] not null,
  data_source text not null,
  status text not null check (status in ('open', 'dismissed', 'exception', 'fixed')),
  -- The source and the instance it is shown by.
  fingerprint uuid not null,
  ref text not null,
  path text,
  line int,
  end_line int,
  -- A commit in which it stands at that line.
  commit_sha text,
  cwes int[] not null default '{}',
  codes jsonb not null default '[]',
  discovered_at timestamptz not null,
  introduced jsonb,
  lane text collate "C" not null generated always as (finding_lane(severity, category, tools)) stored,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
-- Each answers a page of any list as a walk along lanes: of the organisation, of repositories, of titles.
create index finding_lane on finding (org_id, status, lane, discovered_at, id) include (repository_id, title_id);
create index finding_repository on finding (org_id, repository_id, status, lane, discovered_at, id) include (title_id);
create index finding_titled on finding (org_id, title_id, status, lane, discovered_at, id) include (repository_id);

-- What scanners say of their rules: the same few texts for many findings. `links` is [{title, url}].
create table finding_text (
  org_id uuid not null,
  id uuid not null,
  description text not null,
  links jsonb not null,
  primary key (org_id, id)
);

-- A scanner's result as it is known in a repository, whatever the ref: what it says, and which finding it belongs to.
create table finding_source (
  org_id uuid not null,
  repository_id uuid not null,
  fingerprint uuid not null,
  -- Of several that are equal but for their line, the fingerprint of the first, and which one this is.
  first_key uuid not null,
  nth int not null default 1,
  moved_key uuid,
  near_key uuid not null,
  finding_id uuid not null,
  tool text not null,
  rule_id text not null,
  rule_name text,
  title_id uuid not null,
  severity smallint not null check (severity between 0 and 4),
  category text not null,
  cwes int[] not null,
  codes jsonb not null,
  -- Lower case; of a dependency with a known weakness.
  package text,
  reason text not null check (reason in ('first', 'same place', 'moved', 'merged by hand', 'split by hand')),
  explanation text not null,
  -- Said by hand to be a finding of its own: no scan puts it together with another again.
  apart boolean not null default false,
  first_seen timestamptz not null,
  primary key (org_id, repository_id, fingerprint)
);
create index finding_source_finding on finding_source (org_id, finding_id);
create index finding_source_equals on finding_source (org_id, repository_id, first_key) where nth > 1;
create index finding_source_moved on finding_source (org_id, repository_id, moved_key) where moved_key is not null;
create index finding_source_package on finding_source (org_id, repository_id, package) where package is not null;

-- What only the page of one finding shows. `detail` is StoredDetail of features/findings/result.ts.
create table finding_detail (
  org_id uuid not null,
  repository_id uuid not null,
  fingerprint uuid not null,
  text_id uuid not null,
  detail json not null,
  primary key (org_id, repository_id, fingerprint)
);

create table finding_instance (
  org_id uuid not null,
  repository_id uuid not null,
  analysis uuid not null,
  fingerprint uuid not null,
  finding_id uuid not null,
  ref text not null,
  state text not null check (state in ('open', 'suppressed', 'fixed')),
  -- What the scanner says of a suppressed one: reason and comment.
  suppressed jsonb,
  path text,
  line int,
  end_line int,
  -- A commit in which it stands at that line.
  commit_sha text,
  native jsonb,
  digest uuid not null,
  first_scan uuid not null,
  -- Null: the last one of the analysis, while it is not fixed.
  last_scan uuid,
  -- Null in a fixed one: its ref is gone.
  fixed_scan uuid,
  first_seen timestamptz not null,
  fixed_at timestamptz,
  primary key (org_id, repository_id, analysis, fingerprint)
);
create index finding_instance_finding on finding_instance (org_id, finding_id);
create index finding_instance_place on finding_instance (org_id, repository_id, path, line) where state <> 'fixed';

-- When an instance turned from one state to another: its past, where finding_instance only tells how it is now.
create table finding_change (
  org_id uuid not null,
  repository_id uuid not null,
  fingerprint uuid not null,
  at timestamptz not null,
  analysis uuid not null,
  ref text not null,
  was text not null,
  state text not null,
  -- What was scanned then. Null in a fixed one: nothing said so, its ref is gone.
  commit_sha text,
  primary key (org_id, repository_id, fingerprint, at, analysis)
);
create function note_turn() returns trigger language plpgsql as $$
begin
  insert into finding_change (org_id, repository_id, fingerprint, at, analysis, ref, was, state, commit_sha)
  values (new.org_id, new.repository_id, new.fingerprint, clock_timestamp(), new.analysis, new.ref, old.state, new.state,
    case when new.state <> 'fixed' then new.commit_sha
      else (select commit_sha from scan where org_id = new.org_id and id = new.fixed_scan) end);
  return null;
end $$;
-- Row by row: a plan kept for joining the rows before with those after would be made for as few as there were the first time.
create trigger note_turn after update on finding_instance for each row when (old.state <> new.state) execute function note_turn();

-- Which findings an account has opened.
create table finding_seen (
  org_id uuid not null,
  account_id uuid not null,
  finding_id uuid not null,
  primary key (org_id, account_id, finding_id)
);

-- How many findings there are of each kind, kept by the transactions that change findings, so that no list counts them.
create table finding_count (
  org_id uuid not null,
  repository_id uuid not null,
  title_id uuid not null,
  status text not null,
  severity smallint not null,
  category text not null,
  tools text[] not null,
  count int not null,
  lane text collate "C" not null generated always as (finding_lane(severity, category, tools)) stored,
  primary key (org_id, repository_id, title_id, status, severity, category, tools)
);
create index finding_count_title on finding_count (org_id, title_id, status, lane) include (repository_id, count);

-- Sums of finding_count, kept by a trigger on it: for lists of everything, of repositories, and of what a title is.
create table finding_lane_count (
  org_id uuid not null,
  status text not null,
  lane text collate "C" not null,
  count int not null,
  primary key (org_id, status, lane)
);
create table finding_repository_count (
  org_id uuid not null,
  repository_id uuid not null,
  status text not null,
  lane text collate "C" not null,
  count int not null,
  primary key (org_id, repository_id, status, lane)
);
create table finding_title_count (
  org_id uuid not null,
  title_id uuid not null,
  status text not null,
  lane text collate "C" not null,
  count int not null,
  primary key (org_id, title_id, status, lane)
);
-- By how many the open findings of the organisation changed on a day (UTC).
create table finding_lane_day (
  org_id uuid not null,
  day date not null,
  lane text collate "C" not null,
  change int not null,
  primary key (org_id, day, lane)
);
-- How many were discovered on a day (UTC): where a page far down a list begins.
create table finding_discovered (
  org_id uuid not null,
  status text not null,
  lane text collate "C" not null,
  day date not null,
  count int not null,
  primary key (org_id, status, lane, day)
);

create function sum_findings() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select *, 1 as sign from fresh'
    when 'DELETE' then 'select *, -1 as sign from stale'
    else 'select *, 1 as sign from fresh union all select *, -1 from stale' end;
  nothing boolean;
begin
  execute format('select not exists (select from (%s) d)', changed) into nothing;
  if nothing then return null; end if;
  -- Repositories share the sums of an organisation: two scans that end together would wait for each other's rows.
  perform pg_advisory_xact_lock(hashtextextended('sum_findings ' || coalesce(app_org()::text, ''), 0));
  execute format(
    'insert into finding_repository_count as c (org_id, repository_id, status, lane, count)
     select org_id, repository_id, status, lane, sum(count * sign) from (%s) d
     group by 1, 2, 3, 4 having sum(count * sign) <> 0
     on conflict (org_id, repository_id, status, lane) do update set count = c.count + excluded.count', changed);
  execute format(
    'insert into finding_title_count as c (org_id, title_id, status, lane, count)
     select org_id, title_id, status, lane, sum(count * sign) from (%s) d
     group by 1, 2, 3, 4 having sum(count * sign) <> 0
     on conflict (org_id, title_id, status, lane) do update set count = c.count + excluded.count', changed);
  execute format(
    'insert into finding_lane_count as c (org_id, status, lane, count)
     select org_id, status, lane, sum(count * sign) from (%s) d
     group by 1, 2, 3 having sum(count * sign) <> 0
     on conflict (org_id, status, lane) do update set count = c.count + excluded.count', changed);
  execute format(
    'insert into finding_lane_day as c (org_id, day, lane, change)
     select org_id, (now() at time zone ''UTC'')::date, lane, sum(count * sign) from (%s) d
     where status = ''open'' group by 1, 2, 3 having sum(count * sign) <> 0
     on conflict (org_id, day, lane) do update set change = c.change + excluded.change', changed);
  return null;
end $$;
create function sum_discovered() returns trigger language plpgsql as $$
declare
  changed text := format('select org_id, status, lane, (discovered_at at time zone ''UTC'')::date as day, sum(sign) as change
    from (%s) d group by 1, 2, 3, 4 having sum(sign) <> 0', case tg_op
      when 'INSERT' then 'select org_id, status, lane, discovered_at, 1 as sign from fresh'
      when 'DELETE' then 'select org_id, status, lane, discovered_at, -1 as sign from stale'
      else 'select org_id, status, lane, discovered_at, 1 as sign from fresh
        union all select org_id, status, lane, discovered_at, -1 from stale' end);
  nothing boolean;
begin
  execute format('select not exists (%s)', changed) into nothing;
  if nothing then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended('sum_findings ' || coalesce(app_org()::text, ''), 0));
  execute format(
    'insert into finding_discovered as c (org_id, status, lane, day, count) select org_id, status, lane, day, change from (%s) d
     on conflict (org_id, status, lane, day) do update set count = c.count + excluded.count', changed);
  return null;
end $$;
create trigger sum_new_discovered after insert on finding
  referencing new table as fresh for each statement execute function sum_discovered();
create trigger sum_changed_discovered after update on finding
  referencing old table as stale new table as fresh for each statement execute function sum_discovered();
create trigger sum_old_discovered after delete on finding
  referencing old table as stale for each statement execute function sum_discovered();
create trigger sum_new_findings after insert on finding_count
  referencing new table as fresh for each statement execute function sum_findings();
create trigger sum_changed_findings after update on finding_count
  referencing old table as stale new table as fresh for each statement execute function sum_findings();
create trigger sum_old_findings after delete on finding_count
  referencing old table as stale for each statement execute function sum_findings();

-- By how many the open findings of each kind changed on a day (UTC), kept in the same way.
create table finding_day (
  org_id uuid not null,
  day date not null,
  repository_id uuid not null,
  severity smallint not null,
  category text not null,
  tools text[] not null,
  change int not null,
  primary key (org_id, day, repository_id, severity, category, tools)
);
create index finding_day_repository on finding_day (org_id, repository_id, day);

do $$
declare
  name text;
begin
  foreach name in array array['scan', 'analysis', 'scan_result', 'scan_text', 'finding_title', 'finding', 'finding_text',
    'finding_detail', 'finding_source', 'finding_instance', 'finding_change', 'finding_tool', 'finding_seen', 'finding_count',
    'finding_day', 'finding_lane_count', 'finding_repository_count', 'finding_title_count',
    'finding_lane_day', 'finding_discovered', 'scan_latest'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;

-- Asked by the clock, of all organisations at once: whose scans gave no sign of life for a while? Ids only.
create policy lookup on scan for select to sightline_lookup using (true);
grant select (org_id, state, touched_at) on scan to sightline_lookup;
create function orgs_with_interrupted_scans() returns setof uuid language sql stable security definer set search_path = public
  as $$
    select distinct org_id from scan where state in ('receiving', 'matching') and touched_at < now() - interval '30 seconds'
  $$;
alter function orgs_with_interrupted_scans() owner to sightline_lookup;
revoke all on function orgs_with_interrupted_scans() from public;
grant execute on function orgs_with_interrupted_scans() to sightline_app;
