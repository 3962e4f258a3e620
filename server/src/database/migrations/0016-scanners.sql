-- A scanner connected to one organisation. Its key and the secret of its webhooks are sealed; disconnecting forgets both
-- and keeps the row, so that the page can say since when.
create table integration (
  org_id uuid not null references organization,
  name text not null check (name in ('checkmarx')),
  status text not null check (status in ('active', 'inactive', 'error')),
  -- What was typed and what was found out: tenant, base URL, last characters of the key.
  settings jsonb not null,
  secret bytea,
  -- In the address of its webhooks: names the organisation before a signature can be checked.
  hook uuid not null,
  hook_secret bytea,
  -- The scanner's own id of the webhook we registered; null where it did not let us.
  hook_id text,
  -- What is wrong: a code and a sentence.
  problem jsonb,
  checked_at timestamptz,
  last_sync_at timestamptz,
  sync_state text not null default 'idle' check (sync_state in ('idle', 'queued', 'running', 'failed')),
  -- Which run works, and when it was last seen working: another takes over from one that died.
  sync_run uuid,
  sync_beat_at timestamptz,
  sync_done int not null default 0,
  sync_total int,
  sync_results int not null default 0,
  sync_error text,
  -- How often in a row it failed: the next try waits longer.
  sync_failures int not null default 0,
  sync_started_at timestamptz,
  sync_finished_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, name)
);
create unique index integration_hook on integration (hook);
create index integration_connected on integration (name, org_id) where status <> 'inactive';

-- What a scanner calls a project, and the repository its results belong to.
create table scanner_project (
  org_id uuid not null,
  integration text not null,
  native_id text not null,
  name text not null,
  repo_url text,
  imported_name text,
  main_branch text,
  repository_id uuid,
  -- Said by hand without a repository: it belongs to none.
  matched_by text check (matched_by in ('url', 'name', 'manual')),
  -- Tells projects of one repository apart, counted from 1: their analyses must not replace each other.
  place int not null default 1,
  last_scan_at timestamptz,
  removed_at timestamptz,
  primary key (org_id, integration, native_id),
  foreign key (org_id, integration) references integration (org_id, name),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index scanner_project_name on scanner_project (org_id, integration, name, native_id);
create index scanner_project_repository on scanner_project (org_id, repository_id) where repository_id is not null;

-- The newest scan of each branch that was taken in.
create table scanner_branch (
  org_id uuid not null,
  integration text not null,
  native_id text not null,
  branch text not null,
  scan_id text not null,
  scanned_at timestamptz not null,
  primary key (org_id, integration, native_id, branch),
  foreign key (org_id, integration, native_id) references scanner_project (org_id, integration, native_id) on delete cascade
);

do $$
declare
  name text;
begin
  foreach name in array array['integration', 'scanner_project', 'scanner_branch'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;

-- Asked by a webhook before its organisation is known, and by the clock, which knows none.
create policy lookup on integration for select to sightline_lookup using (true);
grant select (org_id, name, status, hook) on integration to sightline_lookup;
create function org_of_hook(id uuid) returns uuid language sql stable security definer set search_path = public
  as $$ select org_id from integration where hook = id and status <> 'inactive' $$;
create function orgs_with_integration(which text) returns setof uuid language sql stable security definer set search_path = public
  as $$ select org_id from integration where name = which and status <> 'inactive' $$;
alter function org_of_hook(uuid) owner to sightline_lookup;
alter function orgs_with_integration(text) owner to sightline_lookup;
revoke all on function org_of_hook(uuid), orgs_with_integration(text) from public;
grant execute on function org_of_hook(uuid), orgs_with_integration(text) to sightline_app;
