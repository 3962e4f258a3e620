-- Who pushed a commit to a branch, as a webhook told, on hosts that keep no list of pushes: pull requests may be opened of it later.
-- Nobody needs the name of the branch, which may be that of a person: `branch` is made of the repository and it.
create table head_push (
  org_id uuid not null,
  repository_id uuid not null,
  branch uuid not null,
  sha text not null,
  at timestamptz not null,
  pusher uuid not null,
  entry_id uuid not null,
  primary key (org_id, repository_id, branch, sha, at),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
alter table head_push enable row level security;
alter table head_push force row level security;
create policy tenant on head_push using (org_id = app_org()) with check (org_id = app_org());
revoke update, delete on head_push from sightline_app;
