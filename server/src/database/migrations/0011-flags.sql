-- A flag is what is said of the account, else of the organisation, else of everybody, else its default.
create table organization_flag (
  org_id uuid not null references organization,
  name text not null,
  enabled boolean not null,
  updated_at timestamptz not null default now(),
  primary key (org_id, name)
);
alter table organization_flag enable row level security;
alter table organization_flag force row level security;
create policy tenant on organization_flag using (org_id = app_org()) with check (org_id = app_org());

create table account_flag (
  account_id uuid not null references account on delete cascade,
  name text not null,
  enabled boolean not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
);

-- How often each flag was asked for, by nobody in particular.
create table flag_usage (
  hour timestamptz not null,
  name text not null,
  yes bigint not null,
  no bigint not null,
  primary key (hour, name)
);

-- What operators change that belongs to no single organisation. Only the mark that organisations were told is added.
create table operator_entry (
  id uuid primary key,
  at timestamptz not null default clock_timestamp(),
  operator text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  data jsonb not null default '{}',
  told_at timestamptz
);
create index operator_entry_at on operator_entry (at desc, id desc);
create index operator_entry_untold on operator_entry (at) where told_at is null;
revoke update, delete on operator_entry from sightline_app;
grant update (told_at) on operator_entry to sightline_app;

-- Asked to write such a change into the audit log of every organisation.
create policy every_id on organization for select to sightline_lookup using (true);
grant select (id) on organization to sightline_lookup;
create function every_organization() returns setof uuid language sql stable security definer set search_path = public
  as $$ select id from organization $$;
alter function every_organization() owner to sightline_lookup;
revoke all on function every_organization() from public;
grant execute on function every_organization() to sightline_app;
