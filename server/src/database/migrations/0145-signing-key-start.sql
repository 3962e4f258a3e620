-- From when a key signs tokens. Every node knows it before, so that none meets a token whose key it does not have.
alter table oidc_key add column signs_from timestamptz not null default now();
