-- Rooms in which an auditor, who is no member, sees snapshots for a time. Of a link only its hash is kept; it names its
-- organisation itself.
create table auditor_room (
  org_id uuid not null references organization,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  auditor_name text not null check (length(auditor_name) between 1 and 120),
  -- Null: none was given. The person is whom the organisation knows by it, under whose key the ledger holds what is theirs.
  auditor_email text,
  person_id uuid,
  redaction text not null check (redaction in ('none', 'people')),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  -- Of the link in the mail, which is another, so that it waits nowhere.
  mailed_hash bytea check (octet_length(mailed_hash) = 32),
  mailed_at timestamptz,
  mail_failed_at timestamptz,
  created_by uuid not null,
  opened_at timestamptz not null default now(),
  closes_at timestamptz not null,
  revoked_at timestamptz,
  -- That its time was over, noted by the clock; it was closed before, when it was.
  closed_at timestamptz,
  views int not null default 0,
  last_view_at timestamptz,
  primary key (org_id, id),
  check (closes_at > opened_at)
);
create index auditor_room_opened on auditor_room (org_id, opened_at desc, id);
create unique index auditor_room_token on auditor_room (org_id, token_hash);
create unique index auditor_room_mailed on auditor_room (org_id, mailed_hash) where mailed_hash is not null;

create table auditor_room_snapshot (
  org_id uuid not null,
  room_id uuid not null,
  snapshot_id uuid not null,
  primary key (org_id, room_id, snapshot_id),
  foreign key (org_id, room_id) references auditor_room (org_id, id),
  foreign key (org_id, snapshot_id) references snapshot (org_id, id)
);

-- What a link was exchanged for: a cookie of one browser, for one room.
create table auditor_visit (
  org_id uuid not null,
  hash bytea not null check (octet_length(hash) = 32),
  room_id uuid not null,
  begun_at timestamptz not null default now(),
  ends_at timestamptz not null,
  primary key (org_id, hash),
  foreign key (org_id, room_id) references auditor_room (org_id, id)
);
create index auditor_visit_room on auditor_visit (org_id, room_id);

create table auditor_request (
  org_id uuid not null,
  room_id uuid not null,
  id uuid not null,
  -- Null: about nothing particular.
  control_id text,
  text text not null check (length(text) between 1 and 2000),
  asked_at timestamptz not null default now(),
  answer text check (length(answer) between 1 and 4000),
  answered_at timestamptz,
  answered_by uuid,
  primary key (org_id, room_id, id),
  foreign key (org_id, room_id) references auditor_room (org_id, id),
  check ((answer is null) = (answered_at is null))
);

do $$
declare
  name text;
begin
  foreach name in array array['auditor_room', 'auditor_room_snapshot', 'auditor_visit', 'auditor_request'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
-- What was in a room stays known. Only visits end.
revoke delete on auditor_room, auditor_request, auditor_room_snapshot from sightline_app;
revoke update on auditor_room_snapshot, auditor_visit from sightline_app;

-- What a room is stays as it was opened, and what is over does not begin again.
create function auditor_room_is_kept() returns trigger language plpgsql as $$
begin
  if row(new.redaction, new.token_hash, new.created_by, new.opened_at)
     is distinct from row(old.redaction, old.token_hash, old.created_by, old.opened_at)
     or new.closes_at > old.closes_at
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) then
    raise exception 'A room cannot be changed';
  end if;
  return new;
end $$;
create trigger auditor_room_is_kept before update on auditor_room for each row execute function auditor_room_is_kept();
