-- Scanners, scans, findings and their decisions.

-- Combines severity, category and scanners, one per line: the filter dimensions of lists. Few distinct values exist. In PL/pgSQL, which
-- takes a quarter of the time: PostgreSQL cannot inline array_to_string into an immutable function.
create function finding_lane(severity smallint, category text, tools text[])
  returns text language plpgsql immutable parallel safe as $$
begin
  return severity::text || chr(10) || category || chr(10) || array_to_string(tools, chr(10));
end
$$;

-- A connected scanner. Secrets are sealed. Disconnecting deletes them and keeps the row.
create table integration (
  org_id uuid not null references organization,
  name text not null check (name in ('checkmarx', 'sonarqube', 'semgrep', 'snyk', 'dependency-track')),
  status text not null check (status in ('active', 'inactive', 'error')),
  -- Account, base URL and the last characters of the key.
  settings jsonb not null,
  secret bytea,
  -- ID in the webhook URL, which identifies the organization before the signature is verified.
  hook uuid not null,
  hook_secret bytea,
  -- ID of the webhook at the scanner; null if it could not be registered.
  hook_id text,
  -- Current problem: code and message.
  problem jsonb,
  checked_at timestamptz,
  last_sync_at timestamptz,
  sync_state text not null default 'idle' check (sync_state in ('idle', 'queued', 'running', 'failed')),
  -- The running synchronization and its heartbeat. Another process takes over after a crash.
  sync_run uuid,
  sync_beat_at timestamptz,
  sync_done int not null default 0,
  sync_total int,
  sync_results int not null default 0,
  sync_error text,
  -- Consecutive failures, which lengthen the retry interval.
  sync_failures int not null default 0,
  sync_started_at timestamptz,
  sync_finished_at timestamptz,
  -- Null if an operator connected it.
  created_by uuid,
  created_at timestamptz not null default now(),
  previous_hook_secret bytea,
  previous_hook_until timestamptz,
  primary key (org_id, name)
);
create index integration_connected on integration (org_id) where status <> 'inactive';
create unique index integration_hook on integration (hook);

