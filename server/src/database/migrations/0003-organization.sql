-- Organizations, members, people, audit log, access keys and deletion of personal data.

-- Organizations and their members.
create table organization (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  display_name text not null,
  description text not null default '',
  logo_url text,
  created_by uuid,
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  -- Owners of an archived organization have read access, other members are deactivated. status_before_archive keeps
  -- their status for the restore.
  archived_by uuid,
  require_second_factor boolean not null default false,
  -- Session limits of the organization. allowed_networks contains CIDR blocks; empty allows all addresses.
  idle_minutes int check (idle_minutes >= 5 and idle_minutes <= 20160),
  session_hours int check (session_hours >= 1 and session_hours <= 336),
  allowed_networks text[] not null default '{}',
  -- The connection that members must sign in with, using an address of a verified domain. Break-glass members are
  -- exempt.
  sso_connection text,
  -- Generated data for a demo. Only such an organization can be removed with all its rows.
  is_demo boolean not null default false,
  -- Accounts that were created for the demo, and are deleted with it.
  demo_accounts uuid[] not null default '{}'
);

-- Domains of an organization, verified by a TXT record with the token or by the operator.
create table organization_domain (
  org_id uuid not null references organization,
  domain text not null,
  token text not null,
  verified_by text check (verified_by in ('dns', 'operator')),
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, domain)
);
create index organization_domain_verified on organization_domain (domain) where verified_at is not null;

create table member (
  org_id uuid not null references organization,
  account_id uuid not null references account,
  role_id text not null check (role_id in ('rol_owner', 'rol_contributor', 'rol_reviewer', 'rol_auditor')),
  status text not null check (status in ('accepted', 'active', 'deactivated')),
  created_at timestamptz not null default now(),
  last_activity_at timestamptz,
  status_before_archive text check (status_before_archive in ('accepted', 'active')),
  break_glass boolean not null default false,
  -- When the current visit to the home page was last seen, and the end of the visit before it.
  home_seen_at timestamptz,
  home_visit_before_at timestamptz,
  primary key (org_id, account_id)
);
create index member_account on member (account_id, org_id);
-- Finds the other active owners before an owner is removed.
create index member_owners on member (org_id, account_id) where role_id = 'rol_owner' and status = 'active';

create table member_change (
  org_id uuid not null,
  account_id uuid not null,
  at timestamptz not null,
  -- Null: not a member any more.
  role_id text,
  status text not null check (status in ('accepted', 'active', 'deactivated', 'removed')),
  entry_id uuid,
  primary key (org_id, account_id, at),
  check ((role_id is null) = (status = 'removed'))
);
revoke update, delete on member_change from sightline_app;

create table invitation (
  org_id uuid not null references organization,
  id uuid not null,
  email text not null,
  role_id text not null check (role_id in ('rol_owner', 'rol_contributor', 'rol_reviewer', 'rol_auditor')),
  token_hash bytea not null,
  invited_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  declined_at timestamptz,
  revoked_at timestamptz,
  -- The delivery of the invitation e-mail.
  mailed_at timestamptz,
  mail_failed_at timestamptz,
  -- When the inviter was notified of the expiry.
  expiry_notified_at timestamptz,
  primary key (org_id, id)
);
create index invitation_created on invitation (org_id, created_at);
create index invitation_email on invitation (email, org_id);
-- At most one open invitation per address.
create unique index invitation_open on invitation (org_id, email)
  where accepted_at is null and declined_at is null and revoked_at is null;
create unique index invitation_token on invitation (token_hash);

-- People in evidence: an opaque ID that entries in the ledger refer to. Deleting person_key makes all commitments about
-- the person unreadable.
create table person (
  org_id uuid not null references organization,
  id uuid not null,
  merged_into uuid,
  erased_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);
-- Events keep the person they were recorded with, so lookups follow merges.
create index person_merged on person (org_id, merged_into) where merged_into is not null;

create table person_key (
  org_id uuid not null,
  person_id uuid not null,
  key bytea not null,
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references person(org_id, id)
);

-- Whether a person is a human or an agent, per source.
create table person_kind (
  org_id uuid not null,
  person_id uuid not null,
  kind text not null check (kind in ('human', 'agent')),
  source text not null check (source in ('account', 'github', 'bitbucket', 'gitlab', 'gitea', 'bitbucket-data-center', 'azure-devops', 'gerrit', 'trailer')),
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, person_id, source),
  foreign key (org_id, person_id) references person(org_id, id)
);
revoke update, delete on person_kind from sightline_app;

