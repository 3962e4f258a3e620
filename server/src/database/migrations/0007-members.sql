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

-- Who committed to an enabled repository, each person once, so that the list of members can show whom nobody invited
-- without reading every contributor of every repository. Kept by the triggers below, in the transactions that change it.
create table committer (
  org_id uuid not null references organization,
  person_id uuid not null,
  name text not null,
  email text not null,
  login text,
  -- Theirs, once they have one: whether it is a member's is asked of the members.
  account_id uuid,
  seen_at timestamptz not null default now(),
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table committer enable row level security;
alter table committer force row level security;
create policy tenant on committer using (org_id = app_org()) with check (org_id = app_org());
create index contributor_person on contributor (org_id, person_id);
create index identity_account on identity (org_id, person_id, value) where kind = 'account';
create function account_of(org uuid, person uuid) returns uuid language sql stable
  as $$ select max(value)::uuid from identity where org_id = org and person_id = person and kind = 'account' $$;

-- Robots under a name of their own are nobody to invite.
create function is_robot(name text, email text, login text) returns boolean language sql immutable parallel safe
  as $$ select name ilike '%[bot]' or coalesce(login, '') ilike '%[bot]' or email ~* '(\[bot\]@|^(no-?reply|bot|actions?)@)' $$;

create function note_committers() returns trigger language plpgsql as $$
begin
  -- Nearly every batch is of people who are known.
  if exists (select from fresh) then
    insert into committer (org_id, person_id, name, email, login, account_id)
    select distinct on (c.org_id, c.person_id) c.org_id, c.person_id, c.name, c.email, c.login,
      account_of(c.org_id, c.person_id)
    from fresh c join repository r on r.org_id = c.org_id and r.id = c.repository_id and r.tracked
    where not is_robot(c.name, c.email, c.login)
    order by c.org_id, c.person_id, c.last_commit desc
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger note_committers after insert on contributor referencing new table as fresh
  for each statement execute function note_committers();

create function note_account() returns trigger language plpgsql as $$
begin
  update committer set account_id = new.value::uuid where org_id = new.org_id and person_id = new.person_id;
  return null;
end $$;
create trigger note_account after insert on identity
  for each row when (new.kind = 'account') execute function note_account();

create function note_tracked() returns trigger language plpgsql as $$
begin
  if new.tracked then
    insert into committer (org_id, person_id, name, email, login, account_id)
    select c.org_id, c.person_id, c.name, c.email, c.login, account_of(c.org_id, c.person_id) from contributor c
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

-- What is there already. The owner of the schema sees no tenant's rows, except for this moment.
alter table contributor no force row level security;
alter table identity no force row level security;
alter table repository no force row level security;
alter table committer no force row level security;
insert into committer (org_id, person_id, name, email, login, account_id)
select distinct on (c.org_id, c.person_id) c.org_id, c.person_id, c.name, c.email, c.login,
      account_of(c.org_id, c.person_id)
from contributor c join repository r on r.org_id = c.org_id and r.id = c.repository_id and r.tracked
where not is_robot(c.name, c.email, c.login)
order by c.org_id, c.person_id, c.last_commit desc;
alter table contributor force row level security;
alter table identity force row level security;
alter table repository force row level security;
alter table committer force row level security;
