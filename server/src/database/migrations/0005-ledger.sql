-- The tamper-evident ledger, its checkpoints, signing keys and anchors.

-- Head of the ledger per organization and epoch. Its row lock serializes the sequencers.
create table ledger_log (
  org_id uuid not null references organization,
  epoch int not null check (epoch > 0),
  origin text not null,
  size bigint not null default 0 check (size >= 0),
  root bytea not null check (octet_length(root) = 32),
  -- First index that the next census covers, and the size of the last signed checkpoint.
  census_from bigint not null default 0,
  signed_size bigint not null default 0,
  signed_at timestamptz,
  -- Set when an integrity failure halted the ledger. No entries are added to a halted ledger.
  halted_at timestamptz,
  halt_reason text,
  closed_at timestamptz,
  primary key (org_id, epoch)
);
-- Readiness counts halted ledgers every few seconds.
create index ledger_log_halted on ledger_log (org_id) where closed_at is null and halt_reason is not null;
create unique index ledger_log_open on ledger_log (org_id) where closed_at is null;
create index ledger_log_unsigned on ledger_log (org_id) where closed_at is null and size > signed_size;
revoke insert, update, delete on ledger_log from sightline_app;
revoke all on ledger_log from sightline_erasure;
grant insert, select on ledger_log to sightline_ledger;

