-- Addresses of an organisation that are told what happens in it.
create table outgoing_webhook (
  org_id uuid not null references organization,
  id uuid not null,
  url text not null,
  description text not null,
  -- The types of event it is told; null for every one, also those to come.
  types text[],
  secret_sealed bytea not null,
  -- After the secret was changed, both sign until then.
  previous_secret_sealed bytea,
  previous_until timestamptz,
  enabled boolean not null default true,
  -- Nothing arrived since then; null while the last try succeeded.
  failing_since timestamptz,
  -- Turned off by the product, since nothing had arrived for days.
  given_up_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);

-- One event on its way to one address.
create table outgoing_delivery (
  org_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  type text not null,
  -- The JSON that is sent, to the byte: the signature is over it.
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  -- Tries since it was queued, or sent again by hand.
  tries int not null default 0,
  -- Every try there was.
  attempts int not null default 0,
  -- Not tried before; while it is being tried, when another process may take it for abandoned.
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, webhook_id) references outgoing_webhook (org_id, id) on delete cascade
);
create index outgoing_delivery_log on outgoing_delivery (org_id, webhook_id, created_at desc, id);
create index outgoing_delivery_due on outgoing_delivery (org_id, webhook_id, next_at) where status = 'pending';
create index outgoing_delivery_age on outgoing_delivery (org_id, created_at);

create table outgoing_attempt (
  org_id uuid not null,
  delivery_id uuid not null,
  number int not null,
  at timestamptz not null default now(),
  -- What the address answered; null where it did not, then `failure` says why.
  answer_status int,
  -- Its first characters.
  answer text,
  failure text,
  ms int not null,
  primary key (org_id, delivery_id, number),
  foreign key (org_id, delivery_id) references outgoing_delivery (org_id, id) on delete cascade
);

-- For the job that looks for what a process left behind, and for the one that deletes what is old.
create policy lookup on outgoing_webhook for select to sightline_lookup using (true);
grant select (org_id) on outgoing_webhook to sightline_lookup;
create function orgs_with_outgoing_webhooks() returns setof uuid language sql stable security definer set search_path = public
  as $$ select distinct org_id from outgoing_webhook $$;
alter function orgs_with_outgoing_webhooks() owner to sightline_lookup;
revoke all on function orgs_with_outgoing_webhooks() from public;
grant execute on function orgs_with_outgoing_webhooks() to sightline_app;

do $$
declare
  name text;
begin
  foreach name in array array['outgoing_webhook', 'outgoing_delivery', 'outgoing_attempt'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
