-- Roles. The login that migrates owns the schema. The server runs as sightline_app on every connection, which can neither
-- change the schema nor bypass row-level security. sightline_lookup owns the few functions that answer before an
-- organization is known. sightline_ledger signs the ledger, sightline_erasure deletes personal data, sightline_demo owns
-- the function that deletes a demo organization.
do $$
declare
  role_name text;
begin
  foreach role_name in array array[
    'sightline_app', 'sightline_readonly', 'sightline_lookup', 'sightline_ledger', 'sightline_erasure', 'sightline_demo'
  ] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin nosuperuser nobypassrls', role_name);
      exception when duplicate_object or unique_violation then null; -- another database of this cluster migrates too
      end;
    end if;
    execute format('grant %I to current_user', role_name);
  end loop;
end $$;

grant usage on schema public
  to sightline_app, sightline_readonly, sightline_lookup, sightline_ledger, sightline_erasure, sightline_demo;
grant create on schema public to sightline_lookup, sightline_demo;
alter default privileges in schema public grant select, insert, update, delete on tables to sightline_app, sightline_demo;
alter default privileges in schema public grant select on tables to sightline_readonly;
alter default privileges in schema public grant select, update, delete on tables to sightline_erasure;
alter default privileges in schema public grant usage on sequences to sightline_app, sightline_erasure;

-- Who acts, for the length of one transaction. Without them no row is visible.
create function app_org() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.org', true), '')::uuid $$;
create function app_account() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.account', true), '')::uuid $$;
create function app_email() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('app.email', true), '') $$;

-- Organizations that moved to another installation, with its address. The server cannot select them any more.
create table moved_organization (
  id uuid primary key,
  address text not null,
  moved_at timestamptz not null default now()
);
revoke insert, update, delete on moved_organization from sightline_app, sightline_demo, sightline_erasure;
grant select on moved_organization to sightline_ledger, sightline_lookup;

-- Selects the organization of a transaction. If it moved: error SM301, with the new address as its detail. So every
-- request and job stops at once, and nothing is written that the new installation does not have.
create function enter_organization(org uuid) returns uuid language plpgsql as $$
declare
  new_address text := (select address from moved_organization where id = org);
begin
  if new_address is not null then
    raise exception 'The organization moved' using errcode = 'SM301', detail = new_address;
  end if;
  perform set_config('app.org', org::text, true);
  return org;
end
$$;

-- Whether the owner of the schema imports an organization, or deletes one that moved: no trigger derives rows from these.
create function is_importing() returns boolean language sql stable as $$
  select coalesce(current_setting('app.importing', true), '') = 'on'
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = 'moved_organization'::regclass)
$$;

-- Restricts tables with an org_id to the rows of the current organization, also for their owner.
create procedure isolate_by_organization(variadic tables text[]) language plpgsql as $$
declare
  name text;
begin
  foreach name in array tables loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;

-- Lets the server call functions with the rights of sightline_lookup, which sees selected columns of all organizations.
create procedure open_lookup(variadic functions text[]) language plpgsql as $$
declare
  name text;
begin
  foreach name in array functions loop
    execute format('alter function %s owner to sightline_lookup', name);
    execute format('revoke all on function %s from public', name);
    execute format('grant execute on function %s to sightline_app', name);
  end loop;
end $$;
revoke all on procedure isolate_by_organization, open_lookup from public;

-- The last time read from the database clock. A later reading that is earlier means that the clock was set back.
create table clock_reading (
  is_only boolean default true primary key check (is_only),
  read_at timestamptz not null
);
insert into clock_reading (read_at) values (clock_timestamp());

-- Recent attempts by key, over all processes, for rate limits. Keys are hashes and contain no addresses.
create table attempt (
  key bytea primary key,
  count int not null,
  started_at timestamptz not null,
  last_at timestamptz not null
);
create index attempt_last on attempt (last_at);

-- Payloads of the Socket.IO adapter that are too large for NOTIFY.
create table socket_io_attachments (
  id bigserial primary key,
  created_at timestamptz default now(),
  payload bytea
);

-- Outbound destinations that the operator allows for one organization.
create table organization_outbound_allowance (
  org_id uuid not null,
  purpose text not null,
  destination text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, purpose, destination)
);

-- Outbound destinations that the operator allows in addition to public addresses: hosts, CIDR blocks and origins, per
-- purpose.
create table outbound_allowance (
  purpose text not null,
  destination text not null,
  created_at timestamptz not null default now(),
  primary key (purpose, destination)
);

create table feature_flag (
  name text primary key,
  enabled boolean not null,
  updated_at timestamptz not null default now()
);

create table account_flag (
  account_id uuid not null,
  name text not null,
  enabled boolean not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
);

-- A flag has the value set for the account, else for the organization, else for the instance, else its default.
create table organization_flag (
  org_id uuid not null,
  name text not null,
  enabled boolean not null,
  updated_at timestamptz not null default now(),
  primary key (org_id, name)
);

-- How often each flag was evaluated, without accounts.
create table flag_usage (
  hour timestamptz not null,
  name text not null,
  yes bigint not null,
  no bigint not null,
  primary key (hour, name)
);

-- One-time codes that authorize an operator action, printed by the command line and stored as hashes.
create table operator_code (
  hash bytea primary key,
  purpose text not null,
  expires_at timestamptz not null
);

-- Operator actions that concern no single organization. Rows are append-only except for notified_at.
create table operator_entry (
  id uuid primary key,
  at timestamptz not null default clock_timestamp(),
  operator text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  data jsonb not null default '{}',
  notified_at timestamptz
);
create index operator_entry_at on operator_entry (at desc, id desc);
create index operator_entry_unnotified on operator_entry (at) where notified_at is null;
revoke update, delete on operator_entry from sightline_app;

call isolate_by_organization('organization_outbound_allowance', 'organization_flag');
grant update (notified_at) on operator_entry to sightline_app;

-- Bots are not people to invite.
create function is_bot(name text, email text, login text) returns boolean language sql immutable parallel safe as $$
  select name ilike '%[bot]' or coalesce(login, '') ilike '%[bot]' or email ~* '(\[bot\]@|^(no-?reply|bot|actions?)@)'
$$;

-- Derives the ID of a fact (UUID version 8) from the JSON of its parts, as the server does.
create function fact_id(parts text) returns uuid language sql immutable parallel safe as $$
  select encode(set_byte(set_byte(b, 6, (get_byte(b, 6) & 15) | 128), 8, (get_byte(b, 8) & 63) | 128), 'hex')::uuid
  from (select substring(sha256(convert_to(parts, 'UTF8')) for 16) as b) hashed
$$;