create table ledger_pending (
  org_id uuid not null,
  id bigint generated always as identity,
  entry_id uuid not null,
  kind text not null,
  entry text not null check (octet_length(entry) <= 65535),
  leaf_hash bytea not null check (octet_length(leaf_hash) = 32),
  queued_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
revoke update, delete on ledger_pending from sightline_app;
revoke update, delete on ledger_pending from sightline_erasure;
grant insert, select, delete on ledger_pending to sightline_ledger;

-- `entry_text` returns the entry exactly as it was hashed, so that verification needs no serializer.
create table ledger_entry (
  org_id uuid not null,
  entry_id uuid not null,
  leaf_index bigint not null check (leaf_index >= 0),
  epoch int not null,
  leaf_hash bytea not null check (octet_length(leaf_hash) = 32),
  kind text not null,
  -- From `pack_entry`.
  packed text not null,
  primary key (org_id, epoch, leaf_index)
);
-- Audit entries in ledger order, for audit streams.
create index ledger_entry_audit on ledger_entry (org_id, epoch, leaf_index) where kind like 'audit.%';
-- Most entries are about events, and no query reads those by kind.
create index ledger_entry_kind on ledger_entry (org_id, kind, epoch, leaf_index) where kind not like 'event.%';
-- An entry is added at most once. 184 bits of a hash are as unique as all of it, and align without padding.
create unique index ledger_entry_once on ledger_entry (org_id, entry_id, substring(leaf_hash for 23));
revoke insert, update, delete on ledger_entry from sightline_app;
revoke all on ledger_entry from sightline_erasure;
grant insert, select on ledger_entry to sightline_ledger;

-- An entry without what its columns contain, and with a short code for each fragment that most entries have. Codes begin with
-- a control character, which no JSON text contains; any other text is stored unchanged after another one. Stored entries depend
-- on these fragments: more can be added, none changed.
create function pack_entry(org_id uuid, entry_id uuid, kind text, entry text)
  returns text language sql immutable parallel safe as $$
  select case when strpos(entry, E'\x01') > 0 or starts_with(entry, E'\x02') then E'\x02' || entry else
    replace(replace(replace(replace(replace(replace(replace(replace(entry,
      '","id":"' || entry_id::text || '","kind":"' || kind || '","org":"' || org_id::text || '","person":', E'\x01i'),
      '{"_sd":["', E'\x01c'),
      '"],"_sd_alg":"sha-256","asOf":"', E'\x01a'),
      ',"receivedAt":"', E'\x01r'),
      '","source":"', E'\x01s'),
      '","subject":{', E'\x01b'),
      '"pullRequest":null,"repository":"', E'\x01p'),
      '},"v":1}', E'\x01v')
  end
$$;

-- The text of a stored entry.
create function entry_text(e ledger_entry) returns text language sql immutable parallel safe as $$
  select case when starts_with(e.packed, E'\x02') then substr(e.packed, 2) else
    replace(replace(replace(replace(replace(replace(replace(replace(e.packed,
      E'\x01v', '},"v":1}'),
      E'\x01p', '"pullRequest":null,"repository":"'),
      E'\x01b', '","subject":{'),
      E'\x01s', '","source":"'),
      E'\x01r', ',"receivedAt":"'),
      E'\x01a', '"],"_sd_alg":"sha-256","asOf":"'),
      E'\x01c', '{"_sd":["'),
      E'\x01i', '","id":"' || e.entry_id::text || '","kind":"' || e.kind || '","org":"' || e.org_id::text || '","person":')
  end
$$;

-- Tiles of 256 hashes. Partial tiles at the right edge grow, full tiles never change.
create table ledger_tile (
  org_id uuid not null,
  epoch int not null,
  level smallint not null check (level >= 0),
  n bigint not null check (n >= 0),
  hashes bytea not null
    check (((octet_length(hashes) % 32) = 0) and ((octet_length(hashes) >= 32) and (octet_length(hashes) <= 8192))),
  primary key (org_id, epoch, level, n)
);
alter table ledger_tile alter hashes set storage external;
revoke insert, update, delete on ledger_tile from sightline_app;
revoke all on ledger_tile from sightline_erasure;
grant insert, select on ledger_tile to sightline_ledger;

create table ledger_checkpoint (
  org_id uuid not null,
  epoch int not null,
  -- Part of the key: at most one root per size.
  size bigint not null,
  root bytea not null check (octet_length(root) = 32),
  note text not null,
  signed_at timestamptz not null default now(),
  primary key (org_id, epoch, size)
);
revoke insert, update, delete on ledger_checkpoint from sightline_app;
revoke all on ledger_checkpoint from sightline_erasure;
grant insert, select on ledger_checkpoint to sightline_ledger;

-- Published checkpoints with the receipts of the anchors.
create table ledger_receipt (
  org_id uuid not null,
  epoch int not null,
  size bigint not null,
  kind text not null check (kind in ('witness', 'rfc3161', 'mail', 'webhook', 'git')),
  party text not null,
  token bytea,
  at timestamptz not null default now(),
  primary key (org_id, epoch, size, kind, party)
);
create index ledger_receipt_newest on ledger_receipt (org_id, at desc);
-- The latest receipt per party, and over all parties.
create index ledger_receipt_party on ledger_receipt (org_id, kind, party, epoch, size);
revoke update, delete on ledger_receipt from sightline_app;
revoke all on ledger_receipt from sightline_erasure;
grant select on ledger_receipt to sightline_ledger;

-- State of the ledger per completed day. Null: unknown.
create table ledger_day (
  org_id uuid not null references organization,
  day date not null,
  self_check text check (self_check in ('ok', 'failed')),
  longest_pending_seconds int,
  -- As of the end of the day; null: never.
  last_anchored_at timestamptz,
  epoch_breaks int not null,
  entry_id uuid not null,
  primary key (org_id, day)
);
revoke update, delete on ledger_day from sightline_app;

-- The longest time that an entry waited for its position, per day. Written by the sequencer.
create table ledger_delay (
  org_id uuid not null references organization,
  day date not null,
  seconds int not null check (seconds >= 0),
  primary key (org_id, day)
);
revoke insert, update, delete on ledger_delay from sightline_app;
grant insert, select, update on ledger_delay to sightline_ledger;

-- Signing keys of checkpoints, sealed with the master key. A checkpoint is signed by the key whose range contains its
-- size.
create table signing_key (
  org_id uuid not null,
  key_id text not null,
  epoch int not null,
  vkey text not null,
  -- Of ML-DSA-44, derived from the same secret.
  cosigner_vkey text not null,
  secret bytea not null,
  from_size bigint not null,
  to_size bigint,
  created_at timestamptz not null default now(),
  primary key (org_id, key_id)
);
create unique index signing_key_open on signing_key (org_id, epoch) where to_size is null;
revoke all on signing_key from sightline_app;
revoke all on signing_key from sightline_readonly;
revoke all on signing_key from sightline_erasure;
grant insert, select on signing_key to sightline_ledger;

-- Anchors: external parties that checkpoints are published to. ledger_receipt contains the results.
create table anchor (
  org_id uuid not null references organization,
  id uuid not null,
  kind text not null check (kind in ('witness', 'rfc3161', 'mail', 'webhook', 'git')),
  -- Name of the party in ledger_receipt. Immutable, so that receipts keep their party.
  party text not null,
  -- Settings of the kind, without secrets.
  settings jsonb not null,
  secret_sealed bytea,
  every_hours int not null check (every_hours >= 1 and every_hours <= 168),
  enabled boolean not null default true,
  next_at timestamptz not null default now(),
  -- Failed attempts since the last success.
  tries int not null default 0,
  failing_since timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, kind, party)
);
create index anchor_due on anchor (org_id, next_at) where enabled;

