-- Our one comment at a pull request. The row comes before the comment: after a crash in between, the mark, which nobody
-- could know before, finds what was written.
create table policy_comment (
  org_id uuid not null,
  repository_id uuid not null,
  number int not null,
  mark uuid not null default gen_random_uuid(),
  -- As the host calls it; null until the host has answered.
  comment_id text,
  -- Of what it says; null until it says anything.
  body_sha256 bytea check (octet_length(body_sha256) = 32),
  -- Since when somebody writes it for the first time.
  claimed_at timestamptz,
  primary key (org_id, repository_id, number),
  foreign key (org_id, repository_id) references repository (org_id, id)
);

-- What a host would not let us say in a repository, until it does.
create table policy_refusal (
  org_id uuid not null,
  repository_id uuid not null,
  what text not null check (what in ('status', 'comment', 'check')),
  status int not null,
  refused_at timestamptz not null default clock_timestamp(),
  primary key (org_id, repository_id, what),
  foreign key (org_id, repository_id) references repository (org_id, id)
);

-- Where projects of a GitLab ask whether a merge request keeps the policies; one address and secret for an organisation.
create table status_check_hook (
  org_id uuid not null references organization,
  id uuid not null,
  secret bytea not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (org_id)
);
create unique index status_check_hook_address on status_check_hook (id);

-- Which checks of a project ask about a merge request: each is answered anew whenever it is judged.
create table status_check_asked (
  org_id uuid not null,
  repository_id uuid not null,
  number int not null,
  check_id text not null,
  asked_at timestamptz not null default clock_timestamp(),
  primary key (org_id, repository_id, number, check_id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);

do $$
declare
  name text;
begin
  foreach name in array array['policy_comment', 'policy_refusal', 'status_check_hook', 'status_check_asked'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
  end loop;
end $$;

-- Asked by a check before its organisation is known.
create policy lookup on status_check_hook for select to sightline_lookup using (true);
grant select (org_id, id) on status_check_hook to sightline_lookup;
create function org_of_status_check(hook uuid) returns uuid language sql stable security definer set search_path = public
  as $$ select org_id from status_check_hook where id = hook $$;
alter function org_of_status_check(uuid) owner to sightline_lookup;
revoke all on function org_of_status_check(uuid) from public;
grant execute on function org_of_status_check(uuid) to sightline_app;

-- Since when somebody has an extension record nothing, and until when; null for until they resume.
alter table extension_session add column paused_at timestamptz, add column paused_until timestamptz;
