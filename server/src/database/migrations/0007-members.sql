-- How far the mail of an invitation got, so that nobody waits for an answer to a mail that never left.
alter table invitation add column mailed_at timestamptz;
alter table invitation add column mail_failed_at timestamptz;

-- One open invitation for an address. Also what the list of members reads.
create unique index invitation_open on invitation (org_id, email)
  where accepted_at is null and declined_at is null and revoked_at is null;
create index invitation_created on invitation (org_id, created_at);

-- Is this the only owner left?
create index member_owners on member (org_id, account_id) where role_id = 'rol_owner' and status = 'active';

-- Whoever opens pull requests as an agent is nobody to invite.
create index pull_request_agents on pull_request (org_id, author_person) where author_is_agent;

-- What a list of members is searched and sorted by: the name in lower case, then the address.
alter table account add column search text not null generated always as (lower(name || ' ' || email)) stored;

-- Who committed to an enabled repository, each person once, so that the list of members can show whom nobody invited
-- without reading every contributor of every repository. Kept by the triggers below, in the transactions that change it.
create table committer (
  org_id uuid not null references organization,
  person_id uuid not null,
  name text not null,
  email text not null,
  login text,
  seen_at timestamptz not null default now(),
  -- Neither a member nor invited.
  uninvited boolean not null,
  search text not null generated always as (lower(name || ' ' || email)) stored,
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references person (org_id, id)
);
create index committer_uninvited on committer (org_id, seen_at, person_id) where uninvited;
alter table committer enable row level security;
alter table committer force row level security;
create policy tenant on committer using (org_id = app_org()) with check (org_id = app_org());
create index contributor_person on contributor (org_id, person_id);

-- Robots under a name of their own are nobody to invite.
create function is_robot(name text, email text, login text) returns boolean language sql immutable parallel safe
  as $$ select name ilike '%[bot]' or coalesce(login, '') ilike '%[bot]' or email ~* '(\[bot\]@|^(no-?reply|bot|actions?)@)' $$;

create function is_uninvited(org uuid, person uuid) returns boolean language sql stable
  as $$
    select not exists (
      select from identity n join member m on m.org_id = org and m.account_id = n.value::uuid
      where n.org_id = org and n.person_id = person and n.kind = 'account'
    ) and not exists (
      select from identity n join invitation i on i.org_id = org and i.email = n.value
        and i.accepted_at is null and i.declined_at is null and i.revoked_at is null
      where n.org_id = org and n.person_id = person and n.kind = 'email'
    )
  $$;

create function note_committers() returns trigger language plpgsql as $$
begin
  -- Nearly every batch is of people who are known.
  if exists (select from fresh) then
    insert into committer (org_id, person_id, name, email, login, uninvited)
    select distinct on (c.org_id, c.person_id) c.org_id, c.person_id, c.name, c.email, c.login,
      is_uninvited(c.org_id, c.person_id)
    from fresh c join repository r on r.org_id = c.org_id and r.id = c.repository_id and r.tracked
    where not is_robot(c.name, c.email, c.login)
    order by c.org_id, c.person_id, c.last_commit desc
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger note_committers after insert on contributor referencing new table as fresh
  for each statement execute function note_committers();

create function note_tracked() returns trigger language plpgsql as $$
begin
  if new.tracked then
    insert into committer (org_id, person_id, name, email, login, uninvited)
    select c.org_id, c.person_id, c.name, c.email, c.login, is_uninvited(c.org_id, c.person_id) from contributor c
    where c.org_id = new.org_id and c.repository_id = new.id and not is_robot(c.name, c.email, c.login)
    order by c.person_id
    on conflict do nothing;
  else
    delete from committer k
    where k.org_id = new.org_id
      and exists (select from contributor c where c.org_id = k.org_id and c.repository_id = new.id and c.person_id = k.person_id)
      and not exists (
        select from contributor c join repository r on r.org_id = c.org_id and r.id = c.repository_id and r.tracked
        where c.org_id = k.org_id and c.person_id = k.person_id);
  end if;
  return null;
end $$;
create trigger note_tracked after update of tracked on repository
  for each row when (old.tracked is distinct from new.tracked) execute function note_tracked();

-- Who joins, leaves, is invited, answers, or turns out to be somebody known.
create function review_committers(org uuid, known_as text, known_value text) returns void language sql
  as $$
    update committer k set uninvited = is_uninvited(k.org_id, k.person_id)
    where k.org_id = org and k.person_id in (
      select person_id from identity where org_id = org and kind = known_as and value = known_value)
  $$;
create function note_member() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform review_committers(old.org_id, 'account', old.account_id::text);
  else
    perform review_committers(new.org_id, 'account', new.account_id::text);
  end if;
  return null;
end $$;
create trigger note_member after insert or delete on member for each row execute function note_member();
create function note_invitation() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform review_committers(old.org_id, 'email', old.email); end if;
  if tg_op <> 'DELETE' then perform review_committers(new.org_id, 'email', new.email); end if;
  return null;
end $$;
create trigger note_invitation after insert or delete or update of accepted_at, declined_at, revoked_at, email
  on invitation for each row execute function note_invitation();

create function note_known() returns trigger language plpgsql as $$
begin
  update committer k set uninvited = is_uninvited(k.org_id, k.person_id)
  where k.org_id = new.org_id and k.person_id = new.person_id;
  return null;
end $$;
create trigger note_known after insert or update of person_id on identity
  for each row when (new.kind in ('account', 'email')) execute function note_known();

-- What is there already. The owner of the schema sees no tenant's rows, except for this moment.
do $$
declare
  name text;
  names text[] := array['contributor', 'repository', 'committer', 'identity', 'member', 'invitation'];
begin
  foreach name in array names loop execute format('alter table %I no force row level security', name); end loop;
  insert into committer (org_id, person_id, name, email, login, uninvited)
  select distinct on (c.org_id, c.person_id) c.org_id, c.person_id, c.name, c.email, c.login,
    is_uninvited(c.org_id, c.person_id)
  from contributor c join repository r on r.org_id = c.org_id and r.id = c.repository_id and r.tracked
  where not is_robot(c.name, c.email, c.login)
  order by c.org_id, c.person_id, c.last_commit desc;
  foreach name in array names loop execute format('alter table %I force row level security', name); end loop;
end $$;