-- Additional recipients of an e-mail anchor. An address receives checkpoints only after its confirmation.
create table anchor_address (
  org_id uuid not null references organization,
  id uuid not null,
  -- Lower case.
  address text not null,
  -- Hash of the token in the last confirmation link. It works once.
  token_hash bytea,
  requested_at timestamptz not null default now(),
  confirmed_at timestamptz,
  primary key (org_id, id)
);
create index anchor_address_address on anchor_address (org_id, address);
create index anchor_address_token on anchor_address (org_id, token_hash) where token_hash is not null;

-- Results of publishing attempts.
create table anchor_attempt (
  org_id uuid not null,
  id uuid not null,
  anchor_id uuid not null,
  at timestamptz not null default now(),
  outcome text not null check (outcome in ('published', 'unchanged', 'failed')),
  -- Null if no checkpoint was signed.
  epoch int,
  size bigint,
  message text not null,
  ms int not null,
  primary key (org_id, id),
  foreign key (org_id, anchor_id) references anchor(org_id, id) on delete cascade
);
create index anchor_attempt_log on anchor_attempt (org_id, anchor_id, at desc, id);

-- Who may read the log of C2SP tlog-tiles. Without a row only access keys may.
create table ledger_access (
  org_id uuid primary key references organization,
  is_public boolean not null
);

call isolate_by_organization(
  'ledger_access', 'ledger_log', 'ledger_pending', 'ledger_entry', 'ledger_tile', 'ledger_checkpoint', 'ledger_receipt', 'ledger_day',
  'ledger_delay', 'signing_key', 'anchor', 'anchor_address', 'anchor_attempt'
);
create policy lookup on ledger_log for select to sightline_lookup using (true);
grant select (org_id, size, signed_size, signed_at, halt_reason, closed_at) on ledger_log to sightline_lookup;
grant update (
  size, root, census_from, signed_size, signed_at, halted_at, halt_reason, closed_at
) on ledger_log to sightline_ledger;
-- Finds organizations with pending entries or unsigned heads, with one index lookup per organization regardless of the
-- number of entries.
create policy lookup on ledger_pending for select to sightline_lookup using (true);
grant select (org_id, kind, queued_at) on ledger_pending to sightline_lookup;
-- Backlog of audit streams by kind over all organizations, for metrics. At most 10,000 entries per stream are counted.
create policy lookup on ledger_entry for select to sightline_lookup using (true);
grant select (org_id, epoch, leaf_index, entry_id, kind) on ledger_entry to sightline_lookup;
grant update (hashes) on ledger_tile to sightline_ledger;
grant select (org_id, key_id, epoch, vkey, cosigner_vkey, from_size, to_size, created_at) on signing_key to sightline_app;
grant select (org_id, key_id, epoch, vkey, cosigner_vkey, from_size, to_size, created_at) on signing_key to sightline_readonly;
grant update (to_size) on signing_key to sightline_ledger;
-- For the job that publishes due checkpoints.
create policy lookup on anchor for select to sightline_lookup using (true);
grant select (org_id, enabled, next_at) on anchor to sightline_lookup;

