-- Why a scan is incomplete, as a list of a code and a message; empty where it is complete, or where no reason is known.
alter table scan add column incomplete jsonb not null default '[]';

-- Scanners whose findings count as fixed although the scanner reports missing classes: an owner allowed that.
create table missing_classes_allowed (
  org_id uuid not null,
  repository_id uuid not null,
  tool text not null,
  primary key (org_id, repository_id, tool),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
alter table missing_classes_allowed enable row level security;
alter table missing_classes_allowed force row level security;
create policy tenant on missing_classes_allowed using (org_id = app_org()) with check (org_id = app_org());
