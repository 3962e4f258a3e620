-- Commit digests: what happened in a repository in a week, frozen as of a checkpoint of the ledger, and who reviewed it. Neither
-- is changed once it is there, but for the state to list by. The body is kept as the text that its hash was made of.
create table commit_digest (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  period_from timestamptz not null,
  period_to timestamptz not null,
  as_of_epoch int not null,
  as_of_size bigint not null,
  body text not null,
  body_sha256 bytea not null check (octet_length(body_sha256) = 32),
  -- To list by.
  flagged int not null,
  gaps int not null,
  counts jsonb not null,
  due_at timestamptz not null,
  -- What its reviews come to.
  state text not null default 'open' check (state in ('open', 'partly', 'signed')),
  entry_id uuid not null,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
create index commit_digest_due on commit_digest (org_id, due_at, id);
create index commit_digest_state on commit_digest (org_id, state, due_at, id);
create index commit_digest_repository on commit_digest (org_id, repository_id, due_at, id);

create table commit_digest_review (
  org_id uuid not null,
  id uuid not null,
  digest_id uuid not null,
  reviewer uuid not null,
  decision text not null check (decision in ('reviewed', 'follow_up')),
  note text not null,
  -- Of what the reviewer saw.
  body_sha256 bytea not null check (octet_length(body_sha256) = 32),
  -- By the subject of each flagged item that was decided.
  items jsonb not null,
  -- Nothing was left to decide with it: this is the sign-off.
  completes boolean not null,
  at timestamptz not null,
  entry_id uuid not null,
  primary key (org_id, id),
  foreign key (org_id, digest_id) references commit_digest (org_id, id)
);
create index commit_digest_review_digest on commit_digest_review (org_id, digest_id, at, id);
create unique index commit_digest_signed on commit_digest_review (org_id, digest_id) where completes;

do $$
declare
  name text;
begin
  foreach name in array array['commit_digest', 'commit_digest_review'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', name);
    execute format('revoke update, delete on %I from sightline_app', name);
  end loop;
end $$;
grant update (state) on commit_digest to sightline_app;
