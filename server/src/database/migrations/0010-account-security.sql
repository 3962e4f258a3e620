-- The second factor of an account: a secret shared with an authenticator app, sealed, and the last 30-second step whose
-- code was taken, so that no code works twice.
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

-- A browser session of the identity provider as its owner sees it. Tokens carry its id.
create table account_session (
  id uuid primary key,
  uid text not null unique,
  account_id uuid not null references account on delete cascade,
  user_agent text not null,
  address text,
  started_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- When the person last proved who they are: at the sign-in, with the second factor, or before a delicate change.
  authenticated_at timestamptz not null default now(),
  second_factor_at timestamptz,
  ended_at timestamptz
);
create index account_session_account on account_session (account_id);
create index account_session_ended on account_session (ended_at) where ended_at is not null;

alter table organization add column require_second_factor boolean not null default false;
