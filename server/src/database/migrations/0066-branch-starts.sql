-- Where a branch stood when it was first looked at, with no push to it known: so that the loss of the first push shows, too.
create table branch_start (
  org_id uuid not null,
  repository_id uuid not null,
  branch text not null,
  sha text not null,
  primary key (org_id, repository_id, branch),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
alter table branch_start enable row level security;
alter table branch_start force row level security;
create policy tenant on branch_start using (org_id = app_org()) with check (org_id = app_org());
revoke update, delete on branch_start from sightline_app;
