-- Keys of machines, such as a build that uploads SARIF. Of a key only its hash is kept; it names its organisation itself.
create table access_key (
  org_id uuid not null references organization,
  id uuid not null,
  name text not null,
  use text not null check (use in ('sarif')),
  -- Null: good for every enabled repository.
  repository_id uuid,
  hash bytea not null,
  key_end text not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create unique index access_key_hash on access_key (org_id, hash);
create index access_key_repository on access_key (org_id, repository_id) where repository_id is not null;

alter table access_key enable row level security;
alter table access_key force row level security;
create policy tenant on access_key using (org_id = app_org()) with check (org_id = app_org());
