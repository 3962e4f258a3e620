-- Extensions of editors and browsers: signed in by their person, in the name of one organisation.

create table extension_code (
  org_id uuid not null references organization,
  -- Of a code only its hash is kept; it names its organisation itself.
  hash bytea not null,
  account_id uuid not null references account,
  side text not null check (side in ('browser', 'ide')),
  type text not null,
  device text not null,
  challenge text not null,
  expires_at timestamptz not null,
  primary key (org_id, hash)
);

create table extension_grant (
  org_id uuid not null references organization,
  -- Also the session its access tokens name, so that ending it cuts its sockets and refuses its tokens at once.
  id uuid not null,
  account_id uuid not null references account,
  side text not null check (side in ('browser', 'ide')),
  type text not null,
  device text not null,
  version text,
  -- Of the refresh token only its hash is kept; it names its organisation itself.
  hash bytea not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (org_id, id)
);
create unique index extension_grant_hash on extension_grant (org_id, hash);
create index extension_grant_account on extension_grant (org_id, account_id) where revoked_at is null;

-- Grants that ended while an access token of theirs may still live. Ids of nothing else, so they belong to nobody.
create table extension_ended (
  grant_id uuid primary key,
  ended_at timestamptz not null default now()
);
create index extension_ended_at on extension_ended (ended_at);

-- A window of an editor, or a profile of a browser. Written at every heartbeat, so nothing that changes is indexed.
create table extension_session (
  org_id uuid not null references organization,
  account_id uuid not null references account,
  side text not null check (side in ('browser', 'ide')),
  id uuid not null,
  type text not null,
  version text not null,
  -- Connected while this is in the future: a socket that lives puts it off, so does a heartbeat.
  live_until timestamptz not null,
  seen_at timestamptz not null,
  heartbeat_at timestamptz,
  -- The connection that holds it: what an older one says no more counts.
  holder uuid,
  -- What the editor last said it has open, and when it said so.
  repository_id uuid,
  branch text,
  opened_at timestamptz,
  primary key (org_id, account_id, side, id)
) with (fillfactor = 70);

do $$
declare name text;
begin
  foreach name in array array['extension_code', 'extension_grant', 'extension_session'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