create table identity (
  org_id uuid not null,
  kind text not null,
  value text not null,
  person_id uuid not null,
  display text,
  picture text,
  source text not null,
  confidence text not null check (confidence in ('declared', 'observed', 'inferred')),
  valid_from timestamptz not null default now(),
  -- The account number or UUID on the code host. Logins can be reassigned; the number identifies the account also after
  -- a rename.
  host_id text,
  primary key (org_id, kind, value),
  foreign key (org_id, person_id) references person(org_id, id)
);
create index identity_account on identity (value) where kind = 'account';
create index identity_host_id on identity (org_id, kind, host_id) where host_id is not null;
create index identity_person on identity (org_id, person_id);

-- People with commits in enabled repositories, one row each, so that the member list shows uninvited committers without
-- reading all contributors. Maintained by triggers in the same transaction.
create table committer (
  org_id uuid not null references organization,
  person_id uuid not null,
  name text not null,
  email text not null,
  login text,
  seen_at timestamptz not null default now(),
  -- Neither a member nor invited.
  uninvited boolean not null,
  search text generated always as (lower(((name || ' ') || email))) stored not null,
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references person(org_id, id)
);
create index committer_uninvited on committer (org_id, seen_at, person_id) where uninvited;

-- Audit log. Each row has a ledger entry.
create table audit_event (
  org_id uuid not null references organization,
  id uuid not null,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('account', 'system', 'operator', 'integration')),
  actor_id text,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  data jsonb not null default '{}',
  personal jsonb not null default '{}',
  request_id text,
  address text,
  primary key (org_id, id)
);
-- The audit log is filtered by action, actor and target, newest first.
create index audit_event_action on audit_event (org_id, action, at desc, id desc);
create index audit_event_actor on audit_event (org_id, actor_kind, actor_id, at desc, id desc);
create index audit_event_at on audit_event (org_id, at desc, id desc);
create index audit_event_subject on audit_event (org_id, subject_kind, subject_id, at desc, id desc);
create index audit_event_subject_kind on audit_event (org_id, subject_kind, at desc, id desc);
revoke update, delete on audit_event from sightline_app;
grant insert, select on audit_event to sightline_ledger;

-- Destinations that the audit log of an organization is streamed to.
create table audit_stream (
  org_id uuid not null references organization,
  id uuid not null,
  kind text not null check (kind in ('syslog', 's3', 'https')),
  name text not null check ((length(name) >= 1) and (length(name) <= 80)),
  -- Settings of the kind, without secrets.
  settings jsonb not null,
  secret_sealed bytea,
  previous_secret_sealed bytea,
  previous_until timestamptz,
  enabled boolean not null default true,
  -- Cursor: the position of the last delivered entry in the ledger.
  epoch int not null,
  leaf_index bigint not null,
  last_delivered_at timestamptz,
  -- Failed attempts since the last success.
  tries int not null default 0,
  failing_since timestamptz,
  failed_at timestamptz,
  failure text,
  next_at timestamptz not null default now(),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, name)
);
create index audit_stream_due on audit_stream (org_id, next_at) where enabled;

-- Audit entries to be sent to the owners by e-mail.
create table owner_notice (
  org_id uuid not null references organization,
  audit_event_id uuid not null,
  recorded_at timestamptz not null default now(),
  primary key (org_id, audit_event_id)
);

-- Access keys for machines, such as a build that uploads SARIF. hash is SHA-256 of the key, which contains its
-- organization.
create table access_key (
  org_id uuid not null references organization,
  id uuid not null,
  name text not null,
  use text not null check (use in ('sarif', 'ledger', 'telemetry', 'mcp')),
  -- Null: valid for every enabled repository.
  repository_id uuid,
  -- The member for whose agents the key is; null: it belongs to the organization.
  account_id uuid,
  hash bytea not null,
  key_end text not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (org_id, id),
  check (account_id is null or use in ('telemetry', 'mcp')),
  -- A reader over MCP has the permissions of a member.
  check (account_id is not null or use <> 'mcp')
);
create unique index access_key_hash on access_key (org_id, hash);
create index access_key_account on access_key (org_id, account_id) where account_id is not null;
create index access_key_repository on access_key (org_id, repository_id) where repository_id is not null;

