-- The login of others that a session last signed in with; none for a password or a passkey.
alter table account_session add column connection text;
alter table account_session add column subject text;

-- The login that members must sign in with, with an address of a verified domain; and owners who may do without.
alter table organization add column sso_connection text;
alter table member add column break_glass boolean not null default false;

-- Domains that an organization says are its own. Verified by a TXT record that holds the token, or by the operator.
create table organization_domain (
  org_id uuid not null references organization,
  domain text not null,
  token text not null,
  verified_by text check (verified_by in ('dns', 'operator')),
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, domain)
);
alter table organization_domain enable row level security;
alter table organization_domain force row level security;
create policy tenant on organization_domain using (org_id = app_org()) with check (org_id = app_org());
