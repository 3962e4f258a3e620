-- Addresses that an anchor of the kind mail names, besides those of owners. One gets checkpoints only after its recipient agreed.
create table anchor_address (
  org_id uuid not null references organization,
  id uuid not null,
  -- In lower case.
  address text not null,
  -- Of the link that was mailed last; it works once.
  token_hash bytea,
  requested_at timestamptz not null default now(),
  confirmed_at timestamptz,
  primary key (org_id, id)
);
create index anchor_address_address on anchor_address (org_id, address);
create index anchor_address_token on anchor_address (org_id, token_hash) where token_hash is not null;
alter table anchor_address enable row level security;
alter table anchor_address force row level security;
create policy tenant on anchor_address using (org_id = app_org()) with check (org_id = app_org());