-- Deletions of personal data. A request by the person waits for an owner; a deletion started by an owner runs at once.
create table erasure (
  org_id uuid not null references organization,
  id uuid not null,
  person_id uuid not null,
  -- Null: the person had no account.
  account_id uuid,
  basis text not null check (basis in ('person', 'owner', 'operator')),
  state text not null check (state in ('requested', 'withdrawn', 'refused', 'running', 'done')),
  requested_by uuid,
  requested_at timestamptz not null default clock_timestamp(),
  decided_by uuid,
  decided_at timestamptz,
  -- Reason of a denied request, shown to the person.
  reason text not null default '',
  -- The account is deleted too, because it belongs to no other organization.
  deletes_account boolean not null default false,
  -- Sealed names and addresses to search for; empty when the deletion is complete.
  names_sealed bytea,
  -- Progress: processed and total locations.
  done int not null default 0,
  total int not null default 0,
  -- Number of rows emptied or changed.
  rows int not null default 0,
  entry_id uuid,
  finished_at timestamptz,
  primary key (org_id, id),
  check (basis <> 'person' or decided_by is null or decided_by <> requested_by),
  foreign key (org_id, person_id) references person(org_id, id)
);
create index erasure_account on erasure (org_id, account_id) where account_id is not null;
create index erasure_newest on erasure (org_id, requested_at desc, id desc);
create unique index erasure_open on erasure (org_id, person_id) where state in ('requested', 'running');

-- Rows whose ledger entry no longer matches because personal data was deleted. The self-check accepts them. The last
-- entry of a deletion commits to their number and hash.
create table erased_row (
  org_id uuid not null,
  entry_id uuid not null,
  erasure_id uuid not null,
  primary key (org_id, entry_id)
);
create index erased_row_erasure on erased_row (org_id, erasure_id, entry_id);
revoke insert, update, delete on erased_row from sightline_app;
grant insert on erased_row to sightline_erasure;

-- The SAML 2.0 identity provider of an organization.
create table saml_login (
  org_id uuid primary key references organization,
  label text not null,
  entity_id text not null,
  sign_in_url text not null,
  certificates text[] not null,
  -- The key that signs requests, and its certificate for the identity provider.
  key_sealed bytea not null,
  certificate text not null,
  groups_attribute text,
  -- Whether a response that no sign-in asked for begins one. The response itself is discarded.
  starts_at_provider boolean not null default false,
  connected_at timestamptz not null default now(),
  last_sign_in_at timestamptz,
  -- Why the last response was refused.
  problem text,
  problem_at timestamptz
);

-- The directory of an organization, which sends users and groups over SCIM 2.0.
create table directory (
  org_id uuid primary key references organization,
  product text not null check (product in ('entra', 'okta', 'other')),
  -- The role of active users without a mapped group; null: no access.
  default_role text check (default_role in ('rol_contributor', 'rol_reviewer', 'rol_auditor')),
  -- SHA-256 of the token, which contains its organization. The previous token stays valid for a day after a rotation.
  token_hash bytea not null,
  token_end text not null,
  previous_hash bytea,
  previous_until timestamptz,
  -- Null: the operator.
  created_by uuid,
  created_at timestamptz not null default now(),
  token_at timestamptz not null default now(),
  -- The last request, and the last one that changed something.
  last_request_at timestamptz,
  last_change_at timestamptz,
  -- The last rejected request: a sentence without personal data.
  failure text,
  failed_at timestamptz
);

