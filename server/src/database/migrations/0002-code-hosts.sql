-- A code host's installation bound to one organisation. The unique index spans organisations on purpose:
-- an installation bound elsewhere must be refused (spec 7, installation callback).
create table installation (
  org_id uuid not null references organization,
  provider text not null check (provider in ('github', 'gitlab', 'bitbucket')),
  installation_id text not null,
  account_login text not null,
  html_url text not null,
  permissions jsonb not null default '{}',
  suspended_at timestamptz,
  deleted_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, provider, installation_id)
);
create unique index installation_bound on installation (provider, installation_id) where deleted_at is null;

create table install_state (
  org_id uuid not null references organization,
  nonce_hash bytea not null,
  account_id uuid not null,
  provider text not null,
  redirect_path text not null,
  installation_id text,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (org_id, nonce_hash)
);

-- The raw body as it was verified, under the host's own delivery id. Deliveries of nobody's installation
-- are kept under the nil organisation, which no token names.
create table webhook_delivery (
  org_id uuid not null,
  provider text not null,
  delivery_id text not null,
  event text not null,
  body text not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  error text,
  primary key (org_id, provider, delivery_id)
);

create table repository (
  org_id uuid not null references organization,
  id uuid not null,
  provider text not null check (provider in ('github', 'gitlab', 'bitbucket')),
  provider_repo_id text not null,
  installation_id text not null,
  owner text not null,
  name text not null,
  full_name text not null,
  default_branch text not null,
  is_private boolean not null,
  html_url text not null,
  tracked boolean not null default false,
  pushed_at timestamptz,
  last_change timestamptz,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);
create unique index repository_host on repository (org_id, provider, provider_repo_id);
create index repository_name on repository (org_id, lower(full_name), id);
create index repository_changed on repository (org_id, last_change, id) where tracked;
create index repository_tracked_name on repository (org_id, full_name, id) where tracked;

create table repository_import (
  org_id uuid not null,
  repository_id uuid not null,
  state text not null check (state in ('queued', 'running', 'waiting', 'done', 'failed')),
  phase text not null check (phase in ('commits', 'pull_requests', 'files')),
  commits_done int not null default 0,
  commits_total int,
  pull_requests_done int not null default 0,
  pull_requests_total int,
  files_done int not null default 0,
  files_total int,
  cursor jsonb not null default '{}',
  error text,
  waiting_until timestamptz,
  started_at timestamptz,
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (org_id, repository_id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);

create table commit (
  org_id uuid not null,
  repository_id uuid not null,
  sha text not null,
  author_person uuid not null,
  author_name text not null,
  author_email text not null,
  author_login text,
  authored_at timestamptz not null,
  committer_name text not null,
  committer_email text not null,
  committer_login text,
  committed_at timestamptz not null,
  message text not null,
  branch text not null,
  parents text[],
  trailers jsonb not null default '[]',
  additions int,
  deletions int,
  files jsonb,
  primary key (org_id, repository_id, sha),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index commit_newest on commit (org_id, repository_id, committed_at, sha);
create index commit_without_files on commit (org_id, repository_id, committed_at, sha) where files is null;

create table contributor (
  org_id uuid not null,
  repository_id uuid not null,
  person_id uuid not null,
  name text not null,
  email text not null,
  login text,
  commits int not null,
  last_commit timestamptz not null,
  primary key (org_id, repository_id, person_id)
) with (fillfactor = 70);
create index contributor_latest on contributor (org_id, repository_id, last_commit, person_id);

create table pull_request (
  org_id uuid not null,
  repository_id uuid not null,
  number int not null,
  title text not null,
  status text not null check (status in ('in-progress', 'accepted', 'closed')),
  draft boolean not null,
  author_person uuid not null,
  author_login text not null,
  author_avatar text,
  author_is_agent boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  merged_at timestamptz,
  closed_at timestamptz,
  closed_by_login text,
  base_ref text not null,
  head_ref text not null,
  head_sha text not null,
  merge_sha text,
  additions int,
  deletions int,
  changed_files int,
  commits int,
  url text not null,
  context_id uuid not null,
  primary key (org_id, repository_id, number),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index pull_request_newest on pull_request (org_id, repository_id, status, created_at, number);
create index pull_request_author on pull_request (org_id, repository_id, author_login, created_at, number);

create table review (
  org_id uuid not null,
  repository_id uuid not null,
  number int not null,
  review_id text not null,
  person_id uuid not null,
  login text not null,
  state text not null,
  sha text,
  submitted_at timestamptz not null,
  primary key (org_id, repository_id, number, review_id)
);

do $$
declare
  name text;
begin
  foreach name in array array['installation', 'install_state', 'webhook_delivery', 'repository', 'repository_import',
    'commit', 'contributor', 'pull_request', 'review'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;

-- Asked by a webhook before its organisation is known.
create policy lookup on installation for select to sightline_lookup using (true);
grant select (org_id, provider, installation_id, deleted_at) on installation to sightline_lookup;
create function org_of_installation(host text, id text) returns uuid language sql stable security definer set search_path = public
  as $$ select org_id from installation where provider = host and installation_id = id and deleted_at is null $$;
alter function org_of_installation(text, text) owner to sightline_lookup;
revoke all on function org_of_installation(text, text) from public;
grant execute on function org_of_installation(text, text) to sightline_app;
