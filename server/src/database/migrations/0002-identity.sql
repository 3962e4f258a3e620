-- Accounts, sign-in, sessions, second factors and extension grants.

-- Accounts of people. An account belongs to no organization.
create table account (
  id uuid primary key,
  email text not null,
  email_verified_at timestamptz,
  name text not null,
  picture text,
  is_employee boolean not null default false,
  -- Sees and changes the background work of every organization.
  is_operator boolean not null default false,
  onboarding_complete boolean not null default false,
  hide_tips boolean not null default false,
  github_login text,
  github_name text,
  description jsonb not null default '{}',
  created_at timestamptz not null default now(),
  last_login_at timestamptz,
  -- Search and sort key of member lists: the lower-case name, then the address.
  search text generated always as (lower(((name || ' ') || email))) stored not null,
  -- Set when the account was merged into another one. It can no longer sign in and is kept for its records.
  merged_into uuid references account,
  merged_at timestamptz
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

-- Addresses that the identity provider verified. Similar accounts are detected only by these.
create table account_identity_email (
  connection text not null,
  subject text not null,
  email text not null,
  primary key (connection, subject, email),
  foreign key (connection, subject) references account_identity(connection, subject) on UPDATE CASCADE on delete cascade
);
create index account_identity_email_email on account_identity_email (email);

create table account_password (
  account_id uuid primary key references account on delete cascade,
  hash text not null,
  changed_at timestamptz not null default now()
);

-- A browser session of the identity provider. Tokens contain its ID.
create table account_session (
  id uuid primary key,
  uid text not null unique,
  account_id uuid not null references account on delete cascade,
  user_agent text not null,
  address text,
  started_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- The last authentication of the person: sign-in, second factor, or step-up.
  authenticated_at timestamptz not null default now(),
  second_factor_at timestamptz,
  ended_at timestamptz,
  -- The last sign-in and the last use of the session. Organizations limit both.
  signed_in_at timestamptz not null default now(),
  active_at timestamptz not null default now(),
  -- The external connection of the last sign-in; null for password and passkey.
  connection text,
  subject text
);
create index account_session_account on account_session (account_id);
create index account_session_ended on account_session (ended_at) where ended_at is not null;
create index account_session_connection on account_session (connection) where ended_at is null and connection is not null;

-- Second factor of an account: the sealed TOTP secret, and the last accepted 30-second step, so that a code works once.
create table account_totp (
  account_id uuid primary key references account on delete cascade,
  secret bytea not null,
  last_step bigint not null,
  created_at timestamptz not null default now()
);

create table account_passkey (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  synced boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index account_passkey_account on account_passkey (account_id);

create table account_recovery_code (
  account_id uuid not null references account on delete cascade,
  hash bytea not null,
  used_at timestamptz,
  primary key (account_id, hash)
);

-- Audit entries of an account outside any organization. Each entry is also in the audit log of every organization of the
-- account.
create table account_audit (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  at timestamptz not null default now(),
  actor_id uuid,
  action text not null,
  data jsonb not null default '{}',
  personal jsonb not null default '{}',
  request_id text,
  address text,
  primary key (account_id, id)
);
create index account_audit_at on account_audit (account_id, at desc, id desc);
revoke update, delete on account_audit from sightline_app;

-- Storage of the OpenID Connect provider: short-lived payloads and signing keys.
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
create index oidc_payload_expires on oidc_payload (expires_at);
create index oidc_payload_grant on oidc_payload (grant_id) where grant_id is not null;
create index oidc_payload_uid on oidc_payload (model, uid) where uid is not null;

create table oidc_key (
  kid text primary key,
  secret bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  -- The key signs tokens from this time. Every node loads it earlier, so that no node receives a token with an unknown
  -- key.
  signs_from timestamptz not null default now()
);

create table extension_code (
  org_id uuid not null,
  -- SHA-256 of the code. The code itself contains its organization.
  hash bytea not null,
  account_id uuid not null references account,
  side text not null check (side in ('browser', 'ide')),
  type text not null,
  device text not null,
  challenge text not null,
  expires_at timestamptz not null,
  primary key (org_id, hash)
);

create table extension_grant (
  org_id uuid not null,
  -- Also the session ID in its access tokens, so that ending the grant closes its sockets and rejects its tokens at
  -- once.
  id uuid not null,
  account_id uuid not null references account,
  -- mcp: an MCP client. Its tokens are those of the identity provider, which names this grant in them.
  side text not null check (side in ('browser', 'ide', 'mcp')),
  type text not null,
  device text not null,
  version text,
  -- SHA-256 of the refresh token. The token itself contains its organization.
  hash bytea not null,
  -- The session in which an MCP client was approved. The grant ends with it.
  session_id uuid,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  silence_notified_at timestamptz,
  primary key (org_id, id)
);
create index extension_grant_account on extension_grant (org_id, account_id) where revoked_at is null;
create unique index extension_grant_hash on extension_grant (org_id, hash);

-- Ended grants whose access tokens may not have expired. Contains IDs only and belongs to no organization.
create table extension_ended (
  grant_id uuid primary key,
  ended_at timestamptz not null default now()
);
create index extension_ended_at on extension_ended (ended_at);

alter table account_flag add foreign key (account_id) references account(id) on delete cascade;

call isolate_by_organization('extension_code', 'extension_grant');
