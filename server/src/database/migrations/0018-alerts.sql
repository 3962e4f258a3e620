-- How reading what a code host's own scanners say of a repository went the last time.
create table alert_reading (
  org_id uuid not null,
  repository_id uuid not null,
  source text not null check (source in ('code_scanning', 'dependabot', 'secret_scanning')),
  -- `off`: the scanner is not switched on there; `forbidden`: the app was not given the permission.
  state text not null check (state in ('read', 'off', 'forbidden', 'failed')),
  -- Why it failed, for people.
  message text,
  alerts int not null default 0,
  read_at timestamptz not null default now(),
  primary key (org_id, repository_id, source),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
alter table alert_reading enable row level security;
alter table alert_reading force row level security;
create policy tenant on alert_reading using (org_id = app_org()) with check (org_id = app_org());

-- Which commit brought a finding is looked for after it was found, once, and again when more of the history is known.
alter table finding add column origin_sought_at timestamptz;
create index finding_without_origin on finding (org_id, repository_id, severity, discovered_at, id)
  where introduced is null and origin_sought_at is null and path is not null;

-- Asked by the clock: whose repositories are there to read? Ids only.
create policy lookup on repository for select to sightline_lookup using (true);
grant select (org_id, provider, tracked, removed_at) on repository to sightline_lookup;
create function orgs_with_enabled_repositories(host text) returns setof uuid language sql stable security definer set search_path = public
  as $$ select distinct org_id from repository where provider = host and tracked and removed_at is null $$;
alter function orgs_with_enabled_repositories(text) owner to sightline_lookup;
revoke all on function orgs_with_enabled_repositories(text) from public;
grant execute on function orgs_with_enabled_repositories(text) to sightline_app;
