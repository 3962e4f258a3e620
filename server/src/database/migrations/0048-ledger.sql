-- The ledger: entries wait in ledger_pending, the sequencer gives each its place in the tree of its organisation. It works as a
-- role of its own: what it wrote, the server that answers requests can read and not touch.
do $$
begin
  if not exists (select from pg_roles where rolname = 'sightline_ledger') then
    begin
      create role sightline_ledger nologin nosuperuser nobypassrls;
    exception when duplicate_object or unique_violation then null; -- another database of this cluster migrates too
    end;
  end if;
  grant sightline_ledger to current_user;
end $$;
grant usage on schema public to sightline_ledger;

-- One row for each organisation and epoch: the head. Its lock is what keeps two sequencers apart.
create table ledger_log (
  org_id uuid not null references organization,
  epoch int not null check (epoch > 0),
  origin text not null,
  size bigint not null default 0 check (size >= 0),
  root bytea not null check (octet_length(root) = 32),
  -- Behind the last census, and how far it was signed.
  census_from bigint not null default 0,
  signed_size bigint not null default 0,
  signed_at timestamptz,
  -- Nothing is sequenced any more, since what was found does not agree with what was signed.
  halted_at timestamptz,
  halted_because text,
  closed_at timestamptz,
  primary key (org_id, epoch)
);
create unique index ledger_log_open on ledger_log (org_id) where closed_at is null;
create index ledger_log_unsigned on ledger_log (org_id) where closed_at is null and size > signed_size;

-- The text is kept as it was hashed: checking it depends on no program that would write it again.
create table ledger_entry (
  org_id uuid not null,
  epoch int not null,
  leaf_index bigint not null check (leaf_index >= 0),
  leaf_hash bytea not null check (octet_length(leaf_hash) = 32),
  entry_id uuid not null,
  kind text not null,
  entry text not null,
  primary key (org_id, epoch, leaf_index)
);
-- A fact that was told twice may stand twice, the same entry never.
create unique index ledger_entry_once on ledger_entry (org_id, entry_id, leaf_hash);
create index ledger_entry_kind on ledger_entry (org_id, kind, epoch, leaf_index);

-- Tiles of 256 hashes. Those at the right edge grow; a full one never changes.
create table ledger_tile (
  org_id uuid not null,
  epoch int not null,
  level smallint not null check (level >= 0),
  n bigint not null check (n >= 0),
  hashes bytea not null check (octet_length(hashes) % 32 = 0 and octet_length(hashes) between 32 and 8192),
  primary key (org_id, epoch, level, n)
);
alter table ledger_tile alter hashes set storage external;
create function ledger_tile_grows() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or octet_length(old.hashes) >= octet_length(new.hashes)
     or substring(new.hashes from 1 for octet_length(old.hashes)) <> old.hashes then
    raise exception 'A tile of the ledger can only grow';
  end if;
  return new;
end $$;
create trigger ledger_tile_grows before update or delete on ledger_tile
  for each row execute function ledger_tile_grows();

create table ledger_checkpoint (
  org_id uuid not null,
  epoch int not null,
  -- In the key: there are never two roots at one size.
  size bigint not null,
  root bytea not null check (octet_length(root) = 32),
  note text not null,
  signed_at timestamptz not null default now(),
  primary key (org_id, epoch, size)
);

-- Where a checkpoint was left with somebody else, and what they answered.
create table ledger_anchor (
  org_id uuid not null,
  epoch int not null,
  size bigint not null,
  kind text not null check (kind in ('witness', 'rfc3161', 'mail', 'webhook', 'git')),
  party text not null,
  token bytea,
  at timestamptz not null default now(),
  primary key (org_id, epoch, size, kind, party)
);

-- What checkpoints are signed with; `secret` is sealed by the master key. A checkpoint of a size is signed by the key whose
-- sizes it lies between.
create table signing_key (
  org_id uuid not null,
  key_id text not null,
  epoch int not null,
  vkey text not null,
  secret bytea not null,
  from_size bigint not null,
  to_size bigint,
  created_at timestamptz not null default now(),
  primary key (org_id, key_id)
);
create unique index signing_key_open on signing_key (org_id, epoch) where to_size is null;

do $$
declare
  name text;
begin
  foreach name in array array['ledger_log', 'ledger_entry', 'ledger_tile', 'ledger_checkpoint', 'ledger_anchor', 'signing_key'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
    execute format('revoke all on %I from sightline_app, sightline_readonly', name);
  end loop;
end $$;
grant select on ledger_log, ledger_entry, ledger_tile, ledger_checkpoint to sightline_app, sightline_readonly;
grant select, insert on ledger_anchor to sightline_app;
grant select on ledger_anchor to sightline_readonly;
grant select (org_id, key_id, epoch, vkey, from_size, to_size, created_at) on signing_key to sightline_app, sightline_readonly;

grant select, insert on ledger_log, ledger_entry, ledger_tile, ledger_checkpoint, signing_key to sightline_ledger;
grant update (size, root, census_from, signed_size, signed_at, halted_at, halted_because, closed_at) on ledger_log to sightline_ledger;
grant update (hashes) on ledger_tile to sightline_ledger;
grant update (to_size) on signing_key to sightline_ledger;
grant select on ledger_anchor to sightline_ledger;
grant select, insert, delete on ledger_pending to sightline_ledger;
-- What an operator does to the ledger is audited in the same transaction.
grant select, insert on audit_event to sightline_ledger;

-- Whatever was written for the ledger, whether it has its place yet or not.
create view ledger_known with (security_invoker = true) as
  select org_id, entry_id, kind, entry, leaf_hash from ledger_pending
  union all
  select org_id, entry_id, kind, entry, leaf_hash from ledger_entry;
revoke all on ledger_known from sightline_readonly;
revoke insert, update, delete on ledger_known from sightline_app;

-- Asked before an organisation is known: whose entries wait, and whose head is not signed yet? One look into the index for each
-- organisation, however many entries wait.
create policy lookup on ledger_pending for select to sightline_lookup using (true);
create policy lookup on ledger_log for select to sightline_lookup using (true);
grant select (org_id) on ledger_pending to sightline_lookup;
grant select (org_id, size, signed_size, closed_at) on ledger_log to sightline_lookup;
create function orgs_with_ledger_work() returns setof uuid language sql stable security definer set search_path = public
  as $$
    with recursive waiting as (
      (select org_id from ledger_pending order by org_id limit 1)
      union all
      select (select p.org_id from ledger_pending p where p.org_id > w.org_id order by p.org_id limit 1)
      from waiting w where w.org_id is not null
    )
    select org_id from waiting where org_id is not null
    union
    select org_id from ledger_log where closed_at is null and size > signed_size
  $$;
create function orgs_with_ledger() returns setof uuid language sql stable security definer set search_path = public
  as $$ select org_id from ledger_log where closed_at is null $$;
do $$
declare
  name text;
begin
  foreach name in array array['orgs_with_ledger_work()', 'orgs_with_ledger()'] loop
    execute format('alter function %s owner to sightline_lookup', name);
    execute format('revoke all on function %s from public', name);
    execute format('grant execute on function %s to sightline_app, sightline_ledger', name);
  end loop;
end $$;
