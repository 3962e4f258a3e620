/** The effects of an erasure on the text columns of a table; each value lists column names, separated by spaces. */
interface ColumnEffects {
  /** The names of the person are removed from all rows. */
  searched?: string;
  /** Rows of the person are deleted, or these columns cleared in them. */
  own?: string;
  /** Unchanged: contains no personal data. */
  stays?: string;
  /** The reason, if it is not obvious. */
  reason?: string;
}

const provenIds = 'Contains only IDs and is proven by a ledger entry.';
const codeNames = 'Names of files, branches and repositories belong to the code.';
const counts = 'Counts.';

/**
 * All columns that can contain text, JSON or bytes, with the effect of an erasure. The search covers the columns under
 * `searched`. A test compares the list with the database catalog and fails if a column is missing.
 */
export const erasureInventory: Readonly<Record<string, ColumnEffects>> = {
  access_change: { stays: 'permission routes', reason: provenIds },
  access_holder: { own: 'host_id name', stays: 'provider kind' },
  access_key: { searched: 'name', stays: 'use hash key_end' },
  access_reading: { stays: 'trigger parts', reason: provenIds },
  access_review_decision: { stays: 'role_id decision', reason: provenIds },
  access_review_host_decision: { stays: 'decision', reason: provenIds },
  access_review_host_item: { stays: 'permission', reason: provenIds },
  access_review_item: { stays: 'role_id', reason: provenIds },
  account: { own: 'email name picture github_login github_name description search' },
  account_audit: { own: 'action data personal request_id address' },
  account_flag: { own: 'name' },
  account_identity: { own: 'connection subject provider profile' },
  account_identity_email: { own: 'connection subject email' },
  account_passkey: { own: 'name credential_id public_key transports' },
  account_password: { own: 'hash' },
  account_recovery_code: { own: 'hash' },
  account_session: { own: 'uid user_agent address connection subject' },
  account_totp: { own: 'secret' },
  ai_attribution: { stays: 'commit_sha path agent model session source confidence', reason: provenIds },
  alert_reading: { searched: 'message', stays: 'source state' },
  analysis: { stays: 'source tool category ref', reason: codeNames },
  anchor: { searched: 'party settings', stays: 'kind secret_sealed' },
  anchor_address: { searched: 'address', stays: 'token_hash' },
  anchor_attempt: { searched: 'message', stays: 'outcome' },
  attempt: { own: 'key' },
  attribution_reading: { stays: 'source' },
  audit_stream: { searched: 'name settings', stays: 'kind secret_sealed previous_secret_sealed failure' },
  audit_event: {
    searched: 'personal',
    own: 'address',
    stays: 'actor_kind actor_id action subject_kind subject_id data request_id',
    reason: 'The ledger entry contains the same; `data` contains no personal data (core/audit.ts).',
  },
  evidence_request: { searched: 'text answer', stays: 'control_id' },
  auditor_portal: { searched: 'name auditor_name auditor_email', stays: 'redaction token_hash mailed_hash' },
  auditor_portal_session: { stays: 'hash' },
  branch_push: {
    stays: 'branch before_sha after_sha time_source forced completeness commits source activity',
    reason: provenIds,
  },
  branch_start: { stays: 'branch sha', reason: provenIds },
  change_task: { stays: 'cause' },
  change_record: {
    stays: 'branch merge_method merge_sha head_sha parts sources missing approval cause',
    reason: provenIds,
  },
  code_host_grant: {
    searched: 'login display failure missing',
    stays: 'provider base_url kind secret refresh scopes',
  },
  code_host_hook: { searched: 'failure', stays: 'host_hook_id secret previous_secret' },
  commit: {
    searched: 'author_name author_email author_login committer_name committer_email committer_login message trailers',
    stays: 'sha branch parents files',
    reason: codeNames,
  },
  commit_digest: { stays: 'body body_sha256 counts state', reason: provenIds },
  commit_digest_review: { searched: 'note', stays: 'decision body_sha256 items' },
  committer: { own: 'name email login search' },
  context: { searched: 'filters' },
  contributor: { own: 'name email login' },
  contributor_merge: { stays: 'decision', reason: 'Contains only IDs and is deleted with either person.' },
  control_waiver: { searched: 'reason decided_comment', stays: 'control_id subject decision' },
  control_row: { stays: 'subject verdict reasons', reason: provenIds },
  control_run: {
    stays: 'control_id catalog_version status completeness exclusions weakenings seed reasons rows_sha256',
    reason: provenIds,
  },
  remediation: { stays: 'control_id subject reasons', reason: provenIds },
  remediation_change: { searched: 'notes', stays: 'ticket_url' },
  remediation_retest: { searched: 'notes', stays: 'result' },
  control_setting: { stays: 'control_id setting' },
  control_task: { searched: 'failure', stays: 'control_id state' },
  erasure: { searched: 'reason', own: 'names_sealed', stays: 'basis state' },
  event: { searched: 'summary detail', stays: 'kind source leaf_hash' },
  event_hour_kind: { stays: 'kind', reason: counts },
  evidence_destination: { searched: 'name settings', stays: 'kind secret_sealed' },
  evidence_delivery: { searched: 'problem', stays: 'state' },
  evidence_exchange: { searched: 'request response failure' },
  evidence_delivery_item: { searched: 'label message', stays: 'key state' },
  extension_code: { own: 'hash side type device challenge' },
  extension_grant: { own: 'side type device version hash' },
  extension_session: { own: 'side type version branch' },
  feature_flag: { stays: 'name' },
  framework: { searched: 'name source', stays: 'requirements document_sha256' },
  framework_approval: { stays: 'framework_id sha256', reason: provenIds },
  framework_mapping: { searched: 'mappings', stays: 'sha256', reason: provenIds },
  framework_requirement: { searched: 'notes', stays: 'framework_id requirement_id' },
  finding: {
    searched: 'introduced ticket_url',
    stays: 'category tools data_source status ref path commit_sha codes lane decided component',
    reason: codeNames,
  },
  finding_change: { stays: 'ref was state commit_sha', reason: codeNames },
  finding_count: { stays: 'status category tools lane', reason: counts },
  finding_day: { stays: 'category tools', reason: counts },
  finding_decision: { searched: 'comment other', stays: 'kind reason' },
  finding_detail: { searched: 'detail' },
  finding_discovered: { stays: 'status lane', reason: counts },
  finding_label: { stays: 'label', reason: 'Labels are words of the organization, not of a person.' },
  finding_waiver: { searched: 'reason decided_comment', stays: 'state' },
  finding_instance: { searched: 'suppressed scanner_reference', stays: 'ref state path commit_sha', reason: codeNames },
  finding_lane_count: { stays: 'status lane', reason: counts },
  finding_lane_day: { stays: 'lane', reason: counts },
  finding_merged: { searched: 'introduced' },
  finding_repository_count: { stays: 'status lane', reason: counts },
  finding_source: {
    searched: 'explanation',
    stays: 'tool rule_id rule_name category codes package reason',
    reason: 'Rule names of a scanner.',
  },
  finding_state: {
    searched: 'ticket_url',
    stays: 'status category tools data_source ref path codes component labels waiver_state',
    reason: codeNames,
  },
  finding_text: { searched: 'description links' },
  finding_title: { stays: 'title search', reason: 'Rule names of a scanner.' },
  finding_title_count: { stays: 'status lane', reason: counts },
  finding_tool: { stays: 'tool name' },
  flag_usage: { stays: 'name' },
  forgotten_event: { stays: 'leaf_hash' },
  github_app: { stays: 'app_id settings', reason: 'The sealed app of the installation.' },
  identity: { own: 'kind value display picture source confidence host_id' },
  install_state: { own: 'nonce_hash provider redirect_path installation_id verifier' },
  head_push: { stays: 'before_sha sha', reason: provenIds },
  installation: {
    stays: 'provider installation_id account_login html_url permissions',
    reason: 'The code host account of repositories, which is part of their names.',
  },
  integration: {
    searched: 'problem sync_error',
    stays: 'name status settings secret hook_secret previous_hook_secret hook_id sync_state',
  },
  invitation: { own: 'email role_id token_hash' },
  ledger_receipt: { stays: 'kind party token', reason: provenIds },
  ledger_checkpoint: { stays: 'root note' },
  ledger_day: { stays: 'self_check' },
  ledger_entry: {
    stays: 'leaf_hash kind entry',
    reason: 'Contains only commitments about people, which are unreadable after the key is deleted.',
  },
  ledger_log: { stays: 'origin root halt_reason' },
  ledger_pending: { stays: 'kind entry leaf_hash', reason: 'As ledger_entry.' },
  ledger_tile: { stays: 'hashes' },
  mail: { own: 'recipient subject body_text body_html' },
  member: { own: 'role_id status status_before_archive' },
  member_change: { stays: 'role_id status', reason: provenIds },
  migration: { stays: 'name sha256 minimum_release' },
  missing_classes_allowed: { stays: 'tool' },
  notification: {
    searched: 'title titles body link actor subject',
    stays: 'type icon reason scope_key status',
  },
  notification_default: { stays: 'role_id matrix cadence' },
  notification_pending: { searched: 'notification' },
  notification_setting: { own: 'matrix cadence timezone' },
  oidc_key: { stays: 'kid secret' },
  oidc_payload: { own: 'model id payload grant_id uid user_code' },
  operator_code: { stays: 'hash purpose' },
  operator_entry: {
    stays: 'operator action subject_kind subject_id data',
    reason: 'Changes by operators, which reference accounts by ID.',
  },
  organization: {
    stays: 'name slug display_name description logo_url allowed_networks sso_connection',
    reason: 'The profile of the organization.',
  },
  organization_domain: { stays: 'domain token verified_by' },
  organization_flag: { stays: 'name' },
  organization_outbound_allowance: { stays: 'purpose destination' },
  outbound_allowance: { stays: 'purpose destination' },
  outgoing_attempt: { searched: 'response failure' },
  outgoing_delivery: { searched: 'body', stays: 'type status' },
  outgoing_webhook: { searched: 'description', stays: 'url types secret_sealed previous_secret_sealed' },
  person_key: { own: 'key' },
  person_kind: { stays: 'kind source' },
  policy: { searched: 'name', stays: 'kind scope settings mode' },
  policy_change: { searched: 'name reason', stays: 'action proposed weakened decision' },
  policy_comment: { stays: 'comment_id body_sha256', reason: 'The comment contains no names.' },
  policy_dry_run: { stays: 'settings_hash result', reason: counts },
  policy_refusal: { stays: 'what' },
  policy_notification: { stays: 'control_id subject', reason: provenIds },
  posting_name: { own: 'field value' },
  posting_pending: { own: 'names' },
  presence_change: { stays: 'side reason', reason: provenIds },
  presence_side: { stays: 'side' },
  protection_snapshot: { stays: 'branch trigger state rules', reason: provenIds },
  pull_request: {
    searched: 'title author_login author_avatar closed_by_login head_ref',
    stays: 'status base_ref head_sha merge_sha url labels',
    reason: codeNames,
  },
  pull_request_push: { stays: 'sha time_source', reason: provenIds },
  reached_commit: { stays: 'branch sha reached_by', reason: provenIds },
  repository: {
    stays: 'provider provider_repo_id installation_id owner name full_name default_branch html_url',
    reason: codeNames,
  },
  import_gap: { searched: 'reason', stays: 'kind item' },
  repository_import: { searched: 'error', stays: 'state phase cursor' },
  repository_reconcile: { searched: 'failure' },
  review: { searched: 'login', stays: 'review_id state sha dismissal_time_source' },
  saved_view: { searched: 'name query', stays: 'list' },
  scan: {
    searched: 'rejected error incomplete',
    stays: 'source tool tool_name tool_version category ref commit_sha external_id state counts actor_kind actor_id',
    reason: codeNames,
  },
  scan_latest: { stays: 'tool source category state' },
  scan_result: {
    stays: 'rule_id rule_name title category codes package state suppressed path commit_sha scanner_reference detail',
    reason: 'Deleted at the end of the scan, within minutes.',
  },
  scan_text: { stays: 'description links', reason: 'Deleted at the end of the scan, within minutes.' },
  scan_upload: { stays: 'request', reason: 'Sealed, and deleted at the end of the import.' },
  scan_upload_piece: { stays: 'bytes', reason: 'As scan_upload.' },
  scanner_branch: { stays: 'integration external_id branch scan_id', reason: codeNames },
  scanner_project: {
    stays: 'integration external_id name repo_url imported_name main_branch matched_by',
    reason: codeNames,
  },
  scanner_state_change: { stays: 'source state', reason: provenIds },
  signing_key: { stays: 'key_id vkey secret' },
  snapshot: {
    stays: 'name controls redaction state problem results sealed captured manifest signature bundle_sha256',
    reason: 'Signed and therefore unchangeable. Its disclosures were already handed to recipients.',
  },
  snapshot_report: { stays: 'pdf', reason: 'Rendered without names and titles.' },
  socket_io_attachments: {
    stays: 'payload',
    reason: 'Change notices in transit between processes: only IDs, for seconds.',
  },
  status_check_request: { stays: 'check_id' },
  status_check_hook: { stays: 'secret' },
  tool: { stays: 'tab id name vendor icon kind categories version sources' },
  tool_detection: {
    searched: 'text added_by',
    stays: 'tool_id source path version commit_sha confidence',
    reason: codeNames,
  },
  tool_person: { stays: 'tab tool_id source program version' },
  tool_repository: { stays: 'tab tool_id source' },
  tool_scan: { searched: 'error', stays: 'state commit_sha files', reason: codeNames },
  tool_sighting: { stays: 'tab tool_id holder version', reason: provenIds },
  webhook_delivery: { own: 'body packed', stays: 'provider delivery_id event error sha256' },
};

const columns = (list: string | undefined): string[] => list?.split(' ') ?? [];

/** The searched columns of a table. */
export const searchedColumnsOf = (table: string): string[] => columns(erasureInventory[table]?.searched);

/** All listed columns, as `table.column`. */
export const inventoriedColumns = (): string[] =>
  Object.entries(erasureInventory).flatMap(([table, { searched, own, stays }]) =>
    [...columns(searched), ...columns(own), ...columns(stays)].map((column) => `${table}.${column}`),
  );
