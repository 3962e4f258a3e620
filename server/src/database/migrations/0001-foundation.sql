-- Roles. The login that migrates owns the schema; the server drops to sightline_app on every connection,
-- which can neither change the schema nor step round row-level security. sightline_lookup answers the few
-- questions that must be asked before an organisation is known, through functions it owns.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['sightline_app', 'sightline_readonly', 'sightline_lookup'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin nosuperuser nobypassrls', role_name);
      exception when duplicate_object or unique_violation then null; -- another database of this cluster migrates too
      end;
    end if;
    execute format('grant %I to current_user', role_name);
  end loop;
end $$;

grant usage on schema public to sightline_app, sightline_readonly, sightline_lookup;
grant create on schema public to sightline_lookup;
alter default privileges in schema public grant select, insert, update, delete on tables to sightline_app;
alter default privileges in schema public grant select on tables to sightline_readonly;
alter default privileges in schema public grant usage on sequences to sightline_app;

-- Who asks, for the length of one transaction. Unset means nobody: no row is visible.
create function app_org() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.org', true), '')::uuid $$;
create function app_account() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.account', true), '')::uuid $$;
create function app_email() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('app.email', true), '') $$;

-- Accounts: people who sign in. They belong to no organisation.
create table account (
  id uuid primary key,
  email text not null,
  email_verified_at timestamptz,
  name text not null,
  picture text,
  is_employee boolean not null default false,
  onboarding_complete boolean not null default false,
  hide_tips boolean not null default false,
  github_login text,
  github_name text,
  description jsonb not null default '{}',
  created_at timestamptz not null default now(),
  last_login_at timestamptz
);
create unique index account_email on account (lower(email));

create table account_identity (
  connection text not null,
  subject text not null,
  account_id uuid not null references account on delete cascade,
  provider text not null,
  profile jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (connection, subject)
);
create index account_identity_account on account_identity (account_id);

create table account_password (
  account_id uuid primary key references account on delete cascade,
  hash text not null,
  changed_at timestamptz not null default now()
);

-- The identity provider's own store: short-lived payloads and the keys it signs with.
create table oidc_payload (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  user_code text,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (model, id)
);
create index oidc_payload_grant on oidc_payload (grant_id) where grant_id is not null;
create unique index oidc_payload_uid on oidc_payload (model, uid) where uid is not null;
create index oidc_payload_expires on oidc_payload (expires_at);

create table oidc_key (
  kid text primary key,
  secret bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

create table mail (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null default now()
);
create index mail_created on mail (created_at desc);

-- What the realtime adapter cannot send in one notification.
create table socket_io_attachments (
  id bigserial primary key,
  created_at timestamptz default now(),
  payload bytea
);

create table feature_flag (
  name text primary key,
  enabled boolean not null,
  updated_at timestamptz not null default now()
);

-- Organisations and who is in them.
create table organization (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  display_name text not null,
  description text not null default '',
  logo_url text,
  created_by uuid,
  created_at timestamptz not null default now(),
  archived_at timestamptz
);

create table member (
  org_id uuid not null references organization,
  account_id uuid not null references account,
  role_id text not null check (role_id in ('rol_owner', 'rol_contributor', 'rol_reviewer', 'rol_auditor')),
  status text not null check (status in ('accepted', 'active', 'deactivated')),
  created_at timestamptz not null default now(),
  last_activity_at timestamptz,
  primary key (org_id, account_id)
);
create index member_account on member (account_id, org_id);

create table invitation (
  org_id uuid not null references organization,
  id uuid not null,
  email text not null,
  role_id text not null check (role_id in ('rol_owner', 'rol_contributor', 'rol_reviewer', 'rol_auditor')),
  token_hash bytea not null,
  invited_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  declined_at timestamptz,
  revoked_at timestamptz,
  primary key (org_id, id)
);
create index invitation_email on invitation (email, org_id);
create unique index invitation_token on invitation (token_hash);

-- People as the evidence knows them: an opaque id that may stand in a log for ever, a key whose loss makes every
-- commitment about the person unreadable, and the names by which the outside world knows them.
create table person (
  org_id uuid not null references organization,
  id uuid not null,
  merged_into uuid,
  erased_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);

create table person_key (
  org_id uuid not null,
  person_id uuid not null,
  key bytea not null,
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references person (org_id, id)
);

create table identity (
  org_id uuid not null,
  kind text not null,
  value text not null,
  person_id uuid not null,
  display text,
  picture text,
  source text not null,
  confidence text not null check (confidence in ('declared', 'observed', 'inferred')),
  valid_from timestamptz not null default now(),
  primary key (org_id, kind, value),
  foreign key (org_id, person_id) references person (org_id, id)
);
create index identity_person on identity (org_id, person_id);

-- What happened, twice: readable in audit_event, provable through ledger_pending.
create table audit_event (
  org_id uuid not null references organization,
  id uuid not null,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('account', 'system', 'operator', 'integration')),
  actor_id text,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  data jsonb not null default '{}',
  personal jsonb not null default '{}',
  request_id text,
  address text,
  primary key (org_id, id)
);
create index audit_event_at on audit_event (org_id, at desc, id desc);

create table ledger_pending (
  org_id uuid not null references organization,
  id bigint generated always as identity,
  entry_id uuid not null,
  kind text not null,
  entry text not null check (octet_length(entry) <= 65535),
  leaf_hash bytea not null check (octet_length(leaf_hash) = 32),
  queued_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
revoke update, delete on audit_event, ledger_pending from sightline_app;

-- Every table that carries org_id answers only to its organisation, even to its owner.
do $$
declare
  name text;
begin
  foreach name in array array['member', 'invitation', 'person', 'person_key', 'identity', 'audit_event', 'ledger_pending'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
alter table organization enable row level security;
alter table organization force row level security;
create policy tenant on organization using (id = app_org()) with check (id = app_org());
-- A signed-in person sees, across organisations, their own memberships and the invitations sent to their address.
create policy own on member for select using (account_id = app_account());
create policy own on invitation for select using (email = app_email());
create policy own on organization for select using (
  exists (select from member m where m.account_id = app_account() and m.org_id = organization.id)
  or exists (select from invitation i where i.email = app_email() and i.org_id = organization.id)
);

-- Asked before an organisation is known: whose invitation is this?
create policy lookup on invitation for select to sightline_lookup using (true);
grant select (org_id, token_hash) on invitation to sightline_lookup;
create function org_of_invitation(hash bytea) returns uuid language sql stable security definer set search_path = public
  as $$ select org_id from invitation where token_hash = hash $$;
alter function org_of_invitation(bytea) owner to sightline_lookup;
revoke all on function org_of_invitation(bytea) from public;
grant execute on function org_of_invitation(bytea) to sightline_app;
