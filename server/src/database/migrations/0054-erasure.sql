-- Erasing a person: their key and names go at once, and a job takes their words out of everything else, step by step. It works as a
-- role of its own, which may empty what the server that answers requests can only add, and cannot touch the ledger.
do $$
begin
  if not exists (select from pg_roles where rolname = 'sightline_erasure') then
    begin
      create role sightline_erasure nologin nosuperuser nobypassrls;
    exception when duplicate_object or unique_violation then null; -- another database of this cluster migrates too
    end;
  end if;
  grant sightline_erasure to current_user;
end $$;
grant usage on schema public to sightline_erasure;

-- A request of the person themselves waits for an owner; what an owner decides runs.
create table erasure (
  org_id uuid not null references organization,
  id uuid not null,
  person_id uuid not null,
  -- Where the person could sign in.
  account_id uuid,
  basis text not null check (basis in ('person', 'owner', 'operator')),
  state text not null check (state in ('requested', 'withdrawn', 'refused', 'running', 'done')),
  requested_by uuid,
  requested_at timestamptz not null default clock_timestamp(),
  decided_by uuid,
  decided_at timestamptz,
  -- Why it was refused, for the person.
  reason text not null default '',
  -- No other organisation knows the account, so it goes too.
  account_goes boolean not null default false,
  -- What is still to be looked for, sealed; nothing once it is done.
  names_sealed bytea,
  -- Places worked through, of how many, and the one that is next.
  done int not null default 0,
  total int not null default 0,
  -- How many rows were emptied or changed.
  rows int not null default 0,
  entry_id uuid,
  finished_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, person_id) references person (org_id, id),
  -- Four eyes, whatever the code above says.
  check (basis <> 'person' or decided_by is null or decided_by <> requested_by)
);
create index erasure_newest on erasure (org_id, requested_at desc, id desc);
create unique index erasure_open on erasure (org_id, person_id) where state in ('requested', 'running');
create index erasure_account on erasure (org_id, account_id) where account_id is not null;

-- Rows of which the ledger holds an entry, and whose words an erasure took away: the self-check knows them by it. The last entry of an
-- erasure commits to how many there are and to which.
create table erased_row (
  org_id uuid not null,
  entry_id uuid not null,
  erasure_id uuid not null,
  primary key (org_id, entry_id)
);
create index erased_row_erasure on erased_row (org_id, erasure_id, entry_id);

do $$
declare
  name text;
begin
  foreach name in array array['erasure', 'erased_row'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;
revoke insert, update, delete on erased_row from sightline_app;

-- Accounts as the organisation may name them: an account that lives on elsewhere is nobody here once its person was erased. Whoever is a
-- member again is read from account itself.
create view account_here with (security_invoker = true) as
  select a.id, a.name, a.email, a.picture from account a
  where not exists (
    select from erasure e where e.org_id = app_org() and e.account_id = a.id and e.state in ('running', 'done'));
revoke insert, update, delete on account_here from sightline_app;

grant select, update, delete on all tables in schema public to sightline_erasure;
alter default privileges in schema public grant select, update, delete on tables to sightline_erasure;
grant insert on erased_row, posting_pending, posting_name, event_copy_pending to sightline_erasure;
grant usage on all sequences in schema public to sightline_erasure;
revoke all on ledger_log, ledger_entry, ledger_tile, ledger_checkpoint, ledger_anchor, signing_key, migration from sightline_erasure;
revoke update, delete on ledger_pending from sightline_erasure;

-- In which organisations an account is known, also in those it has left: asked before it is said whether it can be deleted.
create policy lookup on identity for select to sightline_lookup using (true);
grant select (org_id, kind, value) on identity to sightline_lookup;
create function orgs_of_account(account uuid) returns setof uuid language sql stable security definer set search_path = public
  as $$ select distinct org_id from identity where kind = 'account' and value = account::text $$;
-- What a crash left running.
create policy lookup on erasure for select to sightline_lookup using (true);
grant select (org_id, id, state) on erasure to sightline_lookup;
create function running_erasures() returns table (org_id uuid, id uuid) language sql stable security definer set search_path = public
  as $$ select org_id, id from erasure where state = 'running' $$;
do $$
declare
  name text;
begin
  foreach name in array array['orgs_of_account(uuid)', 'running_erasures()'] loop
    execute format('alter function %s owner to sightline_lookup', name);
    execute format('revoke all on function %s from public', name);
    execute format('grant execute on function %s to sightline_app', name);
  end loop;
end $$;
create index identity_account on identity (value) where kind = 'account';

-- Nobody invites whoever was erased, and their picture does not come back with the next word of their pull requests.
create or replace function is_uninvited(org uuid, person uuid) returns boolean language sql stable
  as $$
    select not exists (
      select from identity n join member m on m.org_id = org and m.account_id = n.value::uuid
      where n.org_id = org and n.person_id = person and n.kind = 'account'
    ) and not exists (
      select from identity n join invitation i on i.org_id = org and i.email = n.value
        and i.accepted_at is null and i.declined_at is null and i.revoked_at is null
      where n.org_id = org and n.person_id = person and n.kind = 'email'
    ) and not exists (select from person p where p.org_id = org and p.id = person and p.erased_at is not null)
  $$;
create function keep_erased() returns trigger language plpgsql as $$
begin
  if exists (select from person p where p.org_id = new.org_id and p.id = new.author_person and p.erased_at is not null) then
    new.author_avatar := null;
  end if;
  return new;
end $$;
create trigger keep_erased before update on pull_request
  for each row when (old.author_avatar is null and new.author_avatar is not null) execute function keep_erased();
