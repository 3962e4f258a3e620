-- Which of the addresses an upstream vouches for: similar accounts are found by these and by nothing else.
create table account_identity_email (
  connection text not null,
  subject text not null,
  email text not null,
  primary key (connection, subject, email),
  foreign key (connection, subject) references account_identity on delete cascade on update cascade
);
create index account_identity_email_email on account_identity_email (email);

-- An account that was merged into another one: it stays for what was recorded of it, and can no longer sign in.
alter table account add column merged_into uuid references account;
alter table account add column merged_at timestamptz;

-- What happened to an account where no organisation need be there to write it down. Each entry stands besides in the
-- audit log of every organisation the account is in.
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
