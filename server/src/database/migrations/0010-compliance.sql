-- Changes, policies, controls, digests, access reviews, snapshots and auditor portals.

-- Pushes to branches in scope. Version 2 of a lost or truncated push contains the commits read later.
create table branch_push (
  org_id uuid not null,
  id uuid not null,
  version int not null default 1 check (version > 0),
  repository_id uuid not null,
  branch text not null,
  -- Null: the branch was created or deleted.
  before_sha text,
  after_sha text,
  pushed_at timestamptz not null,
  time_source text not null check (time_source in ('host', 'received')),
  pusher uuid,
  forced text not null check (forced in ('yes', 'no', 'unknown')),
  -- recovered: the lost pushes were recorded as separate rows.
  completeness text not null check (completeness in ('complete', 'truncated', 'lost', 'recovered')),
  -- Newly reachable commits, oldest first.
  commits text[] not null default '{}',
  source text not null check (source in ('webhook', 'activity', 'reconcile')),
  -- What the activity list of the code host names it. Null: not read, or the host does not report it.
  activity text check (activity in ('pull_request_merge', 'merge_queue_merge', 'push', 'forced_push', 'branch_creation')),
  entry_id uuid not null,
  primary key (org_id, id, version),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index branch_push_branch on branch_push (org_id, repository_id, branch, pushed_at, id, version);
create index branch_push_pushed on branch_push (org_id, pushed_at, id, version);
revoke update, delete on branch_push from sightline_app;

-- A commit that a push made reachable, and whether it came from a merged pull request.
create table reached_commit (
  org_id uuid not null,
  repository_id uuid not null,
  branch text not null,
  push_id uuid not null,
  sha text not null,
  version int not null default 1 check (version > 0),
  reached_by text not null check (reached_by in ('merged_pull_request', 'none', 'unknown')),
  number int,
  entry_id uuid not null,
  primary key (org_id, push_id, sha, version),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index reached_commit_sha on reached_commit (org_id, repository_id, sha, version);
revoke update, delete on reached_commit from sightline_app;

-- The keys with which people signed commits, verified or not: two accounts with one key belong to one person.
create table commit_key (
  org_id uuid not null,
  person_id uuid not null,
  -- SHA-256 of the kind and ID of the key.
  key bytea not null,
  primary key (org_id, person_id, key),
  foreign key (org_id, person_id) references person(org_id, id)
);

-- Queue of changes to record or to record again.
create table change_task (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  number int,
  push_id uuid,
  cause text not null,
  attempt int not null default 0,
  due_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id),
  check ((number is null) <> (push_id is null)),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index change_task_at on change_task (org_id, due_at, id);

create table change_record (
  org_id uuid not null,
  id uuid not null,
  version int not null check (version > 0),
  repository_id uuid not null,
  branch text not null,
  is_default_branch boolean not null,
  merge_method text not null check (merge_method in ('pull_request', 'merge_queue', 'direct_push', 'unknown')),
  number int,
  push_id uuid,
  merged_at timestamptz not null,
  merge_sha text,
  head_sha text,
  -- Parts as evaluated by controls: {part: {state, value}}, and their sources: {part: {state, fetchedAt, delivery,
  -- reason}}.
  parts jsonb not null,
  sources jsonb not null,
  -- For filters: authors, all people, incomplete parts, and the independent approval.
  authors uuid[] not null,
  persons uuid[] not null,
  missing text[] not null,
  approval text not null check (approval in ('yes', 'no', 'unknown')),
  has_agent boolean not null,
  protection_id uuid,
  cause text not null check (cause in ('merge', 'push', 'review', 'check', 'identity', 'retry', 'reconcile', 'session', 'ticket')),
  recorded_at timestamptz not null default clock_timestamp(),
  entry_id uuid not null,
  -- The change has no approval that counts, and at least one that does not because the approver contributed to the
  -- change.
  self_approved boolean not null default false,
  primary key (org_id, id, version),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index change_record_merged on change_record (org_id, merged_at, id, version)
  include (repository_id, merge_method, approval, number, push_id, has_agent, missing);
create index change_record_later on change_record (org_id, id, version) where version > 1;
create index change_record_number on change_record (org_id, repository_id, number, version) where number is not null;
create index change_record_persons on change_record using gin (persons);
create index change_record_repository on change_record (org_id, repository_id, merged_at, id, version);
create index change_record_self_approved on change_record (org_id, merged_at) where self_approved;
revoke update, delete on change_record from sightline_app;

-- What joins agent sessions to a change: its repository, branches, commits, people and time, and the agents that it declares.
-- Paths of the files of a change, beside its record, which contains none.
create table change_path (
  org_id uuid not null references organization,
  change_id uuid not null,
  paths text[] not null,
  -- False: only some files are known.
  is_whole boolean not null,
  primary key (org_id, change_id)
);

create table change_work (
  org_id uuid not null,
  change_id uuid not null,
  repository_id uuid not null,
  -- Of its first commit or the creation of the pull request, whichever is earlier; at most 90 days before the merge.
  started_at timestamptz not null,
  merged_at timestamptz not null,
  branches text[] not null,
  commits text[] not null,
  -- The first 7 characters of each commit.
  commit_keys text[] not null,
  authors uuid[] not null,
  are_authors_known boolean not null,
  -- Whether all sources of declarations were read.
  are_declarations_known boolean not null,
  -- [{agent, keys: hashes of the IDs of its sessions, models, areModelsKnown}]
  declared jsonb not null,
  -- The hashes of all of them.
  session_keys text[] not null,
  -- Commit messages with links to agent sessions.
  session_links int not null,
  -- Sessions may have to be joined again.
  is_due boolean not null,
  primary key (org_id, change_id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index change_work_due on change_work (org_id, change_id) where is_due;
create index change_work_authors on change_work using gin (authors);
create index change_work_commits on change_work using gin (commit_keys);
create index change_work_sessions on change_work using gin (session_keys);
create index change_work_repository on change_work (org_id, repository_id, merged_at);

-- The reconciliation of one agent of a change; agent is empty for a change without a declared or observed one.
create table reconciled_agent (
  org_id uuid not null,
  change_id uuid not null,
  agent text not null,
  repository_id uuid not null,
  merged_at timestamptz not null,
  status text not null
    check (status in ('declared_and_observed', 'declared_only', 'observed_only', 'neither', 'missing_evidence')),
  -- Why evidence is missing.
  missing text check (missing in ('telemetry', 'declarations')),
  models text[] not null,
  -- Authors, and people of observed sessions.
  persons uuid[] not null,
  primary key (org_id, change_id, agent),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index reconciled_agent_merged on reconciled_agent (org_id, merged_at desc, change_id, agent);
create index reconciled_agent_status on reconciled_agent (org_id, status, merged_at desc, change_id, agent);
create index reconciled_agent_agent on reconciled_agent (org_id, agent, merged_at desc);
create index reconciled_agent_persons on reconciled_agent using gin (persons);

-- An agent session that is joined to a change. It remains after the session expires.
create table agent_join (
  org_id uuid not null,
  change_id uuid not null,
  session_id uuid not null,
  agent text not null,
  person_id uuid,
  joins text[] not null,
  confidence text not null check (confidence in ('high', 'medium', 'low')),
  models text[] not null,
  -- In US dollars, as the agent computes it; null: not reported.
  cost float8,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (org_id, change_id, session_id)
);
create index agent_join_session on agent_join (org_id, session_id);

-- Sessions whose joins are due, and what their last reconciliation was based on.
create table reconciled_session (
  org_id uuid not null,
  session_id uuid not null,
  -- Null: nothing is due.
  queued_at timestamptz,
  basis text not null default '',
  primary key (org_id, session_id)
);
create index reconciled_session_queued on reconciled_session (org_id, queued_at) where queued_at is not null;

-- Number of merges by the approval of their latest version, per week from Monday (UTC) and repository. Maintained by the
-- transaction that adds a version.
create table merge_count (
  org_id uuid not null,
  repository_id uuid not null,
  week date not null,
  yes int not null,
  no int not null,
  unknown int not null,
  primary key (org_id, week, repository_id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);

-- Policy versions. A version is immutable except for its end. control_setting contains the resulting parameters of each
-- control.
create table policy (
  org_id uuid not null,
  id uuid not null,
  version int not null check (version > 0),
  name text not null,
  kind text not null
    check (kind in (
      'merge', 'scan-freshness', 'sla', 'tool-allow', 'tool-deny', 'ai-provenance', 'access-review', 'digest'
    )),
  -- {repositories: uuid[] or null for all, branches: patterns, tools: [{id, versions: patterns or null for all}]}
  scope jsonb not null,
  -- Parameter values by control.
  settings jsonb not null,
  mode text not null check (mode in ('observe', 'warn', 'enforce')),
  valid_from timestamptz not null,
  -- Null: active. Set once, by the ledger entry ended_entry_id.
  valid_until timestamptz,
  ended_entry_id uuid,
  author uuid not null,
  entry_id uuid not null,
  primary key (org_id, id, version),
  check ((valid_until is null) = (ended_entry_id is null)),
  check (valid_until >= valid_from)
);
create unique index policy_current on policy (org_id, id) where valid_until is null;
create index policy_kind on policy (org_id, kind, valid_from, id, version);
revoke update, delete on policy from sightline_app;

-- Changes of policies that weaken controls. A change applies only when it is approved.
create table policy_change (
  org_id uuid not null,
  id uuid not null,
  -- Of a policy that does not exist yet for the action `create`.
  policy_id uuid not null,
  action text not null check (action in ('create', 'update', 'archive', 'restore')),
  -- The version that the change replaces, archives or restores; 0 for a new policy.
  base_version int not null check ((base_version = 0) = (action = 'create')),
  -- After the change.
  name text not null,
  -- {mode, kind, scope, settings} after the change; null: archived.
  proposed jsonb check ((proposed is null) = (action = 'archive')),
  -- [{control, parameter, repositories, before, after}]
  weakened jsonb not null,
  requested_by uuid not null,
  requested_at timestamptz not null default clock_timestamp(),
  entry_id uuid not null,
  decision text check (decision in ('approved', 'rejected', 'withdrawn')),
  decided_by uuid,
  decided_at timestamptz,
  reason text not null default '',
  -- No other member could approve it.
  self_approved boolean not null default false,
  decided_entry_id uuid,
  primary key (org_id, id),
  check ((decision is null) = (decided_at is null)),
  check ((decision is null) = (decided_by is null)),
  check (decision not in ('approved', 'rejected') or decided_by <> requested_by or self_approved),
  check (not self_approved or decision = 'approved')
);
-- At most one open change per policy.
create unique index policy_change_open on policy_change (org_id, policy_id) where decision is null;
create index policy_change_requested on policy_change (org_id, requested_at, id);
revoke update, delete on policy_change from sightline_app;

-- The comment of Sightline on a pull request. The row is written first; after a crash, `mark` identifies a comment that
-- was created without a stored ID.
create table policy_comment (
  org_id uuid not null,
  repository_id uuid not null,
  number int not null,
  mark uuid not null default gen_random_uuid(),
  -- ID on the host; null until the host responds.
  comment_id text,
  -- Hash of the comment; null before the first one.
  body_sha256 bytea check (octet_length(body_sha256) = 32),
  -- Since when a process creates the comment.
  claimed_at timestamptz,
  primary key (org_id, repository_id, number),
  foreign key (org_id, repository_id) references repository(org_id, id)
);

-- Simulations of a policy on the last 30 days. Enforcing a policy requires a simulation with the same hash.
create table policy_dry_run (
  org_id uuid not null,
  id uuid not null,
  -- SHA-256 of the simulated policy: ID, version, kind, scope and settings.
  settings_hash bytea not null check (octet_length(settings_hash) = 32),
  result jsonb not null,
  created_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);
create index policy_dry_run_settings on policy_dry_run (org_id, settings_hash, created_at);

-- Write access that the host denied, until it succeeds.
create table policy_refusal (
  org_id uuid not null,
  repository_id uuid not null,
  what text not null check (what in ('status', 'comment', 'check')),
  status int not null,
  refused_at timestamptz not null default clock_timestamp(),
  primary key (org_id, repository_id, what),
  foreign key (org_id, repository_id) references repository(org_id, id)
);

-- Violations already reported for policies in mode `warn`. A row with an empty subject is a lock.
create table policy_notification (
  org_id uuid not null references organization,
  policy_id uuid not null,
  control_id text not null,
  subject text not null,
  notified_at timestamptz not null default clock_timestamp(),
  primary key (org_id, policy_id, control_id, subject)
);

-- Parameter versions of controls, as derived from policies. Immutable except for the end. An evaluation at an earlier
-- ledger size ignores later versions and later ends.
create table control_setting (
  org_id uuid not null references organization,
  control_id text not null,
  -- Counts over all controls of an organization. The defaults are version 0 without a row.
  version int not null check (version > 0),
  setting jsonb not null,
  -- Null: all repositories.
  repositories uuid[],
  valid_from timestamptz not null,
  valid_until timestamptz,
  policy_id uuid,
  policy_version int,
  entry_id uuid not null,
  -- The ledger entry that ended the version.
  ended_entry_id uuid,
  primary key (org_id, control_id, version),
  check (valid_until is not null or ended_entry_id is null)
);
create unique index control_setting_version on control_setting (org_id, version);
revoke update, delete on control_setting from sightline_app;

create table control_run (
  org_id uuid not null references organization,
  id uuid not null,
  control_id text not null,
  catalog_version text not null,
  period_from timestamptz not null,
  period_to timestamptz not null,
  as_of_epoch int not null,
  as_of_size bigint not null,
  population int not null,
  pass int not null,
  fail int not null,
  waived int not null,
  missing_evidence int not null,
  status text not null check (status in ('passing', 'failing', 'missing_evidence', 'not_applicable')),
  completeness jsonb not null,
  seed text not null,
  -- Number of items per reason code.
  reasons jsonb not null,
  -- How many items each parameter excluded from the population: [{parameter, setting, items, byDefault}].
  exclusions jsonb not null,
  -- Changes of policies in the period that made a parameter less strict, as in the entry of the run.
  weakenings jsonb not null,
  rows_sha256 bytea not null check (octet_length(rows_sha256) = 32),
  -- The run that stores the items: an earlier run with the same result, or this one. Null: items were deleted.
  rows_of uuid,
  -- Evaluated again at an earlier checkpoint. Excluded from trends.
  is_reevaluation boolean not null,
  entry_id uuid not null,
  run_at timestamptz not null default clock_timestamp(),
  primary key (org_id, id)
);
create index control_run_latest on control_run (org_id, control_id, period_from, period_to, as_of_epoch desc, as_of_size desc, run_at desc, id);
create index control_run_rows on control_run (org_id, rows_of);
revoke update, delete on control_run from sightline_app;

create table control_row (
  org_id uuid not null,
  run_id uuid not null,
  ord int not null,
  subject text not null,
  repository_id uuid,
  verdict text not null check (verdict in ('pass', 'fail', 'waived', 'missing_evidence')),
  reasons text[] not null,
  leaf bigint,
  leaves bigint[] not null,
  setting int not null,
  primary key (org_id, run_id, ord),
  foreign key (org_id, run_id) references control_run(org_id, id) on delete cascade
);
create index control_row_verdict on control_row (org_id, run_id, verdict, ord);
revoke update on control_row from sightline_app;

-- Items of controls that failed and have to be remediated. The failure is immutable; its later states and tests are rows of
-- their own.
create table remediation (
  org_id uuid not null,
  id uuid not null,
  control_id text not null,
  subject text not null,
  -- Null for items without a repository.
  repository_id uuid,
  period_from timestamptz not null,
  period_to timestamptz not null,
  -- The evaluation in which it failed, and the time of its checkpoint.
  run_id uuid not null,
  failed_at timestamptz not null,
  reasons text[] not null,
  -- The due date whose passing the owner was notified of.
  overdue_notified_on date,
  primary key (org_id, id),
  unique (org_id, control_id, period_from, period_to, subject),
  foreign key (org_id, repository_id) references repository(org_id, id),
  foreign key (org_id, run_id) references control_run(org_id, id)
);
revoke update, delete on remediation from sightline_app;
grant update (overdue_notified_on) on remediation to sightline_app;

-- Owner, due date, ticket and notes of a remediation. The newest version applies.
create table remediation_change (
  org_id uuid not null,
  remediation_id uuid not null,
  version int not null check (version > 0),
  owner_id uuid,
  due_on date,
  ticket_url text,
  notes text not null,
  -- Null: not stated as remediated. Otherwise the time of the first such version without interruption.
  remediated_at timestamptz,
  -- Null: the issue tracker of its ticket.
  changed_by uuid,
  changed_at timestamptz not null default clock_timestamp(),
  entry_id uuid not null,
  primary key (org_id, remediation_id, version),
  foreign key (org_id, remediation_id) references remediation(org_id, id)
);
revoke update, delete on remediation_change from sightline_app;

create table remediation_retest (
  org_id uuid not null,
  id uuid not null,
  remediation_id uuid not null,
  -- From 1, in order of the ledger.
  position int not null check (position > 0),
  result text not null check (result in ('pass', 'fail')),
  -- The evaluation that was the test; null: `recorded_by` recorded it.
  run_id uuid,
  tested_at timestamptz not null,
  recorded_by uuid,
  notes text not null default '',
  entry_id uuid not null,
  primary key (org_id, id),
  unique (org_id, remediation_id, position),
  check ((run_id is null) <> (recorded_by is null)),
  foreign key (org_id, remediation_id) references remediation(org_id, id),
  foreign key (org_id, run_id) references control_run(org_id, id)
);
revoke update, delete on remediation_retest from sightline_app;

-- Queue of evaluations, at most one open task per control and period.
create table control_task (
  org_id uuid not null references organization,
  id uuid not null,
  control_id text not null,
  period_from timestamptz not null,
  period_to timestamptz not null,
  -- The requested earlier checkpoint.
  requested_epoch int,
  requested_size bigint,
  -- Null until a checkpoint was signed for the task.
  as_of_epoch int,
  as_of_size bigint,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  evaluated int not null default 0,
  failure text,
  run_id uuid,
  requested_by uuid,
  requested_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  primary key (org_id, id)
);
create index control_task_latest on control_task (org_id, control_id, period_from, period_to, requested_at desc, id);
create unique index control_task_open on control_task (org_id, control_id, period_from, period_to, coalesce(requested_epoch, 0), coalesce(requested_size, (0))) where state in ('queued', 'running');

-- Waivers for controls, requested by one account and decided by another. Waivers for findings are in finding_waiver.
create table control_waiver (
  org_id uuid not null,
  id uuid not null,
  control_id text not null,
  -- Subject of the waived item.
  subject text not null,
  -- Null for items without a repository.
  repository_id uuid,
  reason text not null,
  -- Length of the reason, kept when its text is deleted.
  reason_length int not null check (reason_length > 0),
  requested_by uuid not null,
  requested_at timestamptz not null default clock_timestamp(),
  decided_by uuid,
  decided_at timestamptz,
  decision text check (decision in ('approved', 'refused', 'withdrawn')),
  decided_comment text not null default '',
  -- Time of the request; of the approval once approved.
  valid_from timestamptz not null default clock_timestamp(),
  valid_until timestamptz not null,
  -- When the expiry, of the waiver or of the open request, was recorded.
  expired_at timestamptz,
  expiry_notified_at timestamptz,
  entry_id uuid not null,
  decided_entry_id uuid,
  primary key (org_id, id),
  check (decided_by is null or decision = 'withdrawn' or decided_by <> requested_by),
  check ((decision is null) = (decided_at is null)),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
-- At most one open request or valid waiver per subject.
create unique index control_waiver_alive on control_waiver (org_id, control_id, subject)
  where expired_at is null and (decision is null or decision = 'approved');
create index control_waiver_requested on control_waiver (org_id, requested_at, id);
create index control_waiver_subject on control_waiver (org_id, control_id, subject, requested_at);
create index control_waiver_until on control_waiver (org_id, valid_until, id) where expired_at is null;
revoke update, delete on control_waiver from sightline_app;

-- Weekly commit digests of a repository at a ledger checkpoint. Immutable except for `state`. `body` is stored as
-- hashed.
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
  -- For lists.
  flagged int not null,
  missing_evidence int not null,
  counts jsonb not null,
  -- The creation on schedule. For a digest on request the end of its week, since it was due then.
  due_at timestamptz not null,
  -- The account that requested the digest, and when it was created; null for a digest on schedule.
  requested_by uuid,
  created_on_request_at timestamptz,
  check ((requested_by is null) = (created_on_request_at is null)),
  -- Derived from the reviews.
  state text not null default 'open' check (state in ('open', 'partly', 'signed')),
  entry_id uuid not null,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index commit_digest_due on commit_digest (org_id, due_at, id);
create index commit_digest_repository on commit_digest (org_id, repository_id, due_at, id);
create index commit_digest_state on commit_digest (org_id, state, due_at, id);
revoke update, delete on commit_digest from sightline_app;

create table commit_digest_review (
  org_id uuid not null,
  id uuid not null,
  digest_id uuid not null,
  reviewer uuid not null,
  decision text not null check (decision in ('reviewed', 'follow_up')),
  note text not null,
  -- Hash of the body that the reviewer saw.
  body_sha256 bytea not null check (octet_length(body_sha256) = 32),
  -- Decisions by subject of the flagged item.
  items jsonb not null,
  -- All flagged items are decided: this review is the sign-off.
  completes boolean not null,
  at timestamptz not null,
  entry_id uuid not null,
  primary key (org_id, id),
  foreign key (org_id, digest_id) references commit_digest(org_id, id)
);
create index commit_digest_review_digest on commit_digest_review (org_id, digest_id, at, id);
create unique index commit_digest_signed on commit_digest_review (org_id, digest_id) where completes;
revoke update, delete on commit_digest_review from sightline_app;

-- Quarterly access reviews.
create table access_review (
  org_id uuid not null references organization,
  id uuid not null,
  -- First day of the quarter.
  quarter date not null check (quarter = date_trunc('quarter', (quarter))),
  opened_at timestamptz not null,
  -- The account that opened the review before its schedule; null for a review on schedule.
  opened_by uuid,
  entry_id uuid not null,
  primary key (org_id, id),
  unique (org_id, quarter)
);
revoke update, delete on access_review from sightline_app;

create table access_review_item (
  org_id uuid not null,
  review_id uuid not null,
  account_id uuid not null,
  role_id text not null,
  added_at timestamptz not null,
  entry_id uuid not null,
  primary key (org_id, review_id, account_id, role_id),
  foreign key (org_id, review_id) references access_review(org_id, id)
);
revoke update, delete on access_review_item from sightline_app;

-- The last decision of an item applies.
create table access_review_decision (
  org_id uuid not null,
  review_id uuid not null,
  account_id uuid not null,
  role_id text not null,
  at timestamptz not null default clock_timestamp(),
  reviewer uuid not null,
  decision text not null check (decision in ('kept', 'changed')),
  entry_id uuid not null,
  primary key (org_id, review_id, account_id, role_id, at),
  check (reviewer <> account_id),
  foreign key (org_id, review_id, account_id, role_id)
    references access_review_item(org_id, review_id, account_id, role_id)
);
revoke update, delete on access_review_decision from sightline_app;

-- Access on code hosts under review: a permission of a holder on repositories.
create table access_review_host_item (
  org_id uuid not null,
  review_id uuid not null,
  id uuid not null,
  holder_id uuid not null,
  permission text not null check (permission in ('read', 'triage', 'write', 'maintain', 'admin')),
  repositories uuid[] not null check (cardinality(repositories) > 0),
  added_at timestamptz not null,
  entry_id uuid not null,
  primary key (org_id, review_id, id),
  foreign key (org_id, review_id) references access_review(org_id, id),
  foreign key (org_id, holder_id) references access_holder(org_id, id)
);
create index access_review_host_item_holder on access_review_host_item (org_id, holder_id);
revoke update, delete on access_review_host_item from sightline_app;

create table access_review_host_decision (
  org_id uuid not null,
  review_id uuid not null,
  item_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  reviewer uuid not null,
  decision text not null check (decision in ('kept', 'changed')),
  entry_id uuid not null,
  primary key (org_id, review_id, item_id, at),
  foreign key (org_id, review_id, item_id) references access_review_host_item(org_id, review_id, id)
);
revoke update, delete on access_review_host_decision from sightline_app;

-- Signs all earlier decisions. Items added later require another signature.
create table access_review_signature (
  org_id uuid not null,
  review_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  signed_by uuid not null,
  entry_id uuid not null,
  primary key (org_id, review_id, at),
  foreign key (org_id, review_id) references access_review(org_id, id)
);
revoke update, delete on access_review_signature from sightline_app;

-- Snapshots: evidence of a period at a signed checkpoint. Immutable except for the progress of their creation.
create table snapshot (
  org_id uuid not null references organization,
  id uuid not null,
  name text not null check ((length(name) >= 1) and (length(name) <= 120)),
  period_from timestamptz not null,
  period_to timestamptz not null,
  controls text[] not null check (cardinality(controls) > 0),
  -- Null: all repositories of the organization.
  repositories uuid[],
  redaction text not null check (redaction in ('none', 'names', 'people', 'all')),
  -- The superseded snapshot, which remains available.
  supersedes uuid,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  state text not null default 'queued'
    check (state in ('queued', 'capturing', 'evaluating', 'building', 'ready', 'failed')),
  done int not null default 0,
  problem text,
  -- The evaluated checkpoint, and the later one that also contains the results.
  epoch int,
  evaluated_size bigint,
  size bigint,
  -- Results per control.
  results jsonb,
  -- What the ledger entry of the snapshot commits to, and the checkpoint and earlier trees of the bundle.
  sealed jsonb,
  captured jsonb,
  -- Manifest and signature of the bundle, with which it can be rebuilt byte for byte.
  manifest text,
  signature text,
  bundle_sha256 bytea check (octet_length(bundle_sha256) = 32),
  bytes bigint,
  taken_at timestamptz,
  primary key (org_id, id),
  check (period_from < period_to),
  foreign key (org_id, supersedes) references snapshot(org_id, id)
);
create index snapshot_created on snapshot (org_id, created_at desc, id);
revoke delete on snapshot from sightline_app;

-- PDF reports, stored because another compiler or font version would produce other bytes.
create table snapshot_report (
  org_id uuid not null,
  snapshot_id uuid not null,
  -- Null: the PDF could not be created. Manifest and ledger state it.
  pdf bytea,
  primary key (org_id, snapshot_id),
  foreign key (org_id, snapshot_id) references snapshot(org_id, id)
);
alter table snapshot_report alter pdf set storage external;
revoke update, delete on snapshot_report from sightline_app;

-- The names of persons to which the ledger entry of a snapshot commits, until their data is deleted.
create table snapshot_name (
  org_id uuid not null,
  snapshot_id uuid not null,
  person_id uuid not null,
  name text not null,
  primary key (org_id, snapshot_id, person_id),
  foreign key (org_id, snapshot_id) references snapshot(org_id, id),
  foreign key (org_id, person_id) references person(org_id, id)
);
create index snapshot_name_person on snapshot_name (org_id, person_id);
revoke update, delete on snapshot_name from sightline_app;

-- Auditor portals: access of an auditor without membership to snapshots until an expiry. token_hash is SHA-256 of the
-- token in the link, which contains its organization.
create table auditor_portal (
  org_id uuid not null references organization,
  id uuid not null,
  name text not null check ((length(name) >= 1) and (length(name) <= 120)),
  auditor_name text not null check ((length(auditor_name) >= 1) and (length(auditor_name) <= 120)),
  -- Null: not given. person_id refers to the person with this address, whose key protects it in the ledger.
  auditor_email text,
  person_id uuid,
  redaction text not null check (redaction in ('none', 'names', 'people', 'all')),
  -- Whether the portal shows current names of persons, or pseudonyms only.
  people text not null default 'pseudonyms' check (people in ('names', 'pseudonyms')),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  -- The portal of an earlier period that this one continues.
  earlier_portal_id uuid,
  -- Hash of the e-mailed link, which has its own token, so that no usable token is stored.
  mailed_hash bytea check (octet_length(mailed_hash) = 32),
  mailed_at timestamptz,
  mail_failed_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- When the expiry was recorded.
  closed_at timestamptz,
  views int not null default 0,
  last_view_at timestamptz,
  primary key (org_id, id),
  check (expires_at > created_at),
  check (redaction = 'none' or people = 'pseudonyms'),
  foreign key (org_id, earlier_portal_id) references auditor_portal(org_id, id)
);
create unique index auditor_portal_mailed on auditor_portal (org_id, mailed_hash) where mailed_hash is not null;
create index auditor_portal_opened on auditor_portal (org_id, created_at desc, id);
create unique index auditor_portal_token on auditor_portal (org_id, token_hash);
revoke delete on auditor_portal from sightline_app;

create table auditor_portal_snapshot (
  org_id uuid not null,
  portal_id uuid not null,
  snapshot_id uuid not null,
  primary key (org_id, portal_id, snapshot_id),
  foreign key (org_id, portal_id) references auditor_portal(org_id, id),
  foreign key (org_id, snapshot_id) references snapshot(org_id, id)
);
revoke update, delete on auditor_portal_snapshot from sightline_app;

create table evidence_request (
  org_id uuid not null,
  portal_id uuid not null,
  id uuid not null,
  -- Null: not about one control.
  control_id text,
  text text not null check ((length(text) >= 1) and (length(text) <= 2000)),
  requested_at timestamptz not null default now(),
  -- The last day for an answer.
  due_on date,
  -- Whether the last message is from the auditor.
  waits boolean not null default true,
  closed_at timestamptz,
  -- The request of the earlier portal that this one continues.
  carried_from uuid,
  primary key (org_id, portal_id, id),
  check (closed_at is null or not waits),
  foreign key (org_id, portal_id) references auditor_portal(org_id, id)
);
revoke delete on evidence_request from sightline_app;

create table evidence_message (
  org_id uuid not null,
  portal_id uuid not null,
  request_id uuid not null,
  id uuid not null,
  side text not null check (side in ('auditor', 'organization')),
  text text not null check ((length(text) >= 1) and (length(text) <= 4000)),
  -- Null: the auditor.
  sent_by uuid,
  sent_at timestamptz not null default now(),
  primary key (org_id, portal_id, request_id, id),
  check ((side = 'auditor') = (sent_by is null)),
  foreign key (org_id, portal_id, request_id) references evidence_request(org_id, portal_id, id)
);
revoke update, delete on evidence_message from sightline_app;

-- Samples that auditors selected. Nothing of them changes.
create table audit_sample (
  org_id uuid not null,
  portal_id uuid not null,
  id uuid not null,
  snapshot_id uuid not null,
  control_id text not null,
  name text not null check ((length(name) >= 1) and (length(name) <= 120)),
  method text not null check (method in ('random', 'systematic', 'judgmental', 'all')),
  -- Null: the method needs none.
  seed text check (length(seed) <= 500),
  reason text not null check (length(reason) <= 2000),
  population int not null,
  -- Rows of the evidence file, from 0, in the order of their selection.
  positions int[] not null check (cardinality(positions) >= 1 and cardinality(positions) <= 500),
  created_at timestamptz not null default now(),
  primary key (org_id, portal_id, id),
  foreign key (org_id, portal_id, snapshot_id) references auditor_portal_snapshot(org_id, portal_id, snapshot_id),
  check ((seed is null) = (method in ('judgmental', 'all')))
);
revoke update, delete on audit_sample from sightline_app;

-- Versions of conclusions and notes of auditors about a row of a sample, or about the sample (position -1). The ledger
-- contains the salted hash of each, because the organization sees them only after the auditor signed.
create table audit_workpaper (
  org_id uuid not null,
  portal_id uuid not null,
  sample_id uuid not null,
  position int not null check (position >= -1),
  version int not null check (version >= 1),
  conclusion text not null check (conclusion in ('effective', 'exception', 'inconclusive', 'not_tested')),
  note text not null check (length(note) <= 8000),
  salt bytea not null check (octet_length(salt) = 16),
  written_at timestamptz not null default now(),
  primary key (org_id, portal_id, sample_id, position, version),
  foreign key (org_id, portal_id, sample_id) references audit_sample(org_id, portal_id, id)
);
revoke update, delete on audit_workpaper from sightline_app;

-- Files of auditors and of the organization, of a request, or of a row of a sample (position -1: of the sample).
create table portal_attachment (
  org_id uuid not null,
  portal_id uuid not null,
  id uuid not null,
  request_id uuid,
  sample_id uuid,
  position int check (position >= -1),
  side text not null check (side in ('auditor', 'organization')),
  name text not null check ((length(name) >= 1) and (length(name) <= 200)),
  size int not null check (size >= 1 and size <= 10485760),
  sha256 bytea not null check (octet_length(sha256) = 32),
  content bytea not null,
  -- Null: the auditor.
  attached_by uuid,
  attached_at timestamptz not null default now(),
  -- The file of the earlier portal of which this one is a copy.
  carried_from uuid,
  primary key (org_id, portal_id, id),
  foreign key (org_id, portal_id, request_id) references evidence_request(org_id, portal_id, id),
  foreign key (org_id, portal_id, sample_id) references audit_sample(org_id, portal_id, id),
  check ((request_id is null) <> (sample_id is null)),
  check ((sample_id is null) = (position is null)),
  check ((side = 'auditor') = (attached_by is null)),
  check (octet_length(content) = size)
);
create index portal_attachment_sample on portal_attachment (org_id, portal_id, sample_id, position);
create index portal_attachment_request on portal_attachment (org_id, portal_id, request_id);
revoke update, delete on portal_attachment from sightline_app;

-- Results that auditors signed with their own keys: the envelope byte for byte, and what it states.
create table auditor_result (
  org_id uuid not null,
  portal_id uuid not null,
  id uuid not null,
  title text not null check (length(title) <= 500),
  envelope bytea not null check (octet_length(envelope) <= 10485760),
  sha256 bytea not null check (octet_length(sha256) = 32),
  key_id text not null check (key_id ~ '^[0-9a-f]{64}$'),
  findings jsonb not null,
  received_at timestamptz not null default now(),
  primary key (org_id, portal_id, id),
  foreign key (org_id, portal_id) references auditor_portal(org_id, id)
);
revoke update, delete on auditor_result from sightline_app;

-- Assertions of the management to auditors.
create table portal_assertion (
  org_id uuid not null,
  portal_id uuid not null,
  id uuid not null,
  text text not null check ((length(text) >= 1) and (length(text) <= 8000)),
  asserted_by uuid not null,
  asserted_at timestamptz not null default now(),
  primary key (org_id, portal_id, id),
  foreign key (org_id, portal_id) references auditor_portal(org_id, id)
);
revoke update, delete on portal_assertion from sightline_app;

-- A browser session of a portal, created from its link.
create table auditor_portal_session (
  org_id uuid not null,
  hash bytea not null check (octet_length(hash) = 32),
  portal_id uuid not null,
  started_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (org_id, hash),
  foreign key (org_id, portal_id) references auditor_portal(org_id, id)
);
create index auditor_portal_session_portal on auditor_portal_session (org_id, portal_id);
revoke update on auditor_portal_session from sightline_app;

-- External systems that snapshots are sent to.
create table evidence_destination (
  org_id uuid not null references organization,
  id uuid not null,
  kind text not null check (kind in ('vanta', 'drata', 'defectdojo', 'gitlab', 'webhook')),
  name text not null check ((length(name) >= 1) and (length(name) <= 80)),
  -- Settings of the kind, without secrets.
  settings jsonb not null,
  secret_sealed bytea not null,
  enabled boolean not null default true,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, name)
);

-- Delivery of a snapshot to a destination, one row per pair, so that a redelivery duplicates nothing.
create table evidence_delivery (
  org_id uuid not null,
  id uuid not null,
  destination_id uuid not null,
  snapshot_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
  problem text,
  -- Attempts since the last request.
  tries int not null default 0,
  next_at timestamptz not null default now(),
  requested_by uuid not null,
  requested_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (org_id, id),
  unique (org_id, destination_id, snapshot_id),
  foreign key (org_id, destination_id) references evidence_destination(org_id, id) on delete cascade,
  foreign key (org_id, snapshot_id) references snapshot(org_id, id)
);
create index evidence_delivery_asked on evidence_delivery (org_id, destination_id, requested_at desc, id);
create index evidence_delivery_due on evidence_delivery (org_id, next_at) where state = 'pending';
create index evidence_delivery_failed on evidence_delivery (org_id) where state <> 'sent' and problem is not null;

-- Requests and responses.
create table evidence_exchange (
  org_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  at timestamptz not null default now(),
  request text not null,
  response_status int,
  response text,
  failure text,
  ms int not null,
  primary key (org_id, id),
  foreign key (org_id, delivery_id) references evidence_delivery(org_id, id) on delete cascade
);
create index evidence_exchange_log on evidence_exchange (org_id, delivery_id, at desc, id);
create index evidence_exchange_old on evidence_exchange (org_id, at);

-- Items of a delivery. Items that arrived are not sent again.
create table evidence_delivery_item (
  org_id uuid not null,
  delivery_id uuid not null,
  key text not null,
  position int not null,
  label text not null,
  state text not null default 'pending' check (state in ('pending', 'sent', 'skipped', 'failed')),
  message text not null default '',
  at timestamptz,
  primary key (org_id, delivery_id, key),
  foreign key (org_id, delivery_id) references evidence_delivery(org_id, id) on delete cascade
);

-- Imported frameworks. Those of the release are data of the program.
create table framework (
  org_id uuid not null references organization,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  -- Title and version of the imported profile.
  source text not null,
  -- [{id, title}] in the order of the profile.
  requirements jsonb not null,
  document_sha256 bytea not null,
  imported_by uuid not null,
  imported_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (org_id, id)
);
create unique index framework_name on framework (org_id, lower(name)) where removed_at is null;

-- Versions of the mappings of imported frameworks.
create table framework_mapping (
  org_id uuid not null,
  framework_id uuid not null,
  version int not null check (version > 0),
  -- [{requirement, control, rationale}]
  mappings jsonb not null,
  sha256 bytea not null,
  changed_by uuid not null,
  changed_at timestamptz not null default clock_timestamp(),
  entry_id uuid not null,
  primary key (org_id, framework_id, version),
  foreign key (org_id, framework_id) references framework(org_id, id)
);
revoke update, delete on framework_mapping from sightline_app;

-- Approvals of versions of mappings. framework_id: the name of a framework of the release, or the ID of an imported one.
create table framework_approval (
  org_id uuid not null references organization,
  framework_id text not null,
  sha256 bytea not null,
  approved_by uuid not null,
  approved_at timestamptz not null default clock_timestamp(),
  entry_id uuid not null,
  primary key (org_id, framework_id, sha256)
);
revoke update, delete on framework_approval from sightline_app;

create table framework_requirement (
  org_id uuid not null references organization,
  framework_id text not null,
  requirement_id text not null,
  owner_id uuid,
  due_on date,
  notes text not null check (length(notes) <= 4000),
  primary key (org_id, framework_id, requirement_id)
);

call isolate_by_organization(
  'branch_push', 'reached_commit', 'commit_key', 'change_path', 'change_work', 'reconciled_agent', 'agent_join', 'reconciled_session', 'change_task', 'change_record', 'merge_count', 'policy', 'policy_change', 'policy_comment',
  'policy_dry_run', 'policy_refusal', 'policy_notification', 'control_setting', 'control_run', 'control_row', 'control_task',
  'remediation', 'remediation_change', 'remediation_retest', 'control_waiver', 'commit_digest', 'commit_digest_review',
  'access_review', 'access_review_item', 'access_review_decision', 'access_review_host_item', 'access_review_host_decision',
  'access_review_signature', 'snapshot', 'snapshot_report', 'snapshot_name', 'auditor_portal',
  'auditor_portal_snapshot', 'evidence_request', 'evidence_message', 'auditor_portal_session', 'audit_sample', 'audit_workpaper',
  'portal_attachment', 'auditor_result', 'portal_assertion', 'evidence_destination', 'evidence_delivery',
  'evidence_exchange', 'evidence_delivery_item', 'framework', 'framework_mapping', 'framework_approval',
  'framework_requirement'
);
revoke update, delete on framework from sightline_app;
grant update (removed_at) on framework to sightline_app;
grant update (valid_until, ended_entry_id) on policy to sightline_app;
grant update (decision, decided_by, decided_at, reason, self_approved, decided_entry_id) on policy_change to sightline_app;
grant update (valid_until, ended_entry_id) on control_setting to sightline_app;
grant update (rows_of) on control_run to sightline_app;
-- Finds organizations with ended waivers, with one index lookup per organization.
create policy lookup on control_waiver for select to sightline_lookup using (true);
grant select (org_id, decision, valid_until, expired_at) on control_waiver to sightline_lookup;
grant update (
  decided_by, decided_at, decision, decided_comment, valid_from, valid_until, expired_at, expiry_notified_at,
  decided_entry_id
) on control_waiver to sightline_app;
grant update (state) on commit_digest to sightline_app;
-- For the job that deletes old exchanges.
create policy lookup on evidence_destination for select to sightline_lookup using (true);
grant select (org_id) on evidence_destination to sightline_lookup;
-- For the job that resumes deliveries.
create policy lookup on evidence_delivery for select to sightline_lookup using (true);
grant select (
  org_id, id, state, problem, tries, next_at, requested_at, ended_at
) on evidence_delivery to sightline_lookup;

-- A portal is immutable except for an earlier expiry and revocation.
create function keep_auditor_portal() returns trigger language plpgsql as $$
begin
  if row(new.redaction, new.people, new.token_hash, new.created_by, new.created_at, new.earlier_portal_id)
     is distinct from row(old.redaction, old.people, old.token_hash, old.created_by, old.created_at, old.earlier_portal_id)
     or new.expires_at > old.expires_at
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) then
    raise exception 'An auditor portal cannot be changed';
  end if;
  return new;
end
$$;
create trigger keep_auditor_portal before update on auditor_portal
  for each row execute function keep_auditor_portal();

create function orgs_with_due_evidence_deliveries() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from evidence_delivery where state = 'pending' and next_at <= now()
$$;

create function orgs_with_ended_control_waivers() returns setof uuid language sql stable security definer
  set search_path = public as $$
    with recursive each as (
      (select org_id from control_waiver where expired_at is null order by org_id limit 1)
      union all
      select (select c.org_id from control_waiver c where c.expired_at is null and c.org_id > e.org_id order by c.org_id limit 1)
      from each e where e.org_id is not null
    )
    select org_id from each where org_id is not null and (
      select true from control_waiver c
      where c.org_id = each.org_id and c.expired_at is null and c.valid_until <= now() and (c.decision is null or c.decision = 'approved')
      limit 1
    )
$$;

create function orgs_with_evidence_destinations() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from evidence_destination
$$;

-- A ready snapshot is immutable. After a deletion of personal data only its bundle file is rebuilt.
create function keep_snapshot() returns trigger language plpgsql as $$
begin
  if row(new.name, new.period_from, new.period_to, new.controls, new.repositories, new.redaction, new.supersedes, new.created_by,
         new.created_at)
     is distinct from
     row(old.name, old.period_from, old.period_to, old.controls, old.repositories, old.redaction, old.supersedes, old.created_by,
         old.created_at)
     or (old.state = 'ready' and row(new.epoch, new.evaluated_size, new.size, new.results, new.captured) is distinct from
         row(old.epoch, old.evaluated_size, old.size, old.results, old.captured)) then
    raise exception 'A snapshot cannot be changed';
  end if;
  return new;
end
$$;
create trigger keep_snapshot before update on snapshot for each row execute function keep_snapshot();

-- Deletes all rows of the current organization, which must be a demo, and the accounts that were created for it. Tables
-- reference each other, so it repeats until none has a row.
create function delete_demo_organization() returns void language plpgsql security definer set search_path = public as $$
declare
  accounts uuid[];
  account_id uuid;
  table_name text;
  deleted bigint;
  progress bigint;
  is_blocked boolean;
begin
  select o.demo_accounts into accounts from organization o where o.id = app_org() and o.is_demo for update;
  if not found then
    raise exception 'Only a demo organization can be deleted';
  end if;
  loop
    progress := 0;
    is_blocked := false;
    for table_name in
      select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by c.relname
    loop
      begin
        execute format('delete from %I where org_id = app_org()', table_name);
        get diagnostics deleted = row_count;
        progress := progress + deleted;
      exception when foreign_key_violation then
        is_blocked := true;
      end;
    end loop;
    exit when progress = 0;
  end loop;
  if is_blocked then
    raise exception 'Rows of the demo organization reference each other';
  end if;
  delete from organization where id = app_org();
  foreach account_id in array accounts loop
    perform set_config('app.account', account_id::text, true);
    continue when exists (select from member m where m.account_id = app_account());
    for table_name in
      select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'org_id')
    loop
      execute format('delete from %I where account_id = app_account()', table_name);
    end loop;
    delete from account where id = app_account();
  end loop;
end
$$;
-- Row-level security applies to the owner, so that no row of another organization is deleted.
alter function delete_demo_organization() owner to sightline_demo;
revoke all on function delete_demo_organization() from public;
grant execute on function delete_demo_organization() to sightline_app;

-- Imports and deliveries whose last attempt failed, for operators of the installation: IDs and reasons, no content.
-- Webhooks of GitHub installations that no organization has connected are omitted: no job processes them.
create function installation_failures()
  returns table(kind text, org_id uuid, id text, item text, failed_at timestamptz, attempts int, next_at timestamptz, cause text)
  language sql stable security definer set search_path = public as $$
    select 'import', i.org_id, i.repository_id::text, r.provider, i.updated_at, i.attempts, i.waiting_until, i.error
    from repository_import i join repository r on r.org_id = i.org_id and r.id = i.repository_id
    where i.error is not null and i.state in ('failed', 'queued', 'rate_limited') and r.tracked and r.removed_at is null
    union all
    select 'host_webhook', w.org_id, w.delivery_id, w.event, w.processed_at, 3, null, w.error
    from webhook_delivery w
    where w.error is not null and w.processed_at is not null and w.body_deleted_at is null and w.org_id <> '00000000-0000-0000-0000-000000000000'
    union all
    select 'webhook', d.org_id, d.id::text, d.type, a.at, d.attempts, case d.status when 'pending' then d.next_at end, a.failure
    from outgoing_delivery d cross join lateral (
      select t.at, t.failure from outgoing_attempt t
      where t.org_id = d.org_id and t.delivery_id = d.id order by t.number desc limit 1
    ) a
    where (d.status = 'failed' or (d.status = 'pending' and d.tries > 0)) and (d.status = 'failed' or a.failure is not null)
    union all
    select 'chat', t.org_id, t.id::text, t.service, t.failing_since, t.failures, t.resumes_at, t.problem
    from chat_target t where t.failing_since is not null and t.enabled
    union all
    select 'audit_stream', s.org_id, s.id::text, s.kind, s.failed_at, s.tries, s.next_at, s.failure
    from audit_stream s where s.enabled and s.failing_since is not null and s.failed_at is not null
    union all
    select 'evidence_delivery', e.org_id, e.id::text, 'snapshot', coalesce(e.ended_at, e.requested_at), e.tries,
      case e.state when 'pending' then e.next_at end, e.problem
    from evidence_delivery e where e.state <> 'sent' and e.problem is not null
$$;

call open_lookup(
  'installation_failures()',
  'orgs_with_due_evidence_deliveries()', 'orgs_with_ended_control_waivers()', 'orgs_with_evidence_destinations()'
);
