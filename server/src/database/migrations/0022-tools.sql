-- Tools: what repositories name, what extensions saw on developers' machines, and per tool what both come to.

-- How reading a repository's files for tools goes.
create table tool_scan (
  org_id uuid not null,
  repository_id uuid not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed')),
  -- What was last read to the end, and when.
  commit_sha text,
  scanned_at timestamptz,
  error text,
  primary key (org_id, repository_id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);

-- One place in a file of the default branch that names a tool.
create table tool_detection (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  tool_id text not null,
  source text not null,
  path text not null,
  -- Null: the file as a whole says it.
  line int,
  text text not null,
  version text,
  -- The commit it came by as far as known, and who wrote that.
  commit_sha text not null,
  added_by text,
  person_id uuid,
  confidence text not null check (confidence in ('observed', 'inferred')),
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  gone_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index tool_detection_repository on tool_detection (org_id, repository_id, path);
create index tool_detection_tool on tool_detection (org_id, tool_id, last_seen desc, id);

-- The sums below are what the inventory reads; whoever writes a detection or a report keeps them.

-- A tool of one tab, as the organisation uses it.
create table tool (
  org_id uuid not null references organization,
  tab text not null check (tab in ('ci/cd', 'developer')),
  id text not null,
  name text not null,
  vendor text,
  icon text,
  kind text not null,
  categories text[] not null,
  version text,
  sources text[] not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (org_id, tab, id)
);

create table tool_repository (
  org_id uuid not null,
  tab text not null,
  tool_id text not null,
  repository_id uuid not null,
  source text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  gone_at timestamptz,
  primary key (org_id, tab, tool_id, repository_id, source),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index tool_repository_repository on tool_repository (org_id, repository_id, tab);

create table tool_person (
  org_id uuid not null,
  tab text not null,
  tool_id text not null,
  person_id uuid not null,
  source text not null,
  -- The editor or browser it was seen in; empty for a repository.
  program text not null,
  -- The installation that reported it, so that one machine does not uninstall for another; zero where there is none.
  device_id uuid not null,
  version text,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  gone_at timestamptz,
  primary key (org_id, tab, tool_id, person_id, source, program, device_id)
);
create index tool_person_person on tool_person (org_id, person_id, tab);

do $$
declare name text;
begin
  foreach name in array array['tool_scan', 'tool_detection', 'tool', 'tool_repository', 'tool_person'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
