-- What the operator allows beside public addresses, for one purpose each: hosts, CIDR blocks and origins.
create table outbound_allowance (
  purpose text not null,
  destination text not null,
  created_at timestamptz not null default now(),
  primary key (purpose, destination)
);

-- The same for one organization.
create table organization_outbound_allowance (
  org_id uuid not null references organization,
  purpose text not null,
  destination text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, purpose, destination)
);
alter table organization_outbound_allowance enable row level security;
alter table organization_outbound_allowance force row level security;
create policy tenant on organization_outbound_allowance using (org_id = app_org()) with check (org_id = app_org());
