-- When the person last signed in with this session, and when it was last used: organizations limit both.
alter table account_session add column signed_in_at timestamptz not null default now();
alter table account_session add column active_at timestamptz not null default now();

-- What an organization asks of the sessions of its members. Networks as CIDR; none lets members in from everywhere.
alter table organization add column idle_minutes int check (idle_minutes between 5 and 20160);
alter table organization add column session_hours int check (session_hours between 1 and 336);
alter table organization add column allowed_networks text[] not null default '{}';
