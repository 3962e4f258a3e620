-- What an import could not read or keep of a repository, and why: the rest was imported, and this is tried again.
-- `item`: the sha of a commit, or the number of a pull request. `next_attempt_at` null: the code host has it no more.
create table import_gap (
  org_id uuid not null,
  repository_id uuid not null,
  kind text not null check (kind in ('commit', 'pull_request', 'files')),
  item text not null,
  reason text not null,
  attempts int not null default 1,
  next_attempt_at timestamptz,
  primary key (org_id, repository_id, kind, item),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
alter table import_gap enable row level security;
alter table import_gap force row level security;
create policy tenant on import_gap using (org_id = app_org()) with check (org_id = app_org());
