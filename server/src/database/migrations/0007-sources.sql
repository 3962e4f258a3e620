-- Code hosts, repositories, pull requests, commits and webhooks.

-- Access tokens for code hosts without an app. Each selected group or workspace is an installation that refers to its grant.
-- Deleting a grant empties its secrets and keeps the row.
create table code_host_grant (
  org_id uuid not null references organization,
  id uuid not null,
  provider text not null check (provider in ('bitbucket', 'gitlab', 'gitea', 'bitbucket-data-center', 'azure-devops', 'gerrit')),
  base_url text not null,
  kind text not null check (kind in ('oauth', 'token')),
  -- Account on the host and token hint, both shown to owners.
  login text not null,
  display text not null,
  secret bytea,
  refresh bytea,
  expires_at timestamptz,
  scopes text[] not null default '{}',
  created_by uuid not null,
  created_at timestamptz not null default now(),
  -- When and why the host rejected the grant.
  failed_at timestamptz,
  failure text,
  -- When the grant was revoked or replaced. Its secrets are deleted after its webhooks on the host are deleted.
  ended_at timestamptz,
  -- Missing permissions, each as a sentence.
  missing text[] not null default '{}',
  connection_entry uuid,
  primary key (org_id, id)
);

-- Installation of a code host in one organization. The unique index spans organizations: an installation of another
-- organization is rejected.
create table installation (
  org_id uuid not null references organization,
  provider text not null check (provider in ('github', 'bitbucket', 'gitlab', 'gitea', 'bitbucket-data-center', 'azure-devops', 'gerrit')),
  installation_id text not null,
  account_login text not null,
  html_url text not null,
  permissions jsonb not null default '{}',
  suspended_at timestamptz,
  deleted_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  grant_id uuid,
  -- Number of redelivered webhook deliveries.
  redelivered int not null default 0,
  redelivered_at timestamptz,
  -- The ledger entry that records who connected the code host.
  connection_entry uuid,
  primary key (org_id, provider, installation_id),
  foreign key (org_id, grant_id) references code_host_grant(org_id, id)
);
create unique index installation_bound on installation (provider, installation_id, coalesce(grant_id, '00000000-0000-0000-0000-000000000000')) where deleted_at is null;
create index installation_by_grant on installation (org_id, grant_id) where grant_id is not null;

create table install_state (
  org_id uuid not null references organization,
  nonce_hash bytea not null,
  account_id uuid not null,
  provider text not null,
  redirect_path text not null,
  installation_id text,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Sealed PKCE verifier, which binds the callback to the browser that started the installation.
  verifier bytea,
  primary key (org_id, nonce_hash)
);

-- The GitHub app created on the setup page, sealed, and the time up to which its failed deliveries were redelivered.
create table github_app (
  app_id text primary key,
  settings bytea,
  created_by uuid,
  created_at timestamptz not null default now(),
  deliveries_checked_until timestamptz
);

