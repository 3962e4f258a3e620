-- Which change a commit came with when it was read what agents wrote of it: a commit may come with several, such as a backport.
alter table ai_attribution add change_id uuid;
create index ai_attribution_change on ai_attribution (org_id, change_id, path, id) where change_id is not null;

-- How reading the notes and traces of a change went the last time: what could not be read is said and not passed over.
create table attribution_reading (
  org_id uuid not null,
  change_id uuid not null,
  source text not null check (source in ('git-ai', 'agent-trace')),
  read_at timestamptz not null default now(),
  records int not null check (records >= 0),
  malformed int not null check (malformed >= 0),
  -- Records that name no commit.
  unplaced int not null check (unplaced >= 0),
  -- What was more than we take.
  left_out int not null check (left_out >= 0),
  primary key (org_id, change_id, source)
);
alter table attribution_reading enable row level security;
alter table attribution_reading force row level security;
create policy tenant on attribution_reading using (org_id = app_org()) with check (org_id = app_org());
