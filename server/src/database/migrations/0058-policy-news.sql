-- What broke a policy that warns, so that each is told of once. The row without a subject says that somebody looks.
create table policy_told (
  org_id uuid not null references organization,
  policy_id uuid not null,
  control_id text not null,
  subject text not null,
  told_at timestamptz not null default clock_timestamp(),
  primary key (org_id, policy_id, control_id, subject)
);
alter table policy_told enable row level security;
alter table policy_told force row level security;
create policy tenant on policy_told using (org_id = app_org()) with check (org_id = app_org());