-- All entries, pending or sequenced.
create view ledger_known with (security_invoker = true) as
  select org_id, entry_id, kind, entry, leaf_hash from ledger_pending
  union all
  select org_id, entry_id, kind, entry_text(e), leaf_hash from ledger_entry e;
revoke insert, update, delete on ledger_known from sightline_app;
revoke all on ledger_known from sightline_readonly;

create function audit_stream_lag()
  returns table(kind text, streams bigint, failing bigint, behind numeric, seconds float8) language sql stable security definer
  set search_path = public as $$
    select s.kind, count(*), count(s.failing_since), sum(placed.count + waiting.count),
      coalesce(max(extract(epoch from clock_timestamp() - coalesce(oldest.at, waiting.oldest))), 0)::double precision
    from audit_stream s
    cross join lateral (
      select count(*) from (
        select from ledger_entry e
        where e.org_id = s.org_id and e.kind like 'audit.%' and (e.epoch, e.leaf_index) > (s.epoch, s.leaf_index)
        limit 10000) few) placed
    cross join lateral (
      select count(*), min(p.queued_at) as oldest from (
        select queued_at from ledger_pending q where q.org_id = s.org_id and q.kind like 'audit.%' limit 10000) p) waiting
    left join lateral (
      select a.at from ledger_entry e join audit_event a on a.org_id = e.org_id and a.id = e.entry_id
      where e.org_id = s.org_id and e.kind like 'audit.%' and (e.epoch, e.leaf_index) > (s.epoch, s.leaf_index)
      order by e.epoch, e.leaf_index limit 1) oldest on true
    where s.enabled
    group by s.kind
$$;

-- For readiness and metrics. Returns a number, no organizations.
create function halted_ledgers() returns int language sql stable security definer set search_path = public as $$
  select count(*)::int from ledger_log where closed_at is null and halt_reason is not null
$$;

-- The lookup is a statement of its own: as a part of the condition its privileges would also be checked for updates,
-- once the session uses a generic plan.
create function keep_ledger_tile() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from organization o where o.id = old.org_id and o.is_demo) then
      return old;
    end if;
    -- The other installation has them.
    if is_importing() then
      if exists (select from moved_organization m where m.id = old.org_id) then
        return old;
      end if;
    end if;
  elsif octet_length(new.hashes) > octet_length(old.hashes)
     and substring(new.hashes from 1 for octet_length(old.hashes)) = old.hashes then
    return new;
  end if;
  raise exception 'A ledger tile can only grow';
end
$$;
create trigger keep_ledger_tile before delete or update on ledger_tile
  for each row execute function keep_ledger_tile();

create function orgs_with_due_anchors() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from anchor where enabled and next_at <= now()
$$;

create function orgs_with_ledger() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select org_id from ledger_log where closed_at is null
$$;

create function orgs_with_ledger_work() returns setof uuid language sql stable security definer
  set search_path = public as $$
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

-- Queues a ledger entry for a fact that is recorded by a trigger. `subject` is canonical JSON of IDs and constants, so
-- nothing needs escaping.
create function queue_fact(org uuid, kind text, at timestamptz, person uuid, subject text)
  returns uuid language plpgsql as $$
declare
  id uuid := gen_random_uuid();
  instant text := to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  entry text := format(
    '{"asOf":"%s","id":"%s","kind":"%s","org":"%s","person":%s,"receivedAt":"%s","source":"sightline","subject":%s,"v":1}',
    instant, id, kind, org, coalesce('"' || person || '"', 'null'), instant, subject);
begin
  insert into ledger_pending (org_id, entry_id, kind, entry, leaf_hash)
  values (org, id, kind, entry, sha256('\x00'::bytea || convert_to(entry, 'UTF8')));
  return id;
end
$$;

call open_lookup(
  'audit_stream_lag()', 'halted_ledgers()', 'orgs_with_due_anchors()', 'orgs_with_ledger()', 'orgs_with_ledger_work()'
);
grant execute on function orgs_with_ledger, orgs_with_ledger_work to sightline_ledger;
