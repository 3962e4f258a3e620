-- With whom an organisation wants checkpoints of its ledger to be left; ledger_anchor says what was.
create table anchor (
  org_id uuid not null references organization,
  id uuid not null,
  kind text not null check (kind in ('witness', 'rfc3161', 'mail', 'webhook', 'git')),
  -- As ledger_anchor names it; fixed, so that what was left stays theirs.
  party text not null,
  -- Whatever its kind needs and is no secret.
  settings jsonb not null,
  secret_sealed bytea,
  every_hours int not null check (every_hours between 1 and 168),
  enabled boolean not null default true,
  next_at timestamptz not null default now(),
  -- Since the last success.
  tries int not null default 0,
  failing_since timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, kind, party)
);
create index anchor_due on anchor (org_id, next_at) where enabled;

-- What came of each time.
create table anchor_attempt (
  org_id uuid not null,
  id uuid not null,
  anchor_id uuid not null,
  at timestamptz not null default now(),
  outcome text not null check (outcome in ('left', 'nothing_new', 'failed')),
  -- Null where nothing was signed.
  epoch int,
  size bigint,
  says text not null,
  ms int not null,
  primary key (org_id, id),
  foreign key (org_id, anchor_id) references anchor (org_id, id) on delete cascade
);
create index anchor_attempt_log on anchor_attempt (org_id, anchor_id, at desc, id);

-- The newest of each party, and of all.
create index ledger_anchor_party on ledger_anchor (org_id, kind, party, epoch, size);
create index ledger_anchor_newest on ledger_anchor (org_id, at desc);

-- For the job that looks for what is due.
create policy lookup on anchor for select to sightline_lookup using (true);
grant select (org_id, next_at, enabled) on anchor to sightline_lookup;
create function orgs_with_due_anchors() returns setof uuid language sql stable security definer set search_path = public
  as $$ select distinct org_id from anchor where enabled and next_at <= now() $$;
alter function orgs_with_due_anchors() owner to sightline_lookup;
revoke all on function orgs_with_due_anchors() from public;
grant execute on function orgs_with_due_anchors() to sightline_app;

do $$
declare
  name text;
begin
  foreach name in array array['anchor', 'anchor_attempt'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
