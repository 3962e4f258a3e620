-- Persons whom the `.mailmap` of a repository's default branch takes for one, as it was read last. Replaced at every reading:
-- a line that is gone joins nobody any more. It changes no name of a person, and gives nobody a right.
create table mailmap_link (
  org_id uuid not null,
  repository_id uuid not null,
  person_id uuid not null,
  same_as uuid not null check (same_as <> person_id),
  primary key (org_id, repository_id, person_id, same_as),
  foreign key (org_id, repository_id) references repository (org_id, id),
  foreign key (org_id, person_id) references person (org_id, id),
  foreign key (org_id, same_as) references person (org_id, id)
);
create index mailmap_link_person on mailmap_link (org_id, person_id);
create index mailmap_link_same on mailmap_link (org_id, same_as);
alter table mailmap_link enable row level security;
alter table mailmap_link force row level security;
create policy tenant on mailmap_link using (org_id = app_org()) with check (org_id = app_org());

-- An account owner's decision about two persons of the same name: one row a pair, the lower id first. Undone, it is deleted.
create table contributor_merge (
  org_id uuid not null references organization,
  id uuid not null,
  person_id uuid not null,
  other_id uuid not null check (person_id < other_id),
  decision text not null check (decision in ('merged', 'dismissed')),
  decided_by uuid not null,
  decided_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, person_id, other_id),
  foreign key (org_id, person_id) references person (org_id, id),
  foreign key (org_id, other_id) references person (org_id, id)
);
create index contributor_merge_other on contributor_merge (org_id, other_id);
alter table contributor_merge enable row level security;
alter table contributor_merge force row level security;
create policy tenant on contributor_merge using (org_id = app_org()) with check (org_id = app_org());
