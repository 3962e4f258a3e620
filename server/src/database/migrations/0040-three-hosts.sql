-- GitLab and Bitbucket have no app that is installed: somebody gives a token or signs in, and picks groups or workspaces.
-- Each of those is an installation that names the grant it is read by. Forgetting a grant empties its secrets, keeps its row.
create table code_host_grant (
  org_id uuid not null references organization,
  id uuid not null,
  provider text not null check (provider in ('gitlab', 'bitbucket')),
  base_url text not null,
  kind text not null check (kind in ('oauth', 'token')),
  -- Whose it is on the host, and what tells it from others: both are shown.
  login text not null,
  display text not null,
  secret bytea,
  refresh bytea,
  expires_at timestamptz,
  scopes text[] not null default '{}',
  created_by uuid not null,
  created_at timestamptz not null default now(),
  -- The host does not take it any more, and what it said.
  failed_at timestamptz,
  failure text,
  primary key (org_id, id)
);

alter table installation add column grant_id uuid;
alter table installation add constraint installation_grant foreign key (org_id, grant_id) references code_host_grant (org_id, id);
create index installation_by_grant on installation (org_id, grant_id) where grant_id is not null;
-- An app is installed for one organisation. A group may be picked by as many as have a grant of their own.
drop index installation_bound;
create unique index installation_bound on installation (provider, installation_id, coalesce(grant_id, '00000000-0000-0000-0000-000000000000'))
  where deleted_at is null;

-- A webhook that we made on the host, one for each repository. Its id stands in its address, and finds all the rest.
create table code_host_hook (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  -- As the host calls it; null until the host has answered.
  host_hook_id text,
  secret bytea not null,
  created_at timestamptz not null default now(),
  last_delivery_at timestamptz,
  failed_at timestamptz,
  failure text,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create unique index code_host_hook_repository on code_host_hook (org_id, repository_id);
create unique index code_host_hook_address on code_host_hook (id);

alter table webhook_delivery add column hook_id uuid;

-- How far asking for what webhooks may have missed came, and what it found.
create table repository_reconcile (
  org_id uuid not null,
  repository_id uuid not null,
  reconciled_at timestamptz,
  -- Commits and pull requests nobody had told us of, in all.
  healed int not null default 0,
  healed_at timestamptz,
  failure text,
  primary key (org_id, repository_id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
-- Deliveries of the app that had failed and were asked for again.
alter table installation add column redelivered int not null default 0;
alter table installation add column redelivered_at timestamptz;

-- The operator's GitHub app where it was made from the page, sealed; and how far its deliveries were looked through.
create table github_app (
  app_id text not null primary key,
  settings bytea,
  made_by uuid,
  made_at timestamptz not null default now(),
  heard_until timestamptz
);
-- Shows that somebody may act for the operator once: printed by the command line, kept as a hash.
create table operator_code (
  hash bytea not null primary key,
  purpose text not null,
  expires_at timestamptz not null
);

do $$
declare
  name text;
begin
  foreach name in array array['code_host_grant', 'code_host_hook', 'repository_reconcile'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;

-- Asked by a webhook before its organisation is known.
create policy lookup on code_host_hook for select to sightline_lookup using (true);
grant select (org_id, id) on code_host_hook to sightline_lookup;
create function org_of_host_hook(hook uuid) returns uuid language sql stable security definer set search_path = public
  as $$ select org_id from code_host_hook where id = hook $$;
-- Asked by the clock: whose installations are there to look after?
create function orgs_with_installations(host text) returns setof uuid language sql stable security definer set search_path = public
  as $$ select distinct org_id from installation where provider = host and deleted_at is null $$;
do $$
declare
  name text;
begin
  foreach name in array array['org_of_host_hook(uuid)', 'orgs_with_installations(text)'] loop
    execute format('alter function %s owner to sightline_lookup', name);
    execute format('revoke all on function %s from public', name);
    execute format('grant execute on function %s to sightline_app', name);
  end loop;
end $$;
