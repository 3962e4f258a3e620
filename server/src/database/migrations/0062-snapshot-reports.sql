-- The report of a bundle for people, drawn once: a later compiler or font would draw other bytes, and a bundle that is built again is the
-- same. A bundle of which people are withheld has one of its own.
create table snapshot_report (
  org_id uuid not null,
  snapshot_id uuid not null,
  redaction text not null check (redaction in ('none', 'people')),
  -- Null: nothing on the machine that made the bundle could draw it, and the manifest says so.
  pdf bytea,
  primary key (org_id, snapshot_id, redaction),
  foreign key (org_id, snapshot_id) references snapshot (org_id, id)
);
alter table snapshot_report alter pdf set storage external;
alter table snapshot_report enable row level security;
alter table snapshot_report force row level security;
create policy tenant on snapshot_report using (org_id = app_org()) with check (org_id = app_org());
revoke update, delete on snapshot_report from sightline_app;
