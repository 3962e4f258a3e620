-- A SARIF file from its arrival until all of its scans have ended, so that an import can resume after a crash.
create table scan_upload (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  -- One for each analysis of the file, in that order.
  scans uuid[] not null,
  -- Sealed: who sent it, and what the request said.
  request bytea not null,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository (org_id, id)
);
-- The file, packed with gzip and sealed in pieces.
create table scan_upload_piece (
  org_id uuid not null,
  upload_id uuid not null,
  place int not null,
  bytes bytea not null,
  primary key (org_id, upload_id, place),
  foreign key (org_id, upload_id) references scan_upload (org_id, id) on delete cascade
);
alter table scan_upload_piece alter column bytes set storage external;

do $$
declare
  t text;
begin
  foreach t in array array['scan_upload', 'scan_upload_piece'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (org_id = app_org()) with check (org_id = app_org())', t);
  end loop;
end $$;

-- Which import of a scan is the current one: another process may resume it while the first still runs.
alter table scan add column upload_id uuid, add column attempt int not null default 1;
create index scan_of_upload on scan (org_id, upload_id) where upload_id is not null;
