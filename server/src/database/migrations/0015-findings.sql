-- What scanners found. A scan is one arrival of results; a finding is one weakness at one place of a repository, seen by
-- one or more scanners (its sources) on one or more refs (its instances).

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
  analysis bytea not null,
  -- Whether what is missing in it is gone: not so for a part of the results.
  complete boolean not null,
  state text not null check (state in ('receiving', 'matching', 'done', 'failed')),
  received int not null default 0,
  counts jsonb,
  rejected jsonb not null default '[]',
  error text,
  started_by text not null,
  received_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index scan_newest on scan (org_id, repository_id, received_at, id);
create index scan_native on scan (org_id, repository_id, source, native_id) where native_id is not null;

-- Results between their arrival and the moment they are matched; emptied with the scan's end.
create table scan_result (
  org_id uuid not null,
  scan_id uuid not null,
  place int not null,
  -- Tool, rule, path and content; the same without the path, where the content can stand alone; the same without the content.
  key bytea not null,
  moved_key bytea,
  near_key bytea not null,
  data json not null,
  primary key (org_id, scan_id, place)
);

-- Titles are few and findings many: a search by name looks here first.
create table finding_title (
  org_id uuid not null,
  id uuid not null,
  title text not null,
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
  ref text not null,
  path text,
  line int,
  end_line int,
  commit_sha text,
  cwes int[] not null default '{}',
  codes jsonb not null default '[]',
  discovered_at timestamptz not null,
  last_seen_at timestamptz not null,
  introduced jsonb,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index finding_worst on finding (org_id, status, severity, discovered_at, id);
create index finding_repository on finding (org_id, repository_id, status, severity, discovered_at, id);
create index finding_newest on finding (org_id, status, discovered_at, id);

-- What only the page of one finding shows.
create table finding_detail (
  org_id uuid not null,
  id uuid not null,
  detail json not null,
  primary key (org_id, id)
);

create table finding_source (
  org_id uuid not null,
  repository_id uuid not null,
  fingerprint bytea not null,
  moved_key bytea,
  near_key bytea not null,
  finding_id uuid not null,
  tool text not null,
  rule_id text not null,
  rule_name text,
  reason text not null check (reason in ('first', 'same place', 'moved', 'merged by hand', 'split by hand')),
  explanation text not null,
  -- Said by hand to be a finding of its own: no scan puts it together with another again.
  apart boolean not null default false,
  primary key (org_id, repository_id, fingerprint)
);
create index finding_source_finding on finding_source (org_id, finding_id);

create table finding_instance (
  org_id uuid not null,
  repository_id uuid not null,
  analysis bytea not null,
  fingerprint bytea not null,
  finding_id uuid not null,
  ref text not null,
  state text not null check (state in ('open', 'suppressed', 'fixed')),
  -- What the scanner says of a suppressed one: reason and comment.
  suppressed jsonb,
  path text,
  line int,
  end_line int,
  commit_sha text,
  native jsonb,
  first_scan uuid not null,
  last_scan uuid not null,
  fixed_scan uuid,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  fixed_at timestamptz,
  primary key (org_id, repository_id, analysis, fingerprint)
);
create index finding_instance_finding on finding_instance (org_id, finding_id);

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
  count int not null check (count >= 0),
  primary key (org_id, repository_id, title_id, status, severity, category, tools)
);

do $$
declare
  name text;
begin
  foreach name in array array['scan', 'scan_result', 'finding_title', 'finding', 'finding_detail', 'finding_source',
    'finding_instance', 'finding_seen', 'finding_count'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