create table directory_user (
  org_id uuid not null references directory on delete cascade,
  id uuid not null,
  user_name text not null,
  external_id text,
  -- The primary address, in lower case; null if the directory sent none.
  email text,
  is_active boolean not null,
  -- The other attributes: name, displayName and emails.
  profile jsonb not null default '{}',
  person_id uuid,
  account_id uuid references account,
  -- The role that was last applied to the membership; null: no access.
  applied_role text check (applied_role in ('rol_owner', 'rol_contributor', 'rol_reviewer', 'rol_auditor')),
  -- Why the membership differs from what the directory says; null if it does not.
  withheld text check (withheld in ('address_missing', 'domain_not_verified', 'address_taken', 'last_owner', 'last_break_glass_owner')),
  -- The membership must be compared with the directory again.
  is_due boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
create unique index directory_user_name on directory_user (org_id, lower(user_name));
create index directory_user_external on directory_user (org_id, external_id);
create index directory_user_email on directory_user (org_id, email);
create unique index directory_user_account on directory_user (org_id, account_id) where account_id is not null;
create index directory_user_created on directory_user (org_id, created_at, id);
create index directory_user_due on directory_user (org_id, id) where is_due or withheld is not null;

create table directory_group (
  org_id uuid not null references directory on delete cascade,
  id uuid not null,
  display_name text not null,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
create unique index directory_group_name on directory_group (org_id, lower(display_name));
create index directory_group_created on directory_group (org_id, created_at, id);

create table directory_group_member (
  org_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  primary key (org_id, group_id, user_id),
  foreign key (org_id, group_id) references directory_group on delete cascade,
  foreign key (org_id, user_id) references directory_user on delete cascade
);
create index directory_group_member_user on directory_group_member (org_id, user_id);

-- The roles of groups, by the name of the group in lower case.
create table group_role (
  org_id uuid not null references organization,
  group_name text not null,
  role_id text not null check (role_id in ('rol_owner', 'rol_contributor', 'rol_reviewer', 'rol_auditor')),
  primary key (org_id, group_name)
);

-- The role that groups gave a member at the last sign-in, which ends with them.
create table group_given_role (
  org_id uuid not null references organization,
  account_id uuid not null references account,
  role_id text not null check (role_id in ('rol_owner', 'rol_contributor', 'rol_reviewer', 'rol_auditor')),
  primary key (org_id, account_id)
);

-- Who was active in the directory from when on, as the directory reported it. Each row has a ledger entry.
create table directory_change (
  org_id uuid not null references organization,
  user_id uuid not null,
  at timestamptz not null,
  person_id uuid not null,
  is_active boolean not null,
  entry_id uuid,
  primary key (org_id, user_id, at)
);
create index directory_change_person on directory_change (org_id, person_id, at);
revoke update, delete on directory_change from sightline_app;

alter table organization_outbound_allowance add foreign key (org_id) references organization(id);
alter table organization_flag add foreign key (org_id) references organization(id);
alter table extension_code add foreign key (org_id) references organization(id);
alter table extension_grant add foreign key (org_id) references organization(id);

call isolate_by_organization(
  'organization_domain', 'member', 'member_change', 'invitation', 'person', 'person_key', 'person_kind', 'identity',
  'committer', 'audit_event', 'audit_stream', 'owner_notice', 'access_key', 'erasure', 'erased_row', 'saml_login', 'directory',
  'directory_user', 'directory_group', 'directory_group_member', 'group_role', 'group_given_role', 'directory_change'
);
alter table organization enable row level security;
alter table organization force row level security;
-- Lists all organizations for instance-wide audit entries.
create policy every_id on organization for select to sightline_lookup using (true);
create policy own on organization for select using (
  (exists ( select from member m where (m.account_id = app_account() and m.org_id = organization.id)))
  or (exists ( select from invitation i where (i.email = app_email() and i.org_id = organization.id)))
);
create policy tenant on organization using (id = app_org()) with check (id = app_org());
grant select (id, display_name, archived_at) on organization to sightline_lookup;
-- Finds the owners in the organizations of the current account, before an organization is selected.
create policy lookup on member for select to sightline_lookup using (true);
-- An account sees its own memberships and the invitations to its address in all organizations.
create policy own on member for select using (account_id = app_account());
grant select (org_id, account_id, role_id, status) on member to sightline_lookup;
-- Finds the organization of an invitation.
create policy lookup on invitation for select to sightline_lookup using (true);
create policy own on invitation for select using (email = app_email());
grant select (
  org_id, email, token_hash, expires_at, accepted_at, declined_at, revoked_at
) on invitation to sightline_lookup;
-- Finds all organizations that know an account, including former memberships, before the account is deleted.
create policy lookup on identity for select to sightline_lookup using (true);
grant select (org_id, kind, value) on identity to sightline_lookup;
create policy lookup on audit_event for select to sightline_lookup using (true);
grant select (org_id, id, at) on audit_event to sightline_lookup;
-- For the job that resumes streams.
create policy lookup on audit_stream for select to sightline_lookup using (true);
grant select (
  org_id, id, kind, enabled, epoch, leaf_index, tries, failing_since, failed_at, failure, next_at
) on audit_stream to sightline_lookup;
-- For the job that sends owner notices.
create policy lookup on owner_notice for select to sightline_lookup using (true);
grant select (org_id) on owner_notice to sightline_lookup;
-- Finds members by the address of their account.
grant select (id, email) on account to sightline_lookup;
-- For the job that repeats what a directory could not change at once.
create policy lookup on directory_user for select to sightline_lookup using (true);
grant select (org_id, is_due, withheld) on directory_user to sightline_lookup;
-- Finds the SAML login for an address on the sign-in page.
create policy lookup on organization_domain for select to sightline_lookup using (true);
grant select (org_id, domain, verified_at) on organization_domain to sightline_lookup;
create policy lookup on saml_login for select to sightline_lookup using (true);
grant select (org_id) on saml_login to sightline_lookup;
-- For the job that resumes deletions after a crash.
create policy lookup on erasure for select to sightline_lookup using (true);
grant select (org_id, id, state) on erasure to sightline_lookup;

-- Accounts with the data that the organization may see: none after the data of the person was deleted here. Current
-- members are read from account.
create view visible_account with (security_invoker = true) as
  select a.id, a.name, a.email, a.picture from account a
  where not exists (
    select from erasure e where e.org_id = app_org() and e.account_id = a.id and e.state in ('running', 'done'));
revoke insert, update, delete on visible_account from sightline_app;

-- The one name and picture of a person, or of the person it was merged into: of the account, else of the commits, else as
-- code hosts name it, else a login or email address. No row for an unknown person, and no name after the deletion of
-- its data.
create function person_display(org uuid, person uuid) returns table(id uuid, name text, picture text, erased boolean)
language sql stable as $$
    select p.id, coalesce(a.name, c.name, i.email_display, i.display, i.value, i.email), coalesce(a.picture, i.picture), p.erased_at is not null
    from person asked
    join person p on p.org_id = org and p.id = coalesce(asked.merged_into, asked.id)
    -- Arrays are compared by their elements: sorted aggregates would sort the names of each person several times.
    left join lateral (
      select (min(n.value) filter (where n.kind = 'account'))::uuid as account,
        min(n.value) filter (where n.kind = 'email') as email,
        (min(array[n.value, n.display]) filter (where n.kind = 'email' and n.display is not null))[2] as email_display,
        (min(array[n.value, n.display]) filter (where n.kind not in ('account', 'email') and n.display is not null))[2] as display,
        (min(array[n.kind, n.value]) filter (where n.kind not in ('account', 'email')))[2] as value,
        (min(array[n.kind, n.value, n.picture]) filter (where n.kind <> 'account' and n.picture is not null))[3] as picture
      from identity n where n.org_id = org and n.person_id = p.id) i on true
    left join account a on a.id = i.account
    left join committer c on c.org_id = org and c.person_id = p.id
    where asked.org_id = org and asked.id = person
$$;

-- Whether a person is neither a member nor invited. People whose data was deleted are never proposed for invitation.
create function is_uninvited(org uuid, person uuid) returns boolean language sql stable as $$
    select not exists (
      select from identity n join member m on m.org_id = org and m.account_id = n.value::uuid
      where n.org_id = org and n.person_id = person and n.kind = 'account'
    ) and not exists (
      select from identity n join invitation i on i.org_id = org and i.email = n.value
        and i.accepted_at is null and i.declined_at is null and i.revoked_at is null
      where n.org_id = org and n.person_id = person and n.kind = 'email'
    ) and not exists (select from person p where p.org_id = org and p.id = person and p.erased_at is not null)
$$;

-- Recomputes committer.uninvited of the person with this identity.
create function review_committers(org uuid, known_as text, known_value text) returns void language sql as $$
    update committer k set uninvited = is_uninvited(k.org_id, k.person_id)
    where k.org_id = org and k.person_id in (
      select person_id from identity where org_id = org and kind = known_as and value = known_value)
$$;

-- Whether data is generated is decided when an organization is created: nothing turns a real one into a demo.
create function keep_demo() returns trigger language plpgsql as $$
begin
  raise exception 'An organization cannot become a demo, or stop being one';
end
$$;
create trigger keep_demo before update of is_demo on organization
  for each row when (old.is_demo is distinct from new.is_demo) execute function keep_demo();

-- Without organizations that moved to another installation.
create function every_organization() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select id from organization o where not exists (select from moved_organization v where v.id = o.id)
$$;

-- For operators of the installation.
create function organization_names(ids uuid[]) returns table(id uuid, name text) language sql stable security definer
  set search_path = public as $$
  select o.id, o.display_name from organization o where o.id = any(ids)
$$;

-- Whether an open invitation exists for an address, or a directory made it a member. With SIGN_UP=invited only such
-- addresses can register.
create function has_open_invitation(address text) returns boolean language sql stable security definer
  set search_path = public as $$
 select exists (select from invitation where email = address and accepted_at is null and declined_at is null
    and revoked_at is null and expires_at > now())
  or exists (select from account a join member m on m.account_id = a.id and m.status <> 'deactivated'
    where lower(a.email) = address)
$$;

create function review_committers_of_invitation() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform review_committers(old.org_id, 'email', old.email); end if;
  if tg_op <> 'DELETE' then perform review_committers(new.org_id, 'email', new.email); end if;
  return null;
end
$$;
create trigger review_committers_of_invitation after insert or delete or update of accepted_at, declined_at, revoked_at, email on invitation
  for each row when (not is_importing()) execute function review_committers_of_invitation();

create function review_committer_of_identity() returns trigger language plpgsql as $$
begin
  update committer k set uninvited = is_uninvited(k.org_id, k.person_id)
  where k.org_id = new.org_id and k.person_id = new.person_id;
  return null;
end
$$;
create trigger review_committer_of_identity after insert or update of person_id on identity
  for each row when (new.kind in ('account', 'email') and not is_importing()) execute function review_committer_of_identity();

create function review_committers_of_member() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform review_committers(old.org_id, 'account', old.account_id::text);
  else
    perform review_committers(new.org_id, 'account', new.account_id::text);
  end if;
  return null;
end
$$;
create trigger review_committers_of_member after insert or delete on member
  for each row when (not is_importing()) execute function review_committers_of_member();

create function record_member_change() returns trigger language plpgsql as $$
declare
  who member := case when tg_op = 'DELETE' then old else new end;
  role text := case when tg_op <> 'DELETE' then new.role_id end;
  status text := case when tg_op = 'DELETE' then 'removed' else new.status end;
  at timestamptz := clock_timestamp();
  person uuid := (select person_id from identity where org_id = who.org_id and kind = 'account' and value = who.account_id::text);
begin
  insert into member_change (org_id, account_id, at, role_id, status, entry_id)
  values (who.org_id, who.account_id, at, role, status, queue_fact(who.org_id, 'member.changed', at, person,
    format('{"account":"%s","role":%s,"status":"%s"}', who.account_id, coalesce('"' || role || '"', 'null'), status)));
  return null;
end
$$;
create trigger record_member_change after insert or delete on member
  for each row when (not is_importing()) execute function record_member_change();
create trigger record_member_change_update after update on member
  for each row when (old.role_id <> new.role_id or old.status <> new.status) execute function record_member_change();

-- Whether an account is a member of another organization, so that its sessions are not those of one organization alone.
create function is_member_elsewhere(account uuid, org uuid) returns boolean language sql stable security definer
  set search_path = public as $$
  select exists (select from member where account_id = account and org_id <> org and status <> 'deactivated')
$$;

create function org_of_invitation(hash bytea) returns uuid language sql stable security definer
  set search_path = public as $$
  select org_id from invitation where token_hash = hash
$$;

-- Organizations with a SAML login that verified a domain, for people who enter their address on the sign-in page.
create function orgs_with_saml_login(verified_domain text) returns setof uuid language sql stable security definer
  set search_path = public as $$
  select d.org_id from organization_domain d join saml_login s on s.org_id = d.org_id
  where d.domain = verified_domain and d.verified_at is not null order by d.verified_at limit 5
$$;

create function orgs_of_account(account uuid) returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from identity where kind = 'account' and value = account::text
$$;

create function orgs_with_due_audit_streams() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from audit_stream where enabled and next_at <= now()
$$;

create function orgs_with_due_directory_users() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from directory_user where is_due or withheld is not null
$$;

create function orgs_with_owner_notices() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from owner_notice
$$;

-- ROWS 20 is close to the real number. The default of 1,000 makes the planner scan all accounts.
create function owners_of_own_organizations()
  returns table(org_id uuid, account_id uuid) language sql stable security definer rows 20 set search_path = public as $$
    select o.org_id, o.account_id from member m join member o on o.org_id = m.org_id
    where m.account_id = app_account() and m.status <> 'deactivated'
      and o.role_id = 'rol_owner' and o.status <> 'deactivated'
$$;

create function running_erasures() returns table(org_id uuid, id uuid) language sql stable security definer
  set search_path = public as $$
  select org_id, id from erasure where state = 'running'
$$;

call open_lookup(
  'every_organization()', 'has_open_invitation(text)', 'is_member_elsewhere(uuid, uuid)', 'organization_names(uuid[])', 'org_of_invitation(bytea)', 'orgs_of_account(uuid)',
  'orgs_with_due_audit_streams()', 'orgs_with_due_directory_users()', 'orgs_with_owner_notices()', 'orgs_with_saml_login(text)', 'owners_of_own_organizations()', 'running_erasures()'
);
