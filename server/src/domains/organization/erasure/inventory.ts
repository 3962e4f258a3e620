/** What an erasure does to the columns of a table that can hold text, their names one after the other. */
interface Fates {
  /** The names of the person are taken out of it, whoever's row it is. */
  searched?: string;
  /** Rows of the person are deleted, or this is emptied in them. */
  own?: string;
  /** Left as it is: it says nothing of a person. */
  stays?: string;
  /** Where that is not plain. */
  because?: string;
}

const proven = 'It holds ids alone and is proved by an entry of the ledger.';
const codes = 'What files, branches and places are called belongs to the code.';
const sums = 'Counts.';

/**
 * Every column that can hold text, JSON or bytes, of every table, and what an erasure does to it. The search goes through what is
 * named `searched` here, and a test through the catalogue of the database: a column that is missing here fails it.
 */
export const inventory: Readonly<Record<string, Fates>> = {
  access_key: { searched: 'name', stays: 'use hash key_end' },
  access_review_decision: { stays: 'role_id decision', because: proven },
  access_review_line: { stays: 'role_id', because: proven },
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
  ai_attribution: { stays: 'commit_sha path agent model session source confidence', because: proven },
  alert_reading: { searched: 'message', stays: 'source state' },
  analysis: { stays: 'source tool category ref', because: codes },
  anchor: { searched: 'party settings', stays: 'kind secret_sealed' },
  anchor_address: { searched: 'address', stays: 'token_hash' },
  anchor_attempt: { searched: 'says', stays: 'outcome' },
  attempt: { own: 'key' },
  attribution_reading: { stays: 'source' },
  audit_stream: { searched: 'name settings', stays: 'kind secret_sealed previous_secret_sealed failure' },
  audit_event: {
    searched: 'personal',
    own: 'address',
    stays: 'actor_kind actor_id action subject_kind subject_id data request_id',
    because: 'The entry in the ledger says the same; `data` holds nothing personal (core/audit.ts).',
  },
  auditor_request: { searched: 'text answer', stays: 'control_id' },
  auditor_room: { searched: 'name auditor_name auditor_email', stays: 'redaction token_hash mailed_hash' },
  auditor_visit: { stays: 'hash' },
  branch_push: {
    stays: 'branch before_sha after_sha at_known forced whole commits source',
    because: proven,
  },
  branch_start: { stays: 'branch sha', because: proven },
  change_due: { stays: 'because' },
  change_record: {
    stays: 'branch via merge_sha head_sha parts sources missing approval because',
    because: proven,
  },
  code_host_grant: {
    searched: 'login display failure missing',
    stays: 'provider base_url kind secret refresh scopes',
  },
  code_host_hook: { searched: 'failure', stays: 'host_hook_id secret previous_secret' },
  commit: {
    searched: 'author_name author_email author_login committer_name committer_email committer_login message trailers',
    stays: 'sha branch parents files',
    because: codes,
  },
  commit_digest: { stays: 'body body_sha256 counts state', because: proven },
  commit_digest_review: { searched: 'note', stays: 'decision body_sha256 items' },
  committer: { own: 'name email login search' },
  context: { searched: 'filters' },
  contributor: { own: 'name email login' },
  contributor_merge: { stays: 'decision', because: 'It holds ids alone, and is deleted with either person.' },
  control_exception: { searched: 'reason decided_comment', stays: 'control_id subject decision' },
  control_row: { stays: 'subject verdict reasons', because: proven },
  control_run: {
    stays: 'control_id catalogue_version status completeness seed reasons rows_sha256',
    because: proven,
  },
  control_setting: { stays: 'control_id setting' },
  control_task: { searched: 'failure', stays: 'control_id state' },
  erasure: { searched: 'reason', own: 'names_sealed', stays: 'basis state' },
  event: { searched: 'summary detail', stays: 'kind source leaf_hash' },
  event_hour_kind: { stays: 'kind', because: sums },
  explore_view: { searched: 'name query' },
  exporter: { searched: 'name settings', stays: 'kind secret_sealed' },
  exporter_delivery: { searched: 'problem', stays: 'state' },
  exporter_exchange: { searched: 'request answer failure' },
  exporter_item: { searched: 'label says', stays: 'key state' },
  extension_code: { own: 'hash side type device challenge' },
  extension_grant: { own: 'side type device version hash' },
  extension_session: { own: 'side type version branch' },
  feature_flag: { stays: 'name' },
  finding: {
    searched: 'introduced',
    stays: 'category tools data_source status ref path commit_sha codes lane decided',
    because: codes,
  },
  finding_change: { stays: 'ref was state commit_sha', because: codes },
  finding_count: { stays: 'status category tools lane', because: sums },
  finding_day: { stays: 'category tools', because: sums },
  finding_decision: { searched: 'comment other', stays: 'kind reason' },
  finding_detail: { searched: 'detail' },
  finding_discovered: { stays: 'status lane', because: sums },
  finding_exception: { searched: 'comment decided_comment', stays: 'state' },
  finding_instance: { searched: 'suppressed native', stays: 'ref state path commit_sha', because: codes },
  finding_lane_count: { stays: 'status lane', because: sums },
  finding_lane_day: { stays: 'lane', because: sums },
  finding_merged: { searched: 'introduced' },
  finding_repository_count: { stays: 'status lane', because: sums },
  finding_source: {
    searched: 'explanation',
    stays: 'tool rule_id rule_name category codes package reason',
    because: 'What a scanner calls its rules.',
  },
  finding_text: { searched: 'description links' },
  finding_title: { stays: 'title search', because: 'What a scanner calls its rules.' },
  finding_title_count: { stays: 'status lane', because: sums },
  finding_tool: { stays: 'tool name' },
  flag_usage: { stays: 'name' },
  forgotten_event: { stays: 'leaf_hash' },
  github_app: { stays: 'app_id settings', because: 'The app of the installation, sealed.' },
  identity: { own: 'kind value display picture source confidence host_id' },
  install_state: { own: 'nonce_hash provider redirect_path installation_id verifier' },
  head_push: { stays: 'sha', because: proven },
  installation: {
    stays: 'provider installation_id account_login html_url permissions',
    because: 'The account on the code host that repositories belong to: part of their names.',
  },
  integration: {
    searched: 'problem sync_error',
    stays: 'name status settings secret hook_secret previous_hook_secret hook_id sync_state',
  },
  invitation: { own: 'email role_id token_hash' },
  ledger_anchor: { stays: 'kind party token', because: proven },
  ledger_checkpoint: { stays: 'root note' },
  ledger_day: { stays: 'self_check' },
  ledger_entry: {
    stays: 'leaf_hash kind entry',
    because: 'Of people it holds commitments alone, which nobody can open once the key is gone.',
  },
  ledger_log: { stays: 'origin root halted_because' },
  ledger_pending: { stays: 'kind entry leaf_hash', because: 'As ledger_entry.' },
  ledger_tile: { stays: 'hashes' },
  mail: { own: 'recipient subject body_text body_html' },
  member: { own: 'role_id status status_before_archive' },
  member_change: { stays: 'role_id status', because: proven },
  migration: { stays: 'name sha256 minimum_release' },
  missing_classes_allowed: { stays: 'tool' },
  notification: {
    searched: 'title titles body link actor subject',
    stays: 'type icon reason scope_key status',
  },
  notification_default: { stays: 'role_id matrix cadence' },
  notification_pending: { searched: 'news' },
  notification_setting: { own: 'matrix cadence timezone' },
  oidc_key: { stays: 'kid secret' },
  oidc_payload: { own: 'model id payload grant_id uid user_code' },
  operator_code: { stays: 'hash purpose' },
  operator_entry: {
    stays: 'operator action subject_kind subject_id data',
    because: 'What operators did to the installation; they name accounts by their ids.',
  },
  organization: {
    stays: 'name slug display_name description logo_url allowed_networks sso_connection',
    because: 'What the organization says of itself.',
  },
  organization_domain: { stays: 'domain token verified_by' },
  organization_flag: { stays: 'name' },
  organization_outbound_allowance: { stays: 'purpose destination' },
  outbound_allowance: { stays: 'purpose destination' },
  outgoing_attempt: { searched: 'answer failure' },
  outgoing_delivery: { searched: 'body', stays: 'type status' },
  outgoing_webhook: { searched: 'description', stays: 'url types secret_sealed previous_secret_sealed' },
  person_key: { own: 'key' },
  person_kind: { stays: 'kind source' },
  policy: { searched: 'name', stays: 'kind scope settings mode' },
  policy_comment: { stays: 'comment_id body_sha256', because: 'What it says names nobody.' },
  policy_dry_run: { stays: 'tried result', because: sums },
  policy_refusal: { stays: 'what' },
  policy_told: { stays: 'control_id subject', because: proven },
  posting_name: { own: 'field value' },
  posting_pending: { own: 'names' },
  presence_change: { stays: 'side reason', because: proven },
  presence_side: { stays: 'side' },
  protection_snapshot: { stays: 'branch trigger state rules', because: proven },
  pull_request: {
    searched: 'title author_login author_avatar closed_by_login head_ref',
    stays: 'status base_ref head_sha merge_sha url labels',
    because: codes,
  },
  pull_request_push: { stays: 'sha at_known', because: proven },
  reached_commit: { stays: 'branch sha came_by', because: proven },
  repository: {
    stays: 'provider provider_repo_id installation_id owner name full_name default_branch html_url',
    because: codes,
  },
  import_gap: { searched: 'reason', stays: 'kind item' },
  repository_import: { searched: 'error', stays: 'state phase cursor' },
  repository_reconcile: { searched: 'failure' },
  review: { searched: 'login', stays: 'review_id state sha dismissed_known' },
  scan: {
    searched: 'rejected error incomplete',
    stays: 'source tool tool_name tool_version category ref commit_sha native_id state counts actor_kind actor_id',
    because: codes,
  },
  scan_latest: { stays: 'tool source category state' },
  scan_result: {
    stays: 'rule_id rule_name title category codes package state suppressed path commit_sha native detail',
    because: 'Gone with the end of the scan, within minutes.',
  },
  scan_text: { stays: 'description links', because: 'Gone with the end of the scan, within minutes.' },
  scan_upload: { stays: 'request', because: 'Sealed, and deleted with the end of the import.' },
  scan_upload_piece: { stays: 'bytes', because: 'As scan_upload.' },
  scanner_branch: { stays: 'integration native_id branch scan_id', because: codes },
  scanner_project: {
    stays: 'integration native_id name repo_url imported_name main_branch matched_by',
    because: codes,
  },
  scanner_state_change: { stays: 'source state', because: proven },
  signing_key: { stays: 'key_id vkey secret' },
  snapshot: {
    stays: 'name controls redaction state problem results frozen manifest signature bundle_sha256',
    because: 'Signed as it is. What it discloses was handed out, and stays with whoever has it.',
  },
  snapshot_report: { stays: 'redaction pdf', because: 'It is drawn without names and titles.' },
  socket_io_attachments: {
    stays: 'payload',
    because: 'News on its way between processes: ids alone, for some seconds.',
  },
  status_check_asked: { stays: 'check_id' },
  status_check_hook: { stays: 'secret' },
  tool: { stays: 'tab id name vendor icon kind categories version sources' },
  tool_detection: {
    searched: 'text added_by',
    stays: 'tool_id source path version commit_sha confidence',
    because: codes,
  },
  tool_person: { stays: 'tab tool_id source program version' },
  tool_repository: { stays: 'tab tool_id source' },
  tool_scan: { searched: 'error', stays: 'state commit_sha files', because: codes },
  tool_sighting: { stays: 'tool_id holder version', because: proven },
  webhook_delivery: { own: 'body packed', stays: 'provider delivery_id event error sha256' },
};

const columns = (given: string | undefined): string[] => given?.split(' ') ?? [];

/** The columns of a table that are searched. */
export const searchedIn = (table: string): string[] => columns(inventory[table]?.searched);

/** Every column that is named, as `table.column`. */
export const inventoried = (): string[] =>
  Object.entries(inventory).flatMap(([table, { searched, own, stays }]) =>
    [...columns(searched), ...columns(own), ...columns(stays)].map((column) => `${table}.${column}`),
  );
