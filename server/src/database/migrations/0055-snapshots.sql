-- Evidence of a period, frozen as of a signed checkpoint. What was frozen never changes; how far the making of it is, does.
create table snapshot (
  org_id uuid not null references organization,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  period_from timestamptz not null,
  period_to timestamptz not null,
  controls text[] not null check (cardinality(controls) > 0),
  -- Null: all of the organisation's.
  repositories uuid[],
  redaction text not null check (redaction in ('none', 'people')),
  -- An earlier one that this stands in for. Both stay.
  supersedes uuid,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'freezing', 'judging', 'building', 'ready', 'failed')),
  done int not null default 0,
  problem text,
  -- The ledger whose facts were judged, and the later checkpoint, by which the results are in the ledger too.
  epoch int,
  judged_size bigint,
  size bigint,
  -- What came of each control, and which checkpoint, earlier trees and anchors the bundle names.
  results jsonb,
  frozen jsonb,
  -- Of the bundle: what it lists, and how it is signed. With both it can be built again as it was.
  manifest text,
  signature text,
  bundle_sha256 bytea check (octet_length(bundle_sha256) = 32),
  bytes bigint,
  frozen_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, supersedes) references snapshot (org_id, id),
  check (period_from < period_to)
);
create index snapshot_created on snapshot (org_id, created_at desc, id);

alter table snapshot enable row level security;
alter table snapshot force row level security;
create policy tenant on snapshot using (org_id = app_org()) with check (org_id = app_org());
revoke delete on snapshot from sightline_app;

-- What is frozen stays as it is, whoever asks; a bundle whose people were erased since is made anew, and only its file is another.
create function snapshot_is_frozen() returns trigger language plpgsql as $$
begin
  if row(new.name, new.period_from, new.period_to, new.controls, new.repositories, new.redaction, new.supersedes, new.created_by,
         new.created_at)
     is distinct from
     row(old.name, old.period_from, old.period_to, old.controls, old.repositories, old.redaction, old.supersedes, old.created_by,
         old.created_at)
     or (old.state = 'ready' and row(new.epoch, new.judged_size, new.size, new.results, new.frozen) is distinct from
         row(old.epoch, old.judged_size, old.size, old.results, old.frozen)) then
    raise exception 'A snapshot cannot be changed';
  end if;
  return new;
end $$;
create trigger snapshot_is_frozen before update on snapshot for each row execute function snapshot_is_frozen();
