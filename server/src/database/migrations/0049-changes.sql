-- What reached the branches that count, and how. Rows of facts are added and never changed: what is learnt later is another
-- version, so that a control can be judged again by what the ledger held at any size. Each names its entry there.

-- Whether somebody is a human or a program, by who says so.
create table person_kind (
  org_id uuid not null,
  person_id uuid not null,
  kind text not null check (kind in ('human', 'agent')),
  source text not null check (source in ('account', 'github', 'gitlab', 'bitbucket', 'trailer')),
  at timestamptz not null default clock_timestamp(),
  primary key (org_id, person_id, source),
  foreign key (org_id, person_id) references person (org_id, id)
);

-- A push to a branch in scope. Version 2 of one that was lost or told in part is what was read of it later.
create table branch_push (
  org_id uuid not null,
  id uuid not null,
  version int not null default 1 check (version > 0),
  repository_id uuid not null,
  branch text not null,
  -- Null: the branch was made, or deleted.
  before_sha text,
  after_sha text,
  pushed_at timestamptz not null,
  at_known text not null check (at_known in ('host', 'received')),
  pusher uuid,
  forced text not null check (forced in ('yes', 'no', 'unknown')),
  -- Recovered: the pushes that were lost here are rows of their own by now.
  whole text not null check (whole in ('whole', 'truncated', 'lost', 'recovered')),
  -- Newly reachable by it, oldest first.
  commits text[] not null default '{}',
  source text not null check (source in ('webhook', 'activity', 'reconcile')),
  entry_id uuid not null,
  primary key (org_id, id, version),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index branch_push_branch on branch_push (org_id, repository_id, branch, pushed_at, id, version);
create index branch_push_pushed on branch_push (org_id, pushed_at, id, version);

-- A commit that a push made reachable, and whether by a pull request.
create table reached_commit (
  org_id uuid not null,
  repository_id uuid not null,
  branch text not null,
  push_id uuid not null,
  sha text not null,
  version int not null default 1 check (version > 0),
  came_by text not null check (came_by in ('merged_pull_request', 'none', 'unknown')),
  number int,
  entry_id uuid not null,
  primary key (org_id, push_id, sha, version),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index reached_commit_sha on reached_commit (org_id, repository_id, sha, version);

create table change_record (
  org_id uuid not null,
  id uuid not null,
  version int not null check (version > 0),
  repository_id uuid not null,
  branch text not null,
  is_default_branch boolean not null,
  via text not null check (via in ('pull_request', 'merge_queue', 'direct_push', 'unknown')),
  number int,
  push_id uuid,
  merged_at timestamptz not null,
  merge_sha text,
  head_sha text,
  -- Each part as the judges of controls take it, and where it comes from: {part: {state, fetchedAt, delivery, why}}.
  parts jsonb not null,
  sources jsonb not null,
  -- To list by: who wrote it, everybody it names, parts that are not known whole, and whether somebody independent approved.
  authors uuid[] not null,
  persons uuid[] not null,
  missing text[] not null,
  approval text not null check (approval in ('yes', 'no', 'unknown')),
  has_agent boolean not null,
  protection_id uuid,
  because text not null check (because in ('merge', 'push', 'review', 'check', 'identity', 'retry', 'reconcile')),
  made_at timestamptz not null default clock_timestamp(),
  entry_id uuid not null,
  primary key (org_id, id, version),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index change_record_merged on change_record (org_id, merged_at, id, version);
create index change_record_repository on change_record (org_id, repository_id, merged_at, id, version);
create index change_record_number on change_record (org_id, repository_id, number, version) where number is not null;
create index change_record_persons on change_record using gin (persons);

-- Records that are to be made, or made again; the row goes once that is done.
create table change_due (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  number int,
  push_id uuid,
  because text not null,
  attempt int not null default 0,
  due_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id),
  check ((number is null) <> (push_id is null))
);
create index change_due_at on change_due (org_id, due_at, id);

create table protection_snapshot (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  branch text not null,
  captured_at timestamptz not null,
  trigger text not null check (trigger in ('webhook', 'merge', 'poll')),
  -- None: the host says that nothing protects it. Forbidden: we may not read all of it.
  state text not null check (state in ('read', 'none', 'forbidden')),
  rules jsonb not null,
  -- The snapshot of the same rules before it.
  same_as uuid,
  entry_id uuid not null,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index protection_snapshot_branch on protection_snapshot (org_id, repository_id, branch, captured_at, id);

-- A push to the branch of a pull request. After: all that is known is that it was later than that.
create table pull_request_push (
  org_id uuid not null,
  repository_id uuid not null,
  number int not null,
  id uuid not null,
  sha text not null,
  at timestamptz not null,
  at_known text not null check (at_known in ('host', 'after', 'received')),
  pusher uuid,
  entry_id uuid not null,
  primary key (org_id, repository_id, number, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);

-- Lines of a commit that an agent wrote, as somebody says.
create table ai_attribution (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  commit_sha text not null,
  path text,
  lines int4range,
  agent text not null,
  model text,
  session text,
  session_owner uuid,
  source text not null check (source in ('git-ai', 'agent-trace', 'trailer', 'host', 'editor')),
  confidence text not null check (confidence in ('declared', 'observed', 'inferred')),
  entry_id uuid not null,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index ai_attribution_commit on ai_attribution (org_id, repository_id, commit_sha, id);

do $$
declare
  name text;
begin
  foreach name in array array['person_kind', 'branch_push', 'reached_commit', 'change_record', 'protection_snapshot',
    'pull_request_push', 'ai_attribution'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
    execute format('revoke update, delete on %I from sightline_app', name);
  end loop;
end $$;
alter table change_due enable row level security;
alter table change_due force row level security;
create policy tenant on change_due using (org_id = app_org()) with check (org_id = app_org());

alter table pull_request add merged_by_person uuid, add labels text[];
-- A commit that a host tells to be the merge of a pull request.
create index pull_request_merge on pull_request (org_id, repository_id, merge_sha) where merge_sha is not null;
-- The state stays as it was first said; that it was dismissed since stands beside it.
alter table review add dismissed_at timestamptz, add dismissed_known text check (dismissed_known in ('host', 'received', 'unknown'));
