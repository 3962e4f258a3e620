-- Audit entries that the owners of an organization are still to be told of by e-mail.
create table owner_notice (
  org_id uuid not null references organization,
  audit_event_id uuid not null,
  recorded_at timestamptz not null default now(),
  primary key (org_id, audit_event_id)
);
alter table owner_notice enable row level security;
alter table owner_notice force row level security;
create policy tenant on owner_notice using (org_id = app_org()) with check (org_id = app_org());

-- Asked by the clock. Ids only.
create policy lookup on owner_notice for select to sightline_lookup using (true);
grant select (org_id) on owner_notice to sightline_lookup;
create function orgs_with_owner_notices() returns setof uuid language sql stable security definer set search_path = public
  as $$ select distinct org_id from owner_notice $$;
alter function orgs_with_owner_notices() owner to sightline_lookup;
revoke all on function orgs_with_owner_notices() from public;
grant execute on function orgs_with_owner_notices() to sightline_app;