create table repository (
  org_id uuid not null references organization,
  id uuid not null,
  provider text not null check (provider in ('github', 'bitbucket', 'gitlab', 'gitea', 'bitbucket-data-center', 'azure-devops', 'gerrit')),
  provider_repo_id text not null,
  installation_id text not null,
  owner text not null,
  name text not null,
  full_name text not null,
  default_branch text not null,
  is_private boolean not null,
  html_url text not null,
  tracked boolean not null default false,
  pushed_at timestamptz,
  last_change timestamptz,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index repository_changed on repository (org_id, last_change, id) where tracked;
create unique index repository_host on repository (org_id, provider, provider_repo_id);
create index repository_name on repository (org_id, lower(full_name), id);
create index repository_tracked_name on repository (org_id, full_name, id) where tracked;

-- A webhook on the code host, one per repository. Its URL contains its ID.
create table code_host_hook (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  -- ID on the host; null until the host responds.
  host_hook_id text,
  secret bytea not null,
  created_at timestamptz not null default now(),
  last_delivery_at timestamptz,
  failed_at timestamptz,
  failure text,
  -- First signed delivery. Later deliveries without a signature are rejected.
  signed_at timestamptz,
  -- During a rotation the previous secret is also accepted: until the host has the new one (previous_until is null), and
  -- for some minutes afterwards.
  previous_secret bytea,
  previous_until timestamptz,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create unique index code_host_hook_address on code_host_hook (id);
create unique index code_host_hook_repository on code_host_hook (org_id, repository_id);

create table repository_import (
  org_id uuid not null,
  repository_id uuid not null,
  state text not null check (state in ('queued', 'running', 'rate_limited', 'done', 'failed')),
  phase text not null check (phase in ('commits', 'pull_requests', 'files')),
  commits_done int not null default 0,
  commits_total int,
  pull_requests_done int not null default 0,
  pull_requests_total int,
  files_done int not null default 0,
  files_total int,
  cursor jsonb not null default '{}',
  error text,
  waiting_until timestamptz,
  started_at timestamptz,
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Consecutive failures. The import fails after too many.
  attempts int not null default 0,
  primary key (org_id, repository_id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index repository_import_unfinished on repository_import (org_id)
  where state in ('queued', 'running', 'rate_limited');

-- Items that an import could not read or store. `item` is a commit SHA or a pull request number. next_attempt_at is null
-- if the code host no longer has the item.
create table import_gap (
  org_id uuid not null,
  repository_id uuid not null,
  kind text not null check (kind in ('commit', 'pull_request', 'files')),
  item text not null,
  reason text not null,
  attempts int not null default 1,
  next_attempt_at timestamptz,
  primary key (org_id, repository_id, kind, item),
  foreign key (org_id, repository_id) references repository(org_id, id)
);

-- Result of the last reconciliation with the code host.
create table repository_reconcile (
  org_id uuid not null,
  repository_id uuid not null,
  reconciled_at timestamptz,
  -- Number of commits and pull requests found without a webhook.
  healed int not null default 0,
  healed_at timestamptz,
  failure text,
  -- Since when the code host fails to answer; null if it answered the last reconciliation.
  unanswered_since timestamptz,
  primary key (org_id, repository_id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);

-- The verified raw body by delivery ID. Deliveries without a known installation belong to the nil organization, which no
-- token can select.
create table webhook_delivery (
  org_id uuid not null,
  provider text not null,
  delivery_id text not null,
  event text not null,
  body text not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  error text,
  -- The body is deleted some time after processing. The row remains to detect duplicates.
  body_deleted_at timestamptz,
  -- Long bodies compressed with Brotli (RFC 7932) by the server; `body` is empty then. External storage avoids a second
  -- compression.
  packed bytea,
  hook_id uuid,
  -- Retry time of a delivery that waits for a rate limit. Other deliveries are not delayed.
  not_before timestamptz,
  -- SHA-256 of the signed bytes, for hosts with unique bodies. A replay under another, unsigned ID is a duplicate.
  sha256 bytea,
  -- Of a delivery of GitHub that is irrelevant unless this repository is enabled.
  provider_repo_id text,
  primary key (org_id, provider, delivery_id)
);
alter table webhook_delivery alter packed set storage external;
-- Partial, so that the lookup of a delivery never uses it: without statistics, its first two columns seem to select a row.
create unique index webhook_delivery_bytes on webhook_delivery (org_id, provider, sha256) where sha256 is not null;
create index webhook_unprocessed on webhook_delivery (org_id, received_at, delivery_id) where processed_at is null;
create index webhook_failed on webhook_delivery (org_id, processed_at) where error is not null and body_deleted_at is null;
create index webhook_with_body on webhook_delivery (org_id, processed_at)
  where processed_at is not null and body_deleted_at is null;

create table pull_request (
  org_id uuid not null,
  repository_id uuid not null,
  number int not null,
  title text not null,
  status text not null check (status in ('in-progress', 'accepted', 'closed')),
  draft boolean not null,
  author_person uuid not null,
  author_login text not null,
  author_avatar text,
  author_is_agent boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  merged_at timestamptz,
  closed_at timestamptz,
  closed_by_login text,
  base_ref text not null,
  head_ref text not null,
  head_sha text not null,
  merge_sha text,
  additions int,
  deletions int,
  changed_files int,
  commits int,
  url text not null,
  context_id uuid not null,
  merged_by_person uuid,
  labels text[],
  primary key (org_id, repository_id, number),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
-- Agents that open pull requests are not proposed for invitation.
create index pull_request_agents on pull_request (org_id, author_person) where author_is_agent;
create index pull_request_author on pull_request (org_id, repository_id, author_login, created_at, number);
-- Finds the pull request of a merge commit.
create index pull_request_merge on pull_request (org_id, repository_id, merge_sha) where merge_sha is not null;
create index pull_request_newest on pull_request (org_id, repository_id, status, created_at, number);
-- Repository access of roles with scope `own` depends on pull requests and reviews of the person.
create index pull_request_person on pull_request (org_id, author_person, repository_id);

-- Pushes to the branch of a pull request. time_source `after`: the exact time is unknown, `at` is a lower bound.
create table pull_request_push (
  org_id uuid not null,
  repository_id uuid not null,
  number int not null,
  id uuid not null,
  sha text not null,
  at timestamptz not null,
  time_source text not null check (time_source in ('host', 'after', 'received')),
  pusher uuid,
  entry_id uuid not null,
  primary key (org_id, repository_id, number, id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
revoke update, delete on pull_request_push from sightline_app;

create table review (
  org_id uuid not null,
  repository_id uuid not null,
  number int not null,
  review_id text not null,
  person_id uuid not null,
  login text not null,
  state text not null,
  sha text,
  submitted_at timestamptz not null,
  dismissed_at timestamptz,
  dismissal_time_source text check (dismissal_time_source in ('host', 'received', 'unknown')),
  primary key (org_id, repository_id, number, review_id)
);
create index review_person on review (org_id, person_id, repository_id);

create table commit (
  org_id uuid not null,
  repository_id uuid not null,
  sha text not null,
  author_person uuid not null,
  author_name text not null,
  author_email text not null,
  author_login text,
  authored_at timestamptz not null,
  committer_name text not null,
  committer_email text not null,
  committer_login text,
  committed_at timestamptz not null,
  message text not null,
  branch text not null,
  parents text[],
  trailers jsonb not null default '[]',
  additions int,
  deletions int,
  files jsonb,
  primary key (org_id, repository_id, sha),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index commit_newest on commit (org_id, repository_id, committed_at, sha);
create index commit_without_files on commit (org_id, repository_id, committed_at, sha) where files is null;

create table contributor (
  org_id uuid not null,
  repository_id uuid not null,
  person_id uuid not null,
  name text not null,
  email text not null,
  login text,
  commits int not null,
  last_commit timestamptz not null,
  primary key (org_id, repository_id, person_id)
) with (fillfactor = 70);
create index contributor_latest on contributor (org_id, repository_id, last_commit, person_id);
create index contributor_person on contributor (org_id, person_id);

-- Decisions of owners about two persons with the same name, one row per pair with the lower ID first. Undo deletes the
-- row.
create table contributor_merge (
  org_id uuid not null references organization,
  id uuid not null,
  person_id uuid not null,
  other_id uuid not null,
  decision text not null check (decision in ('merged', 'dismissed')),
  decided_by uuid not null,
  decided_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, person_id, other_id),
  check (person_id < other_id),
  foreign key (org_id, other_id) references person(org_id, id),
  foreign key (org_id, person_id) references person(org_id, id)
);
create index contributor_merge_other on contributor_merge (org_id, other_id);

-- Identities that `.mailmap` of the default branch unites, replaced by every reading. It changes no names and grants no
-- permissions.
create table mailmap_link (
  org_id uuid not null,
  repository_id uuid not null,
  person_id uuid not null,
  same_as uuid not null,
  primary key (org_id, repository_id, person_id, same_as),
  check (same_as <> person_id),
  foreign key (org_id, person_id) references person(org_id, id),
  foreign key (org_id, repository_id) references repository(org_id, id),
  foreign key (org_id, same_as) references person(org_id, id)
);
create index mailmap_link_person on mailmap_link (org_id, person_id);
create index mailmap_link_same on mailmap_link (org_id, same_as);

create table protection_snapshot (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  branch text not null,
  captured_at timestamptz not null,
  trigger text not null check (trigger in ('webhook', 'merge', 'poll')),
  -- None: the host reports no protection. Forbidden: it could not be read completely.
  state text not null check (state in ('read', 'none', 'forbidden')),
  rules jsonb not null,
  -- The previous snapshot with the same rules.
  same_as uuid,
  entry_id uuid not null,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index protection_snapshot_branch on protection_snapshot (org_id, repository_id, branch, captured_at, id);
revoke update, delete on protection_snapshot from sightline_app;

-- An account, team, deploy key or app of a code host.
create table access_holder (
  org_id uuid not null references organization,
  id uuid not null,
  provider text not null,
  kind text not null check (kind in ('person', 'team', 'key', 'app')),
  -- The ID at the host; unknown after the erasure of the person.
  host_id text,
  -- Who the account belongs to, or who added the deploy key.
  person_id uuid,
  name text not null,
  primary key (org_id, id),
  unique (org_id, provider, kind, host_id),
  foreign key (org_id, person_id) references person(org_id, id)
);
create index access_holder_person on access_holder (org_id, person_id);
revoke delete on access_holder from sightline_app;

-- When the access to a repository was read. `parts`: which parts the host reported, as in `AccessPart`.
create table access_reading (
  org_id uuid not null,
  id uuid not null,
  repository_id uuid not null,
  captured_at timestamptz not null,
  trigger text not null check (trigger in ('webhook', 'poll')),
  parts jsonb not null,
  entry_id uuid not null,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
create index access_reading_repository on access_reading (org_id, repository_id, captured_at);
revoke update, delete on access_reading from sightline_app;

-- The access of a holder from a reading on, until its next row.
create table access_change (
  org_id uuid not null,
  repository_id uuid not null,
  holder_id uuid not null,
  at timestamptz not null,
  -- Null: no access any more.
  permission text check (permission in ('read', 'triage', 'write', 'maintain', 'admin')),
  routes text[] not null,
  -- Null: unknown.
  can_bypass boolean,
  entry_id uuid not null,
  primary key (org_id, repository_id, holder_id, at),
  foreign key (org_id, repository_id) references repository(org_id, id),
  foreign key (org_id, holder_id) references access_holder(org_id, id)
);
create index access_change_holder on access_change (org_id, holder_id);
revoke update, delete on access_change from sightline_app;

-- Webhook of GitLab external status checks, one per organization.
create table status_check_hook (
  org_id uuid primary key references organization,
  id uuid not null,
  secret bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index status_check_hook_address on status_check_hook (id);

-- External status checks to answer after each evaluation.
create table status_check_request (
  org_id uuid not null,
  repository_id uuid not null,
  number int not null,
  check_id text not null,
  requested_at timestamptz not null default clock_timestamp(),
  primary key (org_id, repository_id, number, check_id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);

-- Head of a branch when it was first read, so that a missing first push is detected.
create table branch_start (
  org_id uuid not null,
  repository_id uuid not null,
  branch text not null,
  sha text not null,
  primary key (org_id, repository_id, branch),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
revoke update, delete on branch_start from sightline_app;

-- When recording of history began, for organizations that are older.
create table history_start (
  org_id uuid primary key references organization,
  at timestamptz not null default now()
);
revoke insert, update, delete on history_start from sightline_app;

-- Lines of a commit attributed to an agent.
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
  -- The commit that the source names, from which this one was made.
  carried_from text,
  entry_id uuid not null,
  change_id uuid,
  primary key (org_id, id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
-- The change that the commit was attributed in. A commit can be part of several changes, such as a backport.
create index ai_attribution_change on ai_attribution (org_id, change_id, path, id) where change_id is not null;
create index ai_attribution_commit on ai_attribution (org_id, repository_id, commit_sha, id);
revoke update, delete on ai_attribution from sightline_app;

-- Result of reading attribution notes and traces of a change.
create table attribution_reading (
  org_id uuid not null,
  change_id uuid not null,
  source text not null check (source in ('git-ai', 'agent-trace')),
  read_at timestamptz not null default now(),
  records int not null check (records >= 0),
  malformed int not null check (malformed >= 0),
  -- Records that refer to no commit.
  unmatched int not null check (unmatched >= 0),
  -- Records beyond the limit.
  dropped int not null check (dropped >= 0),
  -- Attributed lines that the commit does not add.
  foreign_lines int not null default 0 check (foreign_lines >= 0),
  primary key (org_id, change_id, source)
);

-- Share of the added lines of a commit attributed to agents, by event. Only where both numbers are known.
create table ai_share (
  org_id uuid not null,
  event_id uuid not null,
  share float8 not null check ((share >= (0)::double precision) and (share <= (1)::double precision)),
  primary key (org_id, event_id)
);
revoke delete on ai_share from sightline_app;

-- Pusher of a commit, from webhooks of hosts without a list of pushes. `branch` is a hash of repository and branch name,
-- because a branch name can contain personal data.
create table head_push (
  org_id uuid not null,
  repository_id uuid not null,
  branch uuid not null,
  -- Null if the push created the branch.
  before_sha text,
  sha text not null,
  at timestamptz not null,
  pusher uuid not null,
  entry_id uuid not null,
  primary key (org_id, repository_id, branch, sha, at),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
revoke update, delete on head_push from sightline_app;

-- The openings of names of repositories to which ledger entries commit: SD-JWT disclosures with the salt of the entry.
create table repository_disclosure (
  org_id uuid not null,
  entry_id uuid not null,
  repository_id uuid not null,
  disclosure text not null,
  primary key (org_id, entry_id, repository_id),
  foreign key (org_id, repository_id) references repository(org_id, id)
);
revoke update, delete on repository_disclosure from sightline_app;

-- Connection to an issue tracker. A disconnected one remains without its secrets.
create table tracker (
  org_id uuid not null references organization,
  name text not null check (name in ('jira-cloud', 'jira-data-center', 'linear')),
  status text not null check (status in ('active', 'inactive', 'error')),
  base_url text not null,
  -- The account of the token: its address, if the tracker needs it, and its name there.
  email text,
  account text not null,
  token_end text not null,
  secret bytea,
  -- ID in the webhook URL, which identifies the organization before the signature is verified.
  hook uuid not null,
  hook_secret bytea,
  -- ID of the webhook at the tracker; null if it could not be registered.
  hook_id text,
  previous_hook_secret bytea,
  previous_hook_until timestamptz,
  -- [{key, name, types}]
  projects jsonb not null,
  -- Current problem: code and message.
  problem jsonb,
  -- End of a rate limit.
  limited_until timestamptz,
  checked_at timestamptz,
  last_sync_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, name)
);
create index tracker_connected on tracker (org_id) where status <> 'inactive';
create unique index tracker_hook on tracker (hook);

-- A ticket that a merged pull request references, or that was created here, as last read.
create table ticket (
  org_id uuid not null,
  id uuid not null,
  tracker text not null,
  -- The ID at the tracker, which survives moves.
  external_id text not null,
  key text not null,
  -- The key before the last move.
  former_key text,
  type text,
  status text not null,
  category text not null check (category in ('todo', 'in_progress', 'done')),
  url text not null,
  -- `missing`: deleted, or no longer visible to the connection.
  state text not null check (state in ('present', 'missing')),
  checked_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, tracker) references tracker(org_id, name)
);
create unique index ticket_external on ticket (org_id, tracker, external_id);
create index ticket_checked on ticket (org_id, tracker, checked_at);

-- A ticket that a member requested.
create table ticket_request (
  org_id uuid not null,
  id uuid not null,
  tracker text not null,
  project text not null,
  type text,
  title text not null,
  text text not null,
  state text not null check (state in ('pending', 'created', 'failed')),
  -- Attempts that may have created it.
  attempts int not null default 0,
  -- Why it could not be created, or its status not be changed.
  problem text,
  ticket_id uuid,
  -- Whether its subjects and the ticket were open or done when they were last compared. Only a change since then is
  -- transferred to the other side.
  local_state text not null default 'open' check (local_state in ('open', 'done')),
  remote_state text not null default 'open' check (remote_state in ('open', 'done')),
  requested_by uuid not null,
  requested_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, tracker) references tracker(org_id, name),
  foreign key (org_id, ticket_id) references ticket(org_id, id)
);
create index ticket_request_pending on ticket_request (org_id, tracker, requested_at) where state = 'pending';
create index ticket_request_ticket on ticket_request (org_id, ticket_id) where ticket_id is not null;

-- What a requested ticket is about: a finding, or a failing item of a control with its remediation.
create table ticket_link (
  org_id uuid not null,
  kind text not null check (kind in ('finding', 'remediation')),
  subject_id uuid not null,
  request_id uuid not null,
  primary key (org_id, kind, subject_id),
  foreign key (org_id, request_id) references ticket_request(org_id, id)
);
create index ticket_link_request on ticket_link (org_id, request_id);

alter table access_key add foreign key (org_id, repository_id) references repository(org_id, id);

call isolate_by_organization(
  'code_host_grant', 'installation', 'install_state', 'repository', 'code_host_hook', 'repository_import',
  'import_gap', 'repository_reconcile', 'webhook_delivery', 'pull_request', 'pull_request_push', 'review', 'commit',
  'contributor', 'contributor_merge', 'mailmap_link', 'protection_snapshot', 'access_holder',
  'access_reading', 'access_change', 'status_check_hook',
  'status_check_request', 'branch_start', 'history_start', 'ai_attribution', 'attribution_reading', 'ai_share',
  'head_push', 'repository_disclosure', 'tracker', 'ticket', 'ticket_request', 'ticket_link'
);
-- Finds the organization of a webhook, and organizations with a tracker.
create policy lookup on tracker for select to sightline_lookup using (true);
grant select (org_id, status, hook) on tracker to sightline_lookup;
create policy lookup on code_host_grant for select to sightline_lookup using (true);
grant select (failure, ended_at) on code_host_grant to sightline_lookup;
-- Finds the organization of a webhook.
create policy lookup on installation for select to sightline_lookup using (true);
grant select (org_id, provider, installation_id, deleted_at) on installation to sightline_lookup;
-- For the jobs that read enabled repositories. IDs only.
create policy lookup on repository for select to sightline_lookup using (true);
grant select (org_id, id, provider, tracked, removed_at) on repository to sightline_lookup;
-- Finds the organization of a webhook.
create policy lookup on code_host_hook for select to sightline_lookup using (true);
grant select (org_id, id) on code_host_hook to sightline_lookup;
create policy lookup on repository_import for select to sightline_lookup using (true);
grant select (
  org_id, repository_id, state, error, attempts, waiting_until, updated_at
) on repository_import to sightline_lookup;
-- Finds organizations with work to resume at startup.
create policy lookup on webhook_delivery for select to sightline_lookup using (true);
grant select (
  org_id, delivery_id, event, received_at, processed_at, body_deleted_at, error
) on webhook_delivery to sightline_lookup;
-- Finds the organization of an external status check.
create policy lookup on status_check_hook for select to sightline_lookup using (true);
grant select (org_id, id) on status_check_hook to sightline_lookup;

-- Marks deliveries as processed. One lookup by the key each: while the statistics of a growing table are outdated, a join
-- reads all deliveries of the organization instead.
create function finish_deliveries(org uuid, providers text[], ids text[], times timestamptz[], errors text[])
  returns void language plpgsql as $$
begin
  for i in 1 .. cardinality(ids) loop
    update webhook_delivery set processed_at = times[i], error = errors[i]
    where org_id = org and provider = providers[i] and delivery_id = ids[i];
  end loop;
end
$$;

create function imports_by_state() returns table(state text, imports bigint) language sql stable security definer
  set search_path = public as $$
  select state, count(*) from repository_import group by state
$$;

-- Omits webhooks of a GitHub installation that no organization has connected: no job processes them, and they are deleted
-- with the bodies of the others.
create function installation_backlog()
  returns table(ledger_entries bigint, ledger_seconds float8, unsigned_ledgers bigint, unsigned_seconds float8, halted_ledgers bigint, search_events bigint, clickhouse_batches bigint, webhooks bigint, webhook_seconds float8, refused_code_hosts bigint) language sql stable security definer
  set search_path = public as $$
    select ledger.entries, ledger.seconds, logs.unsigned, logs.unsigned_seconds, logs.halted, search.events, copies.batches, hooks.waiting, hooks.seconds,
      grants.refused
    from
      (select count(*) as entries, coalesce(extract(epoch from clock_timestamp() - min(queued_at)), 0)::double precision as seconds
        from (select queued_at from ledger_pending limit 100000) few) ledger,
      (select count(*) filter (where size > signed_size) as unsigned,
          coalesce(extract(epoch from clock_timestamp() - min(coalesce(signed_at, to_timestamp(0))) filter (where size > signed_size)), 0)::double precision
            as unsigned_seconds,
          count(*) filter (where halt_reason is not null) as halted
        from ledger_log where closed_at is null) logs,
      (select coalesce(sum(events), 0)::bigint as events from (select events from posting_pending limit 100000) few) search,
      (select count(*) as batches from (select from event_copy_pending limit 100000) few) copies,
      (select count(*) as waiting, coalesce(extract(epoch from clock_timestamp() - min(received_at)), 0)::double precision as seconds
        from (select received_at from webhook_delivery
          where processed_at is null and org_id > '00000000-0000-0000-0000-000000000000' limit 100000) few) hooks,
      (select count(*) as refused from code_host_grant where ended_at is null and failure is not null) grants
$$;

create function keep_avatar_erased() returns trigger language plpgsql as $$
begin
  if exists (select from person p where p.org_id = new.org_id and p.id = new.author_person and p.erased_at is not null) then
    new.author_avatar := null;
  end if;
  return new;
end
$$;
create trigger keep_avatar_erased before update on pull_request
  for each row when (old.author_avatar is null and new.author_avatar is not null) execute function keep_avatar_erased();

create function add_committers() returns trigger language plpgsql as $$
begin
  -- Nearly all batches contain only known people.
  if exists (select from fresh) then
    insert into committer (org_id, person_id, name, email, login, uninvited)
    select distinct on (c.org_id, c.person_id) c.org_id, c.person_id, c.name, c.email, c.login,
      is_uninvited(c.org_id, c.person_id)
    from fresh c join repository r on r.org_id = c.org_id and r.id = c.repository_id and r.tracked
    where not is_bot(c.name, c.email, c.login)
    order by c.org_id, c.person_id, c.last_commit desc
    on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger add_committers after insert on contributor referencing new table as fresh
  for each statement when (not is_importing()) execute function add_committers();

create function add_committers_of_repository() returns trigger language plpgsql as $$
begin
  if new.tracked then
    insert into committer (org_id, person_id, name, email, login, uninvited)
    select c.org_id, c.person_id, c.name, c.email, c.login, is_uninvited(c.org_id, c.person_id) from contributor c
    where c.org_id = new.org_id and c.repository_id = new.id and not is_bot(c.name, c.email, c.login)
    order by c.person_id
    on conflict do nothing;
  else
    delete from committer k
    where k.org_id = new.org_id
      and exists (select from contributor c where c.org_id = k.org_id and c.repository_id = new.id and c.person_id = k.person_id)
      and not exists (
        select from contributor c join repository r on r.org_id = c.org_id and r.id = c.repository_id and r.tracked
        where c.org_id = k.org_id and c.person_id = k.person_id);
  end if;
  return null;
end
$$;
create trigger add_committers_of_repository after update of tracked on repository
  for each row when (old.tracked is distinct from new.tracked) execute function add_committers_of_repository();

create function org_of_host_hook(hook uuid) returns uuid language sql stable security definer
  set search_path = public as $$
  select org_id from code_host_hook where id = hook
$$;

create function org_of_installation(host text, id text) returns uuid language sql stable security definer
  set search_path = public as $$
  select org_id from installation where provider = host and installation_id = id and deleted_at is null
$$;

create function org_of_status_check(hook uuid) returns uuid language sql stable security definer
  set search_path = public as $$
  select org_id from status_check_hook where id = hook
$$;

create function org_of_tracker_hook(id uuid) returns uuid language sql stable security definer
  set search_path = public as $$
  select org_id from tracker where hook = id and status <> 'inactive'
$$;

create function orgs_archived_with_webhooks(before timestamptz) returns setof uuid language sql stable security definer
  set search_path = public as $$
    select w.org_id from (select distinct org_id from webhook_delivery where processed_at is null) w
    cross join lateral (select from organization o where o.id = w.org_id and o.archived_at < before offset 0) o
$$;

create function orgs_with_enabled_repositories(host text) returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from repository where provider = host and tracked and removed_at is null
$$;

-- Finds organizations with installations of a host.
create function orgs_with_installations(host text) returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from installation where provider = host and deleted_at is null
$$;

create function orgs_with_old_webhooks(before timestamptz) returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from webhook_delivery where processed_at < before and body_deleted_at is null
$$;

create function orgs_with_trackers() returns setof uuid language sql stable security definer
  set search_path = public as $$
  select distinct org_id from tracker where status <> 'inactive'
$$;

create function orgs_with_unfinished_work() returns setof uuid language sql stable security definer
  set search_path = public as $$
    select org_id from webhook_delivery where processed_at is null
    union
    select org_id from repository_import where state in ('queued', 'running', 'rate_limited')
    union
    select org_id from posting_pending
    union
    select org_id from event_reindex
$$;

call open_lookup(
  'imports_by_state()', 'installation_backlog()', 'org_of_host_hook(uuid)', 'org_of_installation(text, text)',
  'org_of_status_check(uuid)', 'org_of_tracker_hook(uuid)', 'orgs_archived_with_webhooks(timestamp with time zone)',
  'orgs_with_enabled_repositories(text)', 'orgs_with_installations(text)',
  'orgs_with_old_webhooks(timestamp with time zone)', 'orgs_with_trackers()',
  'orgs_with_unfinished_work()'
);
