-- Where snapshots of evidence can be sent.
create table exporter (
  org_id uuid not null references organization,
  id uuid not null,
  kind text not null check (kind in ('vanta', 'drata', 'defectdojo', 'gitlab', 'webhook')),
  name text not null check (length(name) between 1 and 80),
  -- Whatever its kind needs and is no secret.
  settings jsonb not null,
  secret_sealed bytea not null,
  enabled boolean not null default true,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, name)
);

-- A snapshot on its way to one of them, or there. Once for each pair, so that what is sent again is the same thing.
create table exporter_delivery (
  org_id uuid not null,
  id uuid not null,
  exporter_id uuid not null,
  snapshot_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
  problem text,
  -- Since somebody asked last.
  tries int not null default 0,
  next_at timestamptz not null default now(),
  asked_by uuid not null,
  asked_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (org_id, id),
  unique (org_id, exporter_id, snapshot_id),
  foreign key (org_id, exporter_id) references exporter (org_id, id) on delete cascade,
  foreign key (org_id, snapshot_id) references snapshot (org_id, id)
);
create index exporter_delivery_asked on exporter_delivery (org_id, exporter_id, asked_at desc, id);
create index exporter_delivery_due on exporter_delivery (org_id, next_at) where state = 'pending';

-- What of a snapshot goes there, one by one: whatever arrived is not sent twice.
create table exporter_item (
  org_id uuid not null,
  delivery_id uuid not null,
  key text not null,
  position int not null,
  label text not null,
  state text not null default 'pending' check (state in ('pending', 'sent', 'skipped', 'failed')),
  says text not null default '',
  at timestamptz,
  primary key (org_id, delivery_id, key),
  foreign key (org_id, delivery_id) references exporter_delivery (org_id, id) on delete cascade
);

-- What was asked of them and answered.
create table exporter_exchange (
  org_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  at timestamptz not null default now(),
  request text not null,
  answer_status int,
  answer text,
  failure text,
  ms int not null,
  primary key (org_id, id),
  foreign key (org_id, delivery_id) references exporter_delivery (org_id, id) on delete cascade
);
create index exporter_exchange_log on exporter_exchange (org_id, delivery_id, at desc, id);
create index exporter_exchange_old on exporter_exchange (org_id, at);

-- For the job that looks for what a process left behind.
create policy lookup on exporter_delivery for select to sightline_lookup using (true);
grant select (org_id, next_at, state) on exporter_delivery to sightline_lookup;
create function orgs_with_due_exporter_deliveries() returns setof uuid language sql stable security definer set search_path = public
  as $$ select distinct org_id from exporter_delivery where state = 'pending' and next_at <= now() $$;
alter function orgs_with_due_exporter_deliveries() owner to sightline_lookup;
revoke all on function orgs_with_due_exporter_deliveries() from public;
grant execute on function orgs_with_due_exporter_deliveries() to sightline_app;

-- And for the one that deletes what is old.
create policy lookup on exporter for select to sightline_lookup using (true);
grant select (org_id) on exporter to sightline_lookup;
create function orgs_with_exporters() returns setof uuid language sql stable security definer set search_path = public
  as $$ select distinct org_id from exporter $$;
alter function orgs_with_exporters() owner to sightline_lookup;
revoke all on function orgs_with_exporters() from public;
grant execute on function orgs_with_exporters() to sightline_app;

do $$
declare
  name text;
begin
  foreach name in array array['exporter', 'exporter_delivery', 'exporter_item', 'exporter_exchange'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