-- A project of a scanner and its repository.
create table scanner_project (
  org_id uuid not null,
  integration text not null,
  external_id text not null,
  name text not null,
  repo_url text,
  imported_name text,
  main_branch text,
  repository_id uuid,
  -- manual without a repository_id: assigned to no repository.
  matched_by text check (matched_by in ('url', 'name', 'manual')),
  -- Number of the project among those of the scanner in its repository, from 1, so that their analyses are separate.
  position int not null default 1,
  last_scan_at timestamptz,
  removed_at timestamptz,
  primary key (org_id, integration, external_id),
  foreign key (org_id, integration) references integration(org_id, name),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index scanner_project_name on scanner_project (org_id, integration, name, external_id);
create index scanner_project_repository on scanner_project (org_id, repository_id) where repository_id is not null;

-- The latest imported scan per branch.
create table scanner_branch (
  org_id uuid not null,
  integration text not null,
  external_id text not null,
  branch text not null,
  scan_id text not null,
  scanned_at timestamptz not null,
  primary key (org_id, integration, external_id, branch),
  foreign key (org_id, integration, external_id)
    references scanner_project(org_id, integration, external_id) on delete cascade
);

-- State history of scanners per repository; null: of the integration.
create table scanner_state_change (
  org_id uuid not null,
  id uuid not null default gen_random_uuid(),
  repository_id uuid,
  source text not null check (source in ('checkmarx', 'sonarqube', 'semgrep', 'snyk', 'dependency-track', 'code_scanning', 'dependabot',
    'secret_scanning')),
  at timestamptz not null,
  state text not null check (state in ('working', 'failing', 'forbidden', 'not_configured')),
  entry_id uuid,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index scanner_state_change_at on scanner_state_change (org_id, repository_id, source, at, id);
revoke update, delete on scanner_state_change from sightline_app;

-- Result of the last read of code host alerts.
create table alert_reading (
  org_id uuid not null,
  repository_id uuid not null,
  source text not null check (source in ('code_scanning', 'dependabot', 'secret_scanning')),
  -- `off`: not enabled on the host; `forbidden`: the app lacks the permission.
  state text not null check (state in ('read', 'off', 'forbidden', 'failed')),
  -- Reason of a failure, for users.
  message text,
  alerts int not null default 0,
  read_at timestamptz not null default now(),
  primary key (org_id, repository_id, source),
  foreign key (org_id, repository_id) references repository(org_id, id)
);

-- The latest scan per analysis. An open instance without last_scan was last seen by the scan named here, so an unchanged
-- scan writes one row.
create table analysis (
  org_id uuid not null,
  repository_id uuid not null,
  key uuid not null,
  source text not null,
  tool text not null,
  category text not null,
  ref text not null,
  -- The latest complete scan.
  last_scan uuid,
  last_seen timestamptz,
  primary key (org_id, repository_id, key)
);
create index analysis_ref on analysis (org_id, repository_id, ref);

create table scan (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  source text not null check (source in ('sarif', 'checkmarx', 'sonarqube', 'semgrep', 'snyk', 'dependency-track', 'code_scanning',
    'dependabot', 'secret_scanning')),
  tool text not null,
  tool_name text not null,
  tool_version text,
  category text not null,
  ref text not null,
  commit_sha text,
  -- ID at the scanner, which prevents a second import.
  external_id text,
  -- Scans with the same repository, ref, source, tool and category replace each other and share this key.
  analysis uuid not null,
  -- Whether missing results count as fixed. False for partial results.
  complete boolean not null,
  state text not null check (state in ('receiving', 'matching', 'done', 'failed')),
  received int not null default 0,
  -- ScanCounts of findings/counts.ts.
  counts jsonb,
  -- Number of rejected results, with the first hundred.
  rejections int not null default 0,
  rejected jsonb not null default '[]',
  error text,
  -- As in audit_event.
  actor_kind text not null,
  actor_id text not null,
  received_at timestamptz not null default clock_timestamp(),
  -- Heartbeat of the import. Without it the scan counts as interrupted.
  touched_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- Findings that became open or stopped being open by this scan. Suppressed results and findings that exist on another
  -- branch are not counted.
  opened int,
  closed int,
  entry_id uuid,
  -- The current import. Another process can take over while the first one still runs.
  upload_id uuid,
  attempt int not null default 1,
  -- Reasons of an incomplete scan as [{code, message}].
  incomplete jsonb not null default '[]',
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index scan_native on scan (org_id, repository_id, source, external_id) where external_id is not null;
create index scan_newest on scan (org_id, repository_id, received_at, id);
create index scan_of_upload on scan (org_id, upload_id) where upload_id is not null;
create index scan_source on scan (org_id, source, repository_id, received_at, id);
create index scan_under_way on scan (org_id, touched_at) where state in ('receiving', 'matching');

-- Result of the latest scan per scanner and category. Scanners that upload in parts, such as per language, have one row
-- per part.
create table scan_latest (
  org_id uuid not null,
  repository_id uuid not null,
  tool text not null,
  source text not null,
  category text not null,
  state text not null check (state in ('done', 'failed')),
  finished_at timestamptz not null,
  -- Null: no scan has succeeded.
  done_at timestamptz,
  added int,
  fixed int,
  primary key (org_id, repository_id, tool, source, category)
);

-- Results until they are matched, deleted at the end of the scan. Unlogged: after a crash `received` shows that rows are
-- missing.
create unlogged table scan_result (
  org_id uuid not null,
  scan_id uuid not null,
  position int not null,
  -- See findings/fingerprint.ts: the exact key, the key without path, and the key without content.
  key uuid not null,
  -- See finding_source. Null for the first occurrence.
  base_key uuid,
  occurrence int not null default 1,
  -- Hash of all stored fields.
  digest uuid not null,
  state text not null,
  path text,
  line int,
  end_line int,
  -- The following columns are null for a result that equals its instance in finding_instance.
  moved_key uuid,
  path_rule_key uuid,
  rule_id text,
  rule_name text,
  title text,
  severity smallint,
  category text,
  cwes int[],
  codes jsonb,
  package text,
  suppressed jsonb,
  discovered_at timestamptz,
  -- Also null: the commit of the scan.
  commit_sha text,
  scanner_reference jsonb,
  text_id uuid,
  detail json,
  severity_known boolean,
  primary key (org_id, scan_id, position),
  check (rule_id is null or (path_rule_key is not null and title is not null and severity is not null and category is not null
    and cwes is not null and codes is not null and text_id is not null and detail is not null and severity_known is not null))
);
create index scan_result_key on scan_result (org_id, scan_id, key);

create unlogged table scan_text (
  org_id uuid not null,
  scan_id uuid not null,
  id uuid not null,
  description text not null,
  links jsonb not null,
  primary key (org_id, scan_id, id)
);

-- An uploaded SARIF file until all its scans have ended, for resuming after a crash.
create table scan_upload (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  -- One scan per analysis, in file order.
  scans uuid[] not null,
  -- Sealed request with its sender.
  request bytea not null,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);

-- The file, gzip-compressed and sealed in pieces.
create table scan_upload_piece (
  org_id uuid not null,
  upload_id uuid not null,
  position int not null,
  bytes bytea not null,
  primary key (org_id, upload_id, position),
  foreign key (org_id, upload_id) references scan_upload(org_id, id) on delete cascade
);
alter table scan_upload_piece alter bytes set storage external;

create table finding (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  title_id uuid not null,
  -- 0 critical, 1 high, 2 medium, 3 low, 4 info
  severity smallint not null check (severity >= 0 and severity <= 4),
  category text not null,
  -- Sorted keys of its scanners.
  tools text[] not null,
  data_source text not null,
  status text not null check (status in ('open', 'dismissed', 'exception', 'fixed')),
  -- The source and instance that are shown.
  fingerprint uuid not null,
  ref text not null,
  path text,
  line int,
  end_line int,
  -- A commit that contains the code at this line.
  commit_sha text,
  cwes int[] not null default '{}',
  codes jsonb not null default '[]',
  discovered_at timestamptz not null,
  introduced jsonb,
  lane text generated always as (finding_lane(severity, category, tools)) stored not null,
  -- The last decision of a person. `open` overrides a suppression of the scanner. Scans never change it; `status` is
  -- derived from it and from the instances.
  decided text check (decided in ('open', 'dismissed', 'exception')),
  -- When the introducing commit was last searched. Repeated when more history is imported.
  origin_sought_at timestamptz,
  -- When its last instance was fixed; null while it is not fixed.
  fixed_at timestamptz,
  -- The dependency of the shown source; null for findings in code.
  component text,
  -- Set by members only: the account that takes care of it, and its ticket in an issue tracker.
  assignee_id uuid,
  ticket_url text,
  -- For findings in code of one person. A hash as a UUID, since row-level security permits an index condition only with
  -- leakproof functions, and without a second copy of the login.
  introduced_login_hash uuid generated always as (md5(lower(introduced -> 'actor' ->> 'login'))::uuid) stored,
  foreign key (org_id, repository_id) references repository(org_id, id)
);
-- List pages walk along one of these indexes: organization, repository, title, assignee, or component.
create index finding_lane on finding (org_id, status, lane, discovered_at, id) include (repository_id, title_id, fixed_at, assignee_id);
create index finding_repository on finding (org_id, repository_id, status, lane, discovered_at, id) include (title_id, fixed_at, assignee_id);
create index finding_titled on finding (org_id, title_id, status, lane, discovered_at, id) include (repository_id, fixed_at, assignee_id);
create index finding_fixed on finding (org_id, fixed_at) include (status, lane, discovered_at, id, repository_id, title_id, assignee_id)
  where fixed_at is not null;
create index finding_assigned on finding (org_id, assignee_id, status, lane, discovered_at, id) include (repository_id, title_id, fixed_at)
  where assignee_id is not null;
create index finding_component on finding (org_id, component, status, lane, discovered_at, id)
  include (repository_id, title_id, fixed_at, assignee_id) where component is not null;
create index finding_introduced on finding (org_id, introduced_login_hash, status, lane, discovered_at, id)
  include (repository_id, title_id, fixed_at, assignee_id) where introduced_login_hash is not null;
create index finding_without_origin on finding (org_id, repository_id, severity, discovered_at, id)
  where introduced is null and origin_sought_at is null and path is not null;
-- Last: of indexes that cost the same in an empty table, PostgreSQL uses the last one, and prepared statements keep such plans.
alter table finding add primary key (org_id, id);

-- Labels that members gave findings. The other columns are those of the finding, maintained by its trigger, so that lists
-- walk along the findings of a label.
create table finding_label (
  org_id uuid not null,
  finding_id uuid not null,
  label text not null,
  status text not null,
  lane text not null,
  discovered_at timestamptz not null,
  repository_id uuid not null,
  title_id uuid not null,
  primary key (org_id, finding_id, label),
  foreign key (org_id, finding_id) references finding(org_id, id) on delete cascade
);
create index finding_label_name on finding_label (org_id, label, status, lane, discovered_at, finding_id) include (repository_id, title_id);

-- State history of instances; finding_instance contains the current state.
create table finding_change (
  org_id uuid not null,
  repository_id uuid not null,
  fingerprint uuid not null,
  at timestamptz not null,
  analysis uuid not null,
  ref text not null,
  was text not null,
  state text not null,
  -- Scanned commit. Null if the instance was fixed because its ref was deleted.
  commit_sha text,
  -- The scan that caused the change; null for a deleted ref.
  scan_id uuid,
  primary key (org_id, repository_id, fingerprint, at, analysis)
);

-- Number of findings per kind, maintained by the transactions that change findings, so that lists need no count.
create table finding_count (
  org_id uuid not null,
  repository_id uuid not null,
  title_id uuid not null,
  status text not null,
  severity smallint not null,
  category text not null,
  tools text[] not null,
  count int not null,
  lane text generated always as (finding_lane(severity, category, tools)) stored not null,
  primary key (org_id, repository_id, title_id, status, severity, category, tools)
);
create index finding_count_title on finding_count (org_id, title_id, status, lane) include (repository_id, count);

-- Daily change of open findings per kind (UTC), maintained in the same way.
create table finding_day (
  org_id uuid not null,
  day date not null,
  repository_id uuid not null,
  severity smallint not null,
  category text not null,
  tools text[] not null,
  change int not null,
  primary key (org_id, day, repository_id, severity, category, tools)
);
create index finding_day_repository on finding_day (org_id, repository_id, day);

-- All decisions, including reverted ones.
create table finding_decision (
  org_id uuid not null,
  finding_id uuid not null,
  id uuid not null,
  at timestamptz not null default clock_timestamp(),
  kind text not null
    check (kind in (
      'dismissed', 'reopened', 'waiver_requested', 'waiver_approved', 'waiver_refused', 'waiver_withdrawn',
      'waiver_expired', 'merged', 'split', 'edited'
    )),
  -- Null: by a job.
  account_id uuid,
  -- One of the dismissal reasons.
  reason text,
  comment text not null default '',
  waiver_id uuid,
  until timestamptz,
  -- For a merge or split: the other finding and its title. For an edit: the changed fields before and after.
  other jsonb,
  -- The edit of many findings that this is part of.
  edit_id uuid,
  -- The ledger entry of the decision, and whether the account had the permission at that time.
  entry_id uuid,
  had_permission boolean,
  primary key (org_id, finding_id, id)
);
create index finding_decision_edit on finding_decision (org_id, edit_id) where edit_id is not null;
create index finding_decision_approved on finding_decision (org_id, at, id)
  where kind = 'waiver_approved' and account_id is not null;

-- Fields that only the page of a finding shows: StoredDetail of findings/result.ts.
create table finding_detail (
  org_id uuid not null,
  repository_id uuid not null,
  fingerprint uuid not null,
  text_id uuid not null,
  detail json not null,
  primary key (org_id, repository_id, fingerprint)
);

-- Number of findings discovered per day (UTC), for jumps to distant pages.
create table finding_discovered (
  org_id uuid not null,
  status text not null,
  lane text not null,
  day date not null,
  count int not null,
  primary key (org_id, status, lane, day)
);

-- Number of findings by assignee, component, label, and day of the fix (UTC, such as 2026-01-31).
create table finding_facet_count (
  org_id uuid not null,
  facet text not null check (facet in ('assignee', 'component', 'label', 'fixed')),
  value text not null,
  status text not null,
  lane text not null,
  count int not null,
  primary key (org_id, facet, value, status, lane)
);

-- Changes with each transaction that changes what counts of findings are computed from, so that a count is reused until then.
create table finding_version (
  org_id uuid primary key,
  version uuid not null
);

create table finding_waiver (
  org_id uuid not null,
  id uuid not null,
  finding_id uuid not null,
  state text not null check (state in ('requested', 'approved', 'refused', 'withdrawn', 'expired')),
  valid_until timestamptz not null,
  reason text not null,
  requested_by uuid not null,
  requested_at timestamptz not null default clock_timestamp(),
  decided_by uuid,
  decided_at timestamptz,
  decided_comment text not null default '',
  expiry_notified_at timestamptz,
  -- Length of the reason, kept when its text is deleted.
  reason_length int,
  primary key (org_id, id),
  check ((state not in ('approved', 'refused')) or decided_by <> requested_by)
);
-- At most one open request or valid waiver per finding.
create unique index finding_waiver_alive on finding_waiver (org_id, finding_id)
  where state in ('requested', 'approved');
create index finding_waiver_finding on finding_waiver (org_id, finding_id, requested_at);
create index finding_waiver_state on finding_waiver (org_id, state, requested_at, id);
create index finding_waiver_until on finding_waiver (org_id, valid_until) where state in ('requested', 'approved');

create table finding_instance (
  org_id uuid not null,
  repository_id uuid not null,
  analysis uuid not null,
  fingerprint uuid not null,
  finding_id uuid not null,
  ref text not null,
  state text not null check (state in ('open', 'suppressed', 'fixed')),
  -- Reason and comment of the scanner.
  suppressed jsonb,
  path text,
  line int,
  end_line int,
  -- A commit that contains the code at this line.
  commit_sha text,
  scanner_reference jsonb,
  digest uuid not null,
  first_scan uuid not null,
  -- Null for an open instance: the last scan of the analysis.
  last_scan uuid,
  -- Null for a fixed instance whose ref was deleted.
  fixed_scan uuid,
  first_seen timestamptz not null,
  fixed_at timestamptz,
  primary key (org_id, repository_id, analysis, fingerprint)
);
create index finding_instance_finding on finding_instance (org_id, finding_id);
create index finding_instance_place on finding_instance (org_id, repository_id, path, line) where state <> 'fixed';

-- Totals of finding_count by status and lane, maintained by its trigger, for unfiltered lists and lists of a repository
-- or title.
create table finding_lane_count (
  org_id uuid not null,
  status text not null,
  lane text not null,
  count int not null,
  primary key (org_id, status, lane)
);

-- Daily change of open findings of the organization (UTC).
create table finding_lane_day (
  org_id uuid not null,
  day date not null,
  lane text not null,
  change int not null,
  primary key (org_id, day, lane)
);

-- Findings merged into another one, with their sources for a later split. Their URLs redirect.
create table finding_merged (
  org_id uuid not null,
  id uuid not null,
  into_id uuid not null,
  fingerprints uuid[] not null,
  introduced jsonb,
  merged_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index finding_merged_into on finding_merged (org_id, into_id);

create table finding_repository_count (
  org_id uuid not null,
  repository_id uuid not null,
  status text not null,
  lane text not null,
  count int not null,
  primary key (org_id, repository_id, status, lane)
);

-- Findings that an account has opened.
create table finding_seen (
  org_id uuid not null,
  account_id uuid not null,
  finding_id uuid not null,
  primary key (org_id, account_id, finding_id)
);

-- A result of a scanner in a repository across refs, and its finding.
create table finding_source (
  org_id uuid not null,
  repository_id uuid not null,
  fingerprint uuid not null,
  -- For results of a scan with the same fingerprint, such as equal code on two lines: the shared fingerprint, and the
  -- number of this one.
  base_key uuid not null,
  occurrence int not null default 1,
  moved_key uuid,
  path_rule_key uuid not null,
  finding_id uuid not null,
  tool text not null,
  rule_id text not null,
  rule_name text,
  title_id uuid not null,
  severity smallint not null check (severity >= 0 and severity <= 4),
  category text not null,
  cwes int[] not null,
  codes jsonb not null,
  -- Lower-case name of a vulnerable dependency.
  package text,
  reason text not null check (reason in ('first', 'same_location', 'moved', 'merged_manually', 'split_manually')),
  explanation text not null,
  -- Split off manually. Scans never merge it again.
  is_split boolean not null default false,
  first_seen timestamptz not null,
  -- False: the scanner reports no severity, and Sightline assigned it.
  severity_known boolean not null default true,
  primary key (org_id, repository_id, fingerprint)
);
create index finding_source_occurrences on finding_source (org_id, repository_id, base_key) where occurrence > 1;
create index finding_source_finding on finding_source (org_id, finding_id);
create index finding_source_moved on finding_source (org_id, repository_id, moved_key) where moved_key is not null;
create index finding_source_package on finding_source (org_id, repository_id, package) where package is not null;

-- History of what lists show of findings. Rows that are recorded together share a ledger entry, which contains their hash.
create table finding_state (
  org_id uuid not null,
  finding_id uuid not null,
  number bigint generated always as identity,
  entry_id uuid not null,
  -- Null: merged into another finding. The other columns are then the last ones.
  status text,
  -- As in finding.
  repository_id uuid not null,
  title_id uuid not null,
  severity smallint not null,
  category text not null,
  tools text[] not null,
  data_source text not null,
  fingerprint uuid not null,
  ref text not null,
  path text,
  line int,
  end_line int,
  codes jsonb not null,
  discovered_at timestamptz not null,
  fixed_at timestamptz,
  component text,
  assignee_id uuid,
  ticket_url text,
  labels text[] not null,
  -- The requested or approved waiver.
  waiver_id uuid,
  waiver_state text check (waiver_state in ('requested', 'approved')),
  primary key (org_id, finding_id, number)
);
revoke update, delete on finding_state from sightline_app;

-- Rule descriptions, shared by many findings. `links` is [{title, url}].
create table finding_text (
  org_id uuid not null,
  id uuid not null,
  description text not null,
  links jsonb not null,
  primary key (org_id, id)
);

-- Distinct titles. Searches by title look here first.
create table finding_title (
  org_id uuid not null,
  id uuid not null,
  title text not null,
  search text generated always as (lower(title)) stored not null,
  primary key (org_id, id)
);
create unique index finding_title_once on finding_title (org_id, md5(title));

create table finding_title_count (
  org_id uuid not null,
  title_id uuid not null,
  status text not null,
  lane text not null,
  count int not null,
  primary key (org_id, title_id, status, lane)
);

-- Scanners with their reported names.
create table finding_tool (
  org_id uuid not null,
  tool text not null,
  name text not null,
  primary key (org_id, tool)
);

-- Scanners that an owner allowed to close findings although they report missing rule classes.
create table missing_classes_allowed (
  org_id uuid not null,
  repository_id uuid not null,
  tool text not null,
  primary key (org_id, repository_id, tool),
  foreign key (org_id, repository_id) references repository(org_id, id)
);

call isolate_by_organization(
  'integration', 'scanner_project', 'scanner_branch', 'scanner_state_change', 'alert_reading', 'analysis', 'scan',
  'scan_latest', 'scan_result', 'scan_text', 'scan_upload', 'scan_upload_piece', 'finding', 'finding_change',
  'finding_count', 'finding_day', 'finding_decision', 'finding_detail', 'finding_discovered', 'finding_facet_count', 'finding_waiver',
  'finding_instance', 'finding_lane_count', 'finding_lane_day', 'finding_merged', 'finding_repository_count',
  'finding_seen', 'finding_label', 'finding_source', 'finding_state', 'finding_text', 'finding_title', 'finding_title_count', 'finding_tool',
  'finding_version', 'missing_classes_allowed'
);
-- Finds the organization of a webhook, and organizations with an integration.
create policy lookup on integration for select to sightline_lookup using (true);
grant select (org_id, name, status, hook) on integration to sightline_lookup;
-- For the job that ends interrupted scans. IDs only.
create policy lookup on scan for select to sightline_lookup using (true);
grant select (org_id, state, touched_at) on scan to sightline_lookup;
-- For the job that expires waivers. IDs only.
create policy lookup on finding_waiver for select to sightline_lookup using (true);
grant select (org_id, state, valid_until) on finding_waiver to sightline_lookup;

-- What the ledger entry of a state hashes: all but the ticket, which a data deletion may remove. Times are in UTC. This is the text of
-- a jsonb value, with its order of keys and its spaces, which takes longer to create, as does concat().
create function finding_state_content(s finding_state) returns text language sql stable as $$
  select '{"ref": ' || to_json(s.ref)::text
    || ', "line": ' || coalesce(s.line::text, 'null')
    || ', "path": ' || coalesce(to_json(s.path)::text, 'null')
    || ', "codes": ' || s.codes::text
    || ', "tools": ' || to_jsonb(s.tools)::text
    || ', "labels": ' || to_jsonb(s.labels)::text
    || ', "status": ' || coalesce(to_json(s.status)::text, 'null')
    || ', "category": ' || to_json(s.category)::text
    || ', "end_line": ' || coalesce(s.end_line::text, 'null')
    || ', "fixed_at": ' || coalesce('"' || to_char(s.fixed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '"', 'null')
    || ', "severity": ' || s.severity::text
    || ', "title_id": "' || s.title_id::text
    || '", "component": ' || coalesce(to_json(s.component)::text, 'null')
    || ', "waiver_id": ' || coalesce('"' || s.waiver_id || '"', 'null')
    || ', "finding_id": "' || s.finding_id::text
    || '", "assignee_id": ' || coalesce('"' || s.assignee_id || '"', 'null')
    || ', "data_source": ' || to_json(s.data_source)::text
    || ', "fingerprint": "' || s.fingerprint::text
    || '", "waiver_state": ' || coalesce(to_json(s.waiver_state)::text, 'null')
    || ', "discovered_at": "' || to_char(s.discovered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    || '", "repository_id": "' || s.repository_id::text || '"}'
$$;

-- Records the state of a scanner if it changed.
create function record_scanner_state(org uuid, repository uuid, scanner text, now_is text)
  returns void language plpgsql as $$
declare
  at timestamptz := clock_timestamp();
  was text := (select s.state from scanner_state_change s
    where s.org_id = org and s.repository_id is not distinct from repository and s.source = scanner order by s.at desc, s.id limit 1);
begin
  if coalesce(was, 'not_configured') = now_is then return; end if;
  insert into scanner_state_change (org_id, repository_id, source, at, state, entry_id)
  values (org, repository, scanner, at, now_is, queue_fact(org, 'scanner.changed', at, null,
    format('{"repository":%s,"source":"%s","state":"%s"}', coalesce(format('"%s"', repository), 'null'), scanner, now_is)));
end
$$;

create function record_scanner_state_of_integration() returns trigger language plpgsql as $$
begin
  perform record_scanner_state(new.org_id, null, new.name, case new.status
    when 'active' then 'working' when 'error' then 'failing' else 'not_configured' end);
  return null;
end
$$;
create trigger record_scanner_state_of_integration after insert or update of status on integration
  for each row when (not is_importing()) execute function record_scanner_state_of_integration();

create function update_latest_scan() returns trigger language plpgsql as $$
declare
  opened int := coalesce(new.opened, (new.counts->>'new')::int + (new.counts->>'reopened')::int, 0);
  closed int := coalesce(new.closed, (new.counts->>'fixed')::int, 0);
begin
  insert into scan_latest as l (org_id, repository_id, tool, source, category, state, finished_at, done_at)
  values (new.org_id, new.repository_id, new.tool, new.source, new.category, new.state, clock_timestamp(),
    case when new.state = 'done' then new.received_at end)
  on conflict (org_id, repository_id, tool, source, category) do update set state = excluded.state, finished_at = excluded.finished_at,
    done_at = coalesce(excluded.done_at, l.done_at),
    added = case when excluded.state = 'failed' then l.added when l.done_at is not null then opened end,
    fixed = case when excluded.state = 'failed' then l.fixed when l.done_at is not null then closed end;
  return null;
end
$$;
create trigger update_latest_scan after insert or update of state on scan
  for each row when (new.state in ('done', 'failed') and not is_importing()) execute function update_latest_scan();

create function record_scanner_state_of_alerts() returns trigger language plpgsql as $$
begin
  perform record_scanner_state(new.org_id, new.repository_id, new.source, case new.state
    when 'read' then 'working' when 'off' then 'not_configured' when 'forbidden' then 'forbidden' else 'failing' end);
  return null;
end
$$;
create trigger record_scanner_state_of_alerts after insert or update of state on alert_reading
  for each row when (not is_importing()) execute function record_scanner_state_of_alerts();

-- Records the end of a scan as a ledger entry; scans without changes have no other record.
create function record_scan_end() returns trigger language plpgsql as $$
begin
  new.entry_id := queue_fact(new.org_id, 'scan.ended', clock_timestamp(), null,
    format('{"commit":%s,"complete":%s,"repository":"%s","scan":"%s","source":"%s","state":"%s"}',
      coalesce(case when new.commit_sha ~ '^[0-9a-f]{1,64}$' then format('"%s"', new.commit_sha) end, 'null'),
      new.complete::text, new.repository_id, new.id, new.source, new.state));
  return new;
end
$$;
create trigger record_scan_end before update on scan
  for each row when ((new.state in ('done', 'failed')) and old.state <> new.state) execute function record_scan_end();

create function record_scanner_state_of_project() returns trigger language plpgsql as $$
declare
  repository uuid;
begin
  for repository in select distinct r from unnest(array[new.repository_id, case when tg_op = 'UPDATE' then old.repository_id end]) as r
    where r is not null
  loop
    perform record_scanner_state(new.org_id, repository, new.integration, case when exists (
      select from scanner_project p where p.org_id = new.org_id and p.integration = new.integration
      and p.repository_id = repository and p.removed_at is null)
      then 'working' else 'not_configured' end);
  end loop;
  return null;
end
$$;
create trigger record_scanner_state_of_project after insert or update of repository_id, removed_at on scanner_project
  for each row when (not is_importing()) execute function record_scanner_state_of_project();

create function record_finding_change() returns trigger language plpgsql as $$
begin
  insert into finding_change (org_id, repository_id, fingerprint, at, analysis, ref, was, state, commit_sha, scan_id)
  values (new.org_id, new.repository_id, new.fingerprint, clock_timestamp(), new.analysis, new.ref, old.state, new.state,
    case when new.state <> 'fixed' then new.commit_sha
      else (select commit_sha from scan where org_id = new.org_id and id = new.fixed_scan) end,
    nullif(current_setting('sightline.scan', true), '')::uuid);
  return null;
end
$$;
-- Row-level, because the cached plan of a statement-level trigger would be based on the row count of its first
-- execution.
create trigger record_finding_change after update on finding_instance
  for each row when (old.state <> new.state) execute function record_finding_change();

create function org_of_hook(which text, id uuid) returns uuid language sql stable security definer
  set search_path = public as $$
  select org_id from integration where name = which and hook = id and status <> 'inactive'
$$;

create function orgs_with_ended_finding_waivers() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from finding_waiver where state in ('requested', 'approved') and valid_until <= now()
$$;

create function orgs_with_integration() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from integration where status <> 'inactive'
$$;

create function orgs_with_interrupted_scans() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from scan where state in ('receiving', 'matching') and touched_at < now() - interval '30 seconds'
$$;

-- Transactions of an organization share its totals. The lock prevents deadlocks between them.
create function lock_finding_counts() returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('count_findings ' || coalesce(app_org()::text, ''), 0))
$$;

-- Counts findings by the day of their discovery and by facet.
create function count_discovered_findings() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select *, 1 as sign from fresh'
    when 'DELETE' then 'select *, -1 as sign from stale'
    else 'select *, 1 as sign from fresh union all select *, -1 from stale' end;
  days text := format('select org_id, status, lane, (discovered_at at time zone ''UTC'')::date as day, sum(sign) as change
    from (%s) d group by 1, 2, 3, 4 having sum(sign) <> 0', changed);
  facets text := format('select org_id, facet, value, status, lane, sum(sign) as change
    from (%s) d cross join lateral (values (''assignee'', assignee_id::text), (''component'', component),
      (''fixed'', to_char(fixed_at at time zone ''UTC'', ''YYYY-MM-DD''))) as v(facet, value)
    where value is not null group by 1, 2, 3, 4, 5 having sum(sign) <> 0', changed);
  has_days boolean;
  has_facets boolean;
begin
  if tg_op = 'UPDATE' then
    execute format('select exists (%s), exists (%s)', days, facets) into has_days, has_facets;
  else
    -- Each row changes the count of its day.
    execute format('select exists (select from (%s) d), exists (select from (%s) d where assignee_id is not null or component is not null
      or fixed_at is not null)', changed, changed) into has_days, has_facets;
  end if;
  if has_days or has_facets then perform lock_finding_counts(); end if;
  if has_days then
    execute format(
      'insert into finding_discovered as c (org_id, status, lane, day, count) select org_id, status, lane, day, change from (%s) d
       on conflict (org_id, status, lane, day) do update set count = c.count + excluded.count', days);
  end if;
  if has_facets then
    execute format(
      'insert into finding_facet_count as c (org_id, facet, value, status, lane, count)
       select org_id, facet, value, status, lane, change from (%s) d
       on conflict (org_id, facet, value, status, lane) do update set count = c.count + excluded.count', facets);
  end if;
  return null;
end
$$;
create trigger count_updated_discoveries after update on finding referencing old table as stale new table as fresh
  for each statement execute function count_discovered_findings();
create trigger count_inserted_discoveries after insert on finding referencing new table as fresh
  for each statement when (not is_importing()) execute function count_discovered_findings();
create trigger count_deleted_discoveries after delete on finding referencing old table as stale
  for each statement when (not is_importing()) execute function count_discovered_findings();

create function count_labels() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select *, 1 as sign from fresh'
    when 'DELETE' then 'select *, -1 as sign from stale'
    else 'select *, 1 as sign from fresh union all select *, -1 from stale' end;
  facets text := format('select org_id, ''label'' as facet, label as value, status, lane, sum(sign) as change from (%s) d
    group by 1, 3, 4, 5 having sum(sign) <> 0', changed);
  has_facets boolean;
begin
  execute format('select exists (%s)', facets) into has_facets;
  if has_facets then
    perform lock_finding_counts();
    execute format(
      'insert into finding_facet_count as c (org_id, facet, value, status, lane, count)
       select org_id, facet, value, status, lane, change from (%s) d
       on conflict (org_id, facet, value, status, lane) do update set count = c.count + excluded.count', facets);
  end if;
  return null;
end
$$;
create trigger count_updated_labels after update on finding_label referencing old table as stale new table as fresh
  for each statement execute function count_labels();
create trigger count_inserted_labels after insert on finding_label referencing new table as fresh
  for each statement when (not is_importing()) execute function count_labels();
create trigger count_deleted_labels after delete on finding_label referencing old table as stale
  for each statement when (not is_importing()) execute function count_labels();

create function copy_finding_to_labels() returns trigger language plpgsql as $$
declare
  is_copied boolean;
begin
  if not exists (select from finding_label where org_id = (select org_id from fresh limit 1)) then return null; end if;
  -- Edits of assignees and tickets change no copied column: their labels are not read. Planned for the number of changed findings.
  execute 'select exists (
    select from fresh f join stale s on s.org_id = f.org_id and s.id = f.id where (s.status, s.lane, s.discovered_at, s.title_id, s.repository_id)
      is distinct from (f.status, f.lane, f.discovered_at, f.title_id, f.repository_id))' into is_copied;
  if not is_copied then return null; end if;
  execute 'update finding_label l set status = f.status, lane = f.lane, discovered_at = f.discovered_at, title_id = f.title_id,
      repository_id = f.repository_id
    from fresh f where l.org_id = f.org_id and l.finding_id = f.id and (l.status, l.lane, l.discovered_at, l.title_id, l.repository_id)
      is distinct from (f.status, f.lane, f.discovered_at, f.title_id, f.repository_id)';
  return null;
end
$$;
create trigger copy_updated_finding_to_labels after update on finding referencing old table as stale new table as fresh
  for each statement execute function copy_finding_to_labels();

-- Once per transaction. After the lock of the counts, as the totals, so that transactions cannot deadlock.
create function renew_finding_version() returns trigger language plpgsql as $$
declare
  done text := concat(pg_current_xact_id(), app_org());
begin
  if current_setting('sightline.finding_version', true) = done then return null; end if;
  perform set_config('sightline.finding_version', done, true);
  perform lock_finding_counts();
  insert into finding_version (org_id, version) select app_org(), gen_random_uuid() where app_org() is not null
  on conflict (org_id) do update set version = excluded.version;
  return null;
end
$$;
create trigger renew_finding_version after insert or delete or update of repository_id, title_id, severity, category, tools, status,
  discovered_at, fixed_at, component, assignee_id, introduced on finding
  for each statement when (not is_importing()) execute function renew_finding_version();
-- Copied columns change with the finding, which renews the version.
create trigger renew_finding_version after insert or delete or update of label on finding_label
  for each statement when (not is_importing()) execute function renew_finding_version();

create function count_findings() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select *, 1 as sign from fresh'
    when 'DELETE' then 'select *, -1 as sign from stale'
    else 'select *, 1 as sign from fresh union all select *, -1 from stale' end;
  nothing boolean;
begin
  execute format('select not exists (select from (%s) d)', changed) into nothing;
  if nothing then return null; end if;
  perform lock_finding_counts();
  execute format(
    'insert into finding_repository_count as c (org_id, repository_id, status, lane, count)
     select org_id, repository_id, status, lane, sum(count * sign) from (%s) d
     group by 1, 2, 3, 4 having sum(count * sign) <> 0
     on conflict (org_id, repository_id, status, lane) do update set count = c.count + excluded.count', changed);
  execute format(
    'insert into finding_title_count as c (org_id, title_id, status, lane, count)
     select org_id, title_id, status, lane, sum(count * sign) from (%s) d
     group by 1, 2, 3, 4 having sum(count * sign) <> 0
     on conflict (org_id, title_id, status, lane) do update set count = c.count + excluded.count', changed);
  execute format(
    'insert into finding_lane_count as c (org_id, status, lane, count)
     select org_id, status, lane, sum(count * sign) from (%s) d
     group by 1, 2, 3 having sum(count * sign) <> 0
     on conflict (org_id, status, lane) do update set count = c.count + excluded.count', changed);
  execute format(
    'insert into finding_lane_day as c (org_id, day, lane, change)
     select org_id, (now() at time zone ''UTC'')::date, lane, sum(count * sign) from (%s) d
     where status = ''open'' group by 1, 2, 3 having sum(count * sign) <> 0
     on conflict (org_id, day, lane) do update set change = c.change + excluded.change', changed);
  return null;
end
$$;
create trigger count_updated_findings after update on finding_count referencing old table as stale new table as fresh
  for each statement execute function count_findings();
create trigger count_inserted_findings after insert on finding_count referencing new table as fresh
  for each statement when (not is_importing()) execute function count_findings();
create trigger count_deleted_findings after delete on finding_count referencing old table as stale
  for each statement when (not is_importing()) execute function count_findings();

call open_lookup(
  'org_of_hook(text, uuid)', 'orgs_with_ended_finding_waivers()', 'orgs_with_integration()',
  'orgs_with_interrupted_scans()'
);
