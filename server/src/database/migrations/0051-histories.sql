-- What was overwritten until now and controls ask of the past: who was connected when, who was a member as what, how scanners were.
-- Rows are added and never changed; each names its entry of the ledger. Null there: it stood so when this table was made, and
-- nobody wrote down what was before.

-- Since when these histories are kept, where the organisation is older than they are.
create table history_start (
  org_id uuid primary key references organization,
  at timestamptz not null default now()
);

create table presence_change (
  org_id uuid not null,
  account_id uuid not null,
  side text not null check (side in ('browser', 'ide')),
  at timestamptz not null,
  connected boolean not null,
  reason text not null check (reason in ('came', 'left', 'lapsed', 'paused', 'grant_ended')),
  entry_id uuid not null,
  primary key (org_id, account_id, side, at, connected)
);
create index presence_change_at on presence_change (org_id, at, account_id);

create table member_change (
  org_id uuid not null,
  account_id uuid not null,
  at timestamptz not null,
  -- Null: no member any more.
  role_id text,
  status text not null check (status in ('accepted', 'active', 'deactivated', 'gone')),
  entry_id uuid,
  primary key (org_id, account_id, at),
  check ((role_id is null) = (status = 'gone'))
);

-- How a scanner was in a repository; without a repository, how what connects it was in all of them.
create table scanner_state_change (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  repository_id uuid,
  source text not null check (source in ('checkmarx', 'code_scanning', 'dependabot', 'secret_scanning')),
  at timestamptz not null,
  state text not null check (state in ('working', 'failing', 'forbidden', 'not_configured')),
  entry_id uuid,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index scanner_state_change_at on scanner_state_change (org_id, repository_id, source, at, id);

-- The review of who has access, once a quarter.
create table access_review (
  org_id uuid not null references organization,
  id uuid not null,
  -- Its first day.
  quarter date not null check (quarter = date_trunc('quarter', quarter)),
  opened_at timestamptz not null,
  entry_id uuid not null,
  primary key (org_id, id),
  unique (org_id, quarter)
);

create table access_review_line (
  org_id uuid not null,
  review_id uuid not null,
  account_id uuid not null,
  role_id text not null,
  added_at timestamptz not null,
  entry_id uuid not null,
  primary key (org_id, review_id, account_id, role_id),
  foreign key (org_id, review_id) references access_review (org_id, id)
);

-- The last one of a line counts.
create table access_review_decision (
  org_id uuid not null,
  review_id uuid not null,
  account_id uuid not null,
  role_id text not null,
  at timestamptz not null default clock_timestamp(),
  reviewer uuid not null,
  decision text not null check (decision in ('kept', 'changed')),
  entry_id uuid not null,
  primary key (org_id, review_id, account_id, role_id, at),
  foreign key (org_id, review_id, account_id, role_id) references access_review_line (org_id, review_id, account_id, role_id),
  -- Nobody reviews themselves, whatever the code above says.
  check (reviewer <> account_id)
);

-- Covers what was decided before it. Who joins after a review was signed makes another signature necessary.
create table access_review_signature (
  org_id uuid not null,
  review_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  signed_by uuid not null,
  entry_id uuid not null,
  primary key (org_id, review_id, at),
  foreign key (org_id, review_id) references access_review (org_id, id)
);

-- False: the scanner told none, and the severity that stands there is ours.
alter table finding_source add column severity_known boolean not null default true;
alter table scan_result add column severity_known boolean not null default true;
-- The scan a turn rests on, as whoever takes it in names it for the transaction; null where nothing was scanned, as of a branch that is gone.
alter table finding_change add column scan_id uuid;
-- The entry of the ledger that tells of it, and whether whoever decided held the right to, then; null in those of earlier releases.
alter table finding_decision add column entry_id uuid, add column held_right boolean;
create index finding_decision_approved on finding_decision (org_id, at, id) where kind = 'exception_approved' and account_id is not null;
-- Characters of why, which stay when what was written is erased.
alter table finding_exception add column reason_length int;
alter table scan add column entry_id uuid;

-- That somebody or a repository was seen with a tool on a day, first of all that day. A client's hour-old word adds nothing.
create table tool_sighting (
  org_id uuid not null,
  tool_id text not null,
  holder text not null check (holder in ('person', 'repository')),
  holder_id uuid not null,
  -- Empty: it was not told.
  version text not null,
  day date not null,
  seen_at timestamptz not null,
  entry_id uuid not null,
  primary key (org_id, tool_id, holder, holder_id, version, day)
);
create index tool_sighting_day on tool_sighting (org_id, day, tool_id, holder, holder_id);

create or replace function note_turn() returns trigger language plpgsql as $$
begin
  insert into finding_change (org_id, repository_id, fingerprint, at, analysis, ref, was, state, commit_sha, scan_id)
  values (new.org_id, new.repository_id, new.fingerprint, clock_timestamp(), new.analysis, new.ref, old.state, new.state,
    case when new.state <> 'fixed' then new.commit_sha
      else (select commit_sha from scan where org_id = new.org_id and id = new.fixed_scan) end,
    nullif(current_setting('sightline.scan', true), '')::uuid);
  return null;
end $$;

-- The id of a fact as the server makes it (UUID version 8) of the JSON of its parts.
create function fact_id(parts text) returns uuid language sql immutable parallel safe as $$
  select encode(set_byte(set_byte(b, 6, (get_byte(b, 6) & 15) | 128), 8, (get_byte(b, 8) & 63) | 128), 'hex')::uuid
  from (select substring(sha256(convert_to(parts, 'UTF8')) for 16) as b) hashed
$$;

-- Queues an entry for the ledger of a fact that only a trigger sees, whoever wrote it. `subject`: canonical JSON of ids and
-- words of ours, so that nothing in it needs escaping.
create function queue_fact(org uuid, kind text, at timestamptz, person uuid, subject text) returns uuid language plpgsql as $$
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
end $$;

-- How a scan ended; a look that found nothing new is written down nowhere else.
create function note_scan_end() returns trigger language plpgsql as $$
begin
  new.entry_id := queue_fact(new.org_id, 'scan.ended', clock_timestamp(), null,
    format('{"commit":%s,"complete":%s,"repository":"%s","scan":"%s","source":"%s","state":"%s"}',
      coalesce(case when new.commit_sha ~ '^[0-9a-f]{1,64}$' then format('"%s"', new.commit_sha) end, 'null'),
      new.complete::text, new.repository_id, new.id, new.source, new.state));
  return new;
end $$;
create trigger note_scan_end before update on scan for each row
  when (new.state in ('done', 'failed') and old.state <> new.state) execute function note_scan_end();

create function note_membership() returns trigger language plpgsql as $$
declare
  who member := case when tg_op = 'DELETE' then old else new end;
  role text := case when tg_op <> 'DELETE' then new.role_id end;
  status text := case when tg_op = 'DELETE' then 'gone' else new.status end;
  at timestamptz := clock_timestamp();
  person uuid := (select person_id from identity where org_id = who.org_id and kind = 'account' and value = who.account_id::text);
begin
  insert into member_change (org_id, account_id, at, role_id, status, entry_id)
  values (who.org_id, who.account_id, at, role, status, queue_fact(who.org_id, 'member.changed', at, person,
    format('{"account":"%s","role":%s,"status":"%s"}', who.account_id, coalesce(format('"%s"', role), 'null'), status)));
  return null;
end $$;
create trigger note_membership after insert or delete on member for each row execute function note_membership();
create trigger note_membership_change after update on member for each row
  when (old.role_id <> new.role_id or old.status <> new.status) execute function note_membership();

-- Writes down how a scanner is, where that is news.
create function note_scanner(org uuid, repository uuid, scanner text, now_is text) returns void language plpgsql as $$
declare
  at timestamptz := clock_timestamp();
  was text := (select s.state from scanner_state_change s
    where s.org_id = org and s.repository_id is not distinct from repository and s.source = scanner order by s.at desc, s.id limit 1);
begin
  if coalesce(was, 'not_configured') = now_is then return; end if;
  insert into scanner_state_change (org_id, repository_id, source, at, state, entry_id)
  values (org, repository, scanner, at, now_is, queue_fact(org, 'scanner.changed', at, null,
    format('{"repository":%s,"source":"%s","state":"%s"}', coalesce(format('"%s"', repository), 'null'), scanner, now_is)));
end $$;

create function note_reading() returns trigger language plpgsql as $$
begin
  perform note_scanner(new.org_id, new.repository_id, new.source, case new.state
    when 'read' then 'working' when 'off' then 'not_configured' when 'forbidden' then 'forbidden' else 'failing' end);
  return null;
end $$;
create trigger note_reading after insert or update of state on alert_reading for each row execute function note_reading();

create function note_integration() returns trigger language plpgsql as $$
begin
  perform note_scanner(new.org_id, null, new.name, case new.status
    when 'active' then 'working' when 'error' then 'failing' else 'not_configured' end);
  return null;
end $$;
create trigger note_integration after insert or update of status on integration for each row execute function note_integration();

create function note_scanner_project() returns trigger language plpgsql as $$
declare
  repository uuid;
begin
  for repository in select distinct r from unnest(array[new.repository_id, case when tg_op = 'UPDATE' then old.repository_id end]) as r
    where r is not null
  loop
    perform note_scanner(new.org_id, repository, new.integration, case when exists (
      select from scanner_project p where p.org_id = new.org_id and p.repository_id = repository and p.removed_at is null)
      then 'working' else 'not_configured' end);
  end loop;
  return null;
end $$;
create trigger note_scanner_project after insert or update of repository_id, removed_at on scanner_project
  for each row execute function note_scanner_project();

-- How everything stands as these histories begin.
insert into history_start (org_id) select id from organization;
insert into member_change (org_id, account_id, at, role_id, status) select org_id, account_id, now(), role_id, status from member;
insert into scanner_state_change (org_id, repository_id, source, at, state)
select org_id, repository_id, source, now(), case state
  when 'read' then 'working' when 'forbidden' then 'forbidden' else 'failing' end
from alert_reading where state <> 'off';
insert into scanner_state_change (org_id, source, at, state)
select org_id, name, now(), case status when 'active' then 'working' else 'failing' end from integration where status <> 'inactive';
insert into scanner_state_change (org_id, repository_id, source, at, state)
select distinct org_id, repository_id, integration, now(), 'working'
from scanner_project where repository_id is not null and removed_at is null;

do $$
declare
  name text;
begin
  foreach name in array array['history_start', 'presence_change', 'member_change', 'scanner_state_change', 'access_review',
    'access_review_line', 'access_review_decision', 'access_review_signature', 'tool_sighting'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
    execute format('revoke update, delete on %I from sightline_app', name);
  end loop;
end $$;
revoke insert on history_start from sightline_app;

-- Whether a side of somebody is connected by what was written down last: the lock under which the next change is written.
create table presence_side (
  org_id uuid not null,
  account_id uuid not null,
  side text not null check (side in ('browser', 'ide')),
  -- Null: it is not.
  connected_since timestamptz,
  primary key (org_id, account_id, side)
);
create index presence_side_connected on presence_side (org_id, account_id, side) where connected_since is not null;
alter table presence_side enable row level security;
alter table presence_side force row level security;
create policy tenant on presence_side using (org_id = app_org()) with check (org_id = app_org());

-- Asked before an organisation is known: where may a connection have run out unseen?
create policy lookup on presence_side for select to sightline_lookup using (true);
grant select (org_id, connected_since) on presence_side to sightline_lookup;
create function orgs_with_connected_sides() returns setof uuid language sql stable security definer set search_path = public
  as $$ select distinct org_id from presence_side where connected_since is not null $$;
alter function orgs_with_connected_sides() owner to sightline_lookup;
revoke all on function orgs_with_connected_sides() from public;
grant execute on function orgs_with_connected_sides() to sightline_app;
