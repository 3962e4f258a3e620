import type pg from 'pg';

/** The number of other organizations. A statement inserts few or many rows in each organization. */
const others = 1000;
const each = (few: number, many: number) =>
  `orgs cross join lateral generate_series(1, case when o = 0 then ${many} else ${few} end) as n`;

const repository = `md5('repository ' || o || ' ' || ((n % case when o = 0 then 100 else 2 end) + 1))::uuid`;
const person = `md5('person ' || o || ' ' || (n % 100))::uuid`;
const at = `timestamptz '2026-01-01' + make_interval(mins => n)`;

const parts = `array['headSha', 'authors', 'lastPusher', 'earlierPushers', 'unattestedCommits', 'lastPushAt', 'sessionOwners', 'reviews', 'unreviewedFiles', 'hostActivity', 'mergedBy', 'mergeRequestedBy', 'checks',
  'requiredChecks', 'sourceBranch', 'labels', 'tickets', 'namedTickets', 'linkedIssues', 'ai', 'agents', 'pathMatches', 'changedLines', 'configuredServers']`;

// Every table that grows, with its columns without a default.
const statements = [
  `insert into account (id, email, name, email_verified_at)
   select md5('account ' || o || ' ' || n)::uuid, 'p' || n || '@o' || o || '.example', 'Person ' || n, now() from ${each(20, 50)}`,
  `insert into organization_domain (org_id, domain, token, verified_by, verified_at)
   select id, 'o' || o || '-' || n || '.example', 'token', 'dns', now() from ${each(2, 20)}`,
  `insert into pgboss.job (name, policy, singleton_key, start_after)
   select 'webhook.work', 'short', id || ' ' || n, now() + interval '1 year' from ${each(2, 2000)}`,
  `insert into attempt (key, count, started_at, last_at) select sha256((o || ' ' || n)::bytea), 1, now(), now() from ${each(2, 2000)}`,
  `insert into account_password (account_id, hash) select md5('account ' || o || ' ' || n)::uuid, '-' from ${each(2, 50)}`,
  `insert into account_identity (connection, subject, account_id, provider)
   select 'github', o || ' ' || n, md5('account ' || o || ' ' || n)::uuid, 'github' from ${each(2, 50)}`,
  `insert into account_identity_email (connection, subject, email)
   select 'github', o || ' ' || n, 'p' || n || '@o' || o || '.example' from ${each(2, 50)}`,
  `insert into account_audit (account_id, id, action)
   select md5('account ' || o || ' ' || n)::uuid, gen_random_uuid(), 'login.failed' from ${each(2, 50)}`,
  `insert into account_session (id, uid, account_id, user_agent, ended_at)
   select md5('session ' || o || ' ' || n)::uuid, 'session ' || o || ' ' || n, md5('account ' || o || ' ' || n)::uuid, 'Browser',
     case when n > 1 then now() - interval '20 days' end from ${each(4, 50)}`,
  `insert into account_totp (account_id, secret, last_step) select md5('account ' || o || ' ' || n)::uuid, '\\x00', 1 from ${each(2, 50)}`,
  `insert into account_passkey (id, account_id, name, credential_id, public_key, counter, transports, synced)
   select gen_random_uuid(), md5('account ' || o || ' ' || n)::uuid, 'Key', o || ' ' || n, '\\x00', 0, '{}', false from ${each(2, 50)}`,
  `insert into account_recovery_code (account_id, hash)
   select md5('account ' || o || ' ' || n)::uuid, sha256(code::text::bytea) from ${each(2, 10)} cross join generate_series(1, 5) as code`,
  `insert into oidc_payload (model, id, payload, uid, expires_at)
   select model, o || ' ' || n, json_build_object('sessionUid', 'session ' || o || ' ' || n), 'session ' || o || ' ' || n, now() + interval '1 day'
   from ${each(2, 50)} cross join unnest(array['Session', 'Grant', 'AccessToken', 'AuthorizationCode']) as model`,
  `insert into organization (id, name, slug, display_name) select id, 'Org ' || o, 'org-' || o, 'Org ' || o from orgs where o > 0`,
  `insert into member (org_id, account_id, role_id, status)
   select id, md5('account ' || o || ' ' || n)::uuid, 'rol_contributor', 'active' from ${each(2, 50)}`,
  `insert into invitation (org_id, id, email, role_id, token_hash, invited_by, expires_at)
   select id, gen_random_uuid(), 'i' || n || '@o' || o || '.example', 'rol_contributor', sha256((o || ' ' || n)::bytea), id, now() + interval '1 day'
   from ${each(2, 20)}`,
  `insert into person (org_id, id) select id, ${person} from ${each(4, 100)} group by 1, 2`,
  `insert into person_key (org_id, person_id, key) select id, ${person}, '\\x00' from ${each(4, 100)} group by 1, 2`,
  `insert into identity (org_id, kind, value, person_id, source, confidence)
   select id, kind, case kind when 'account' then md5('account ' || o || ' ' || n) else kind || n end, ${person}, 'seed', 'observed'
   from ${each(4, 100)} cross join unnest(array['email', 'github', 'account']) as kind`,
  `insert into saml_login (org_id, label, entity_id, sign_in_url, certificates, key_sealed, certificate)
   select id, 'Corp', 'idp', 'https://idp.example', '{}', '\\x00', '' from ${each(1, 1)}`,
  `insert into directory (org_id, product, token_hash, token_end) select id, 'other', sha256(o::text::bytea), 'abcd' from ${each(1, 1)}`,
  `insert into directory_user (org_id, id, user_name, email, is_active, person_id)
   select id, md5('user ' || o || ' ' || n)::uuid, 'u' || n || '@o' || o || '.example', 'u' || n || '@o' || o || '.example', true, ${person}
   from ${each(2, 500)}`,
  `insert into directory_group (org_id, id, display_name)
   select id, md5('group ' || o || ' ' || n)::uuid, 'Group ' || n from ${each(2, 50)}`,
  `insert into directory_group_member (org_id, group_id, user_id)
   select id, md5('group ' || o || ' ' || (n % 2 + 1))::uuid, md5('user ' || o || ' ' || n)::uuid from ${each(2, 500)}`,
  `insert into group_role (org_id, group_name, role_id) select id, 'group ' || n, 'rol_reviewer' from ${each(1, 10)}`,
  `insert into group_given_role (org_id, account_id, role_id)
   select id, md5('account ' || o || ' ' || n)::uuid, 'rol_reviewer' from ${each(2, 20)}`,
  `insert into directory_change (org_id, user_id, at, person_id, is_active)
   select id, md5('user ' || o || ' ' || n)::uuid, ${at}, ${person}, true from ${each(2, 500)}`,
  `insert into erasure (org_id, id, person_id, basis, state, requested_at)
   select id, md5('erasure ' || o || ' ' || n)::uuid, ${person}, 'owner', 'done', ${at} from ${each(2, 100)}`,
  `insert into erased_row (org_id, entry_id, erasure_id)
   select id, md5('erased ' || o || ' ' || n)::uuid, md5('erasure ' || o || ' ' || (n % 100))::uuid from ${each(2, 500)}`,
  `insert into audit_event (org_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id)
   select id, gen_random_uuid(), ${at}, 'account', id::text, 'account.signed_in', 'account', id::text from ${each(5, 500)}`,
  `insert into ledger_pending (org_id, entry_id, kind, entry, leaf_hash)
   select id, md5('waiting ' || o || ' ' || n)::uuid, 'event.batch', '{}', sha256('{}') from ${each(2, 200)}`,
  `insert into ledger_log (org_id, epoch, origin, size, root, signed_size)
   select id, 1, 'seed/org/' || id || '/1', 5, sha256(''), case when o % 50 > 0 then 5 else 0 end from orgs`,
  `insert into ledger_entry (org_id, epoch, leaf_index, leaf_hash, entry_id, kind, packed)
   select id, 99, n, sha256((o || ' ' || n)::bytea), md5('entry ' || o || ' ' || n)::uuid, (array['merge', 'event.batch', 'scan'])[n % 3 + 1],
     '{}' from ${each(5, 500)}`,
  `insert into ledger_tile (org_id, epoch, level, n, hashes) select id, 99, n % 2, n, sha256(n::text::bytea) from ${each(2, 200)}`,
  `insert into ledger_checkpoint (org_id, epoch, size, root, note) select id, 99, n, sha256(n::text::bytea), '' from ${each(2, 500)}`,
  `insert into ledger_receipt (org_id, epoch, size, kind, party) select id, 99, n, 'mail', 'seed' from ${each(2, 200)}`,
  `insert into anchor (org_id, id, kind, party, settings, every_hours, next_at, created_by)
   select id, md5('anchor ' || o || ' ' || n)::uuid, 'mail', 'seed ' || n, '{}', 24, now() + interval '1 day', id from ${each(2, 10)}`,
  `insert into anchor_attempt (org_id, id, anchor_id, at, outcome, epoch, size, message, ms)
   select id, gen_random_uuid(), md5('anchor ' || o || ' ' || n)::uuid, ${at}, 'published', 99, n, '', 1
   from ${each(2, 10)} cross join generate_series(1, 20)`,
  `insert into control_setting (org_id, control_id, version, setting, valid_from, entry_id)
   select id, (array['CHG-01', 'LOG-01'])[n % 2 + 1], n, '{}', ${at}, gen_random_uuid() from ${each(2, 300)}`,
  `insert into control_run (org_id, id, control_id, catalog_version, period_from, period_to, as_of_epoch, as_of_size, population, pass,
     fail, waived, missing_evidence, status, completeness, exclusions, weakenings, seed, reasons, rows_sha256, rows_of, is_reevaluation, entry_id)
   select id, md5('run ' || o || ' ' || n)::uuid, (array['CHG-01', 'VUL-01', 'SCN-01'])[n % 3 + 1], '1.0.0',
     timestamptz '2026-01-01' + make_interval(months => n % 12), timestamptz '2026-02-01' + make_interval(months => n % 12), 99, n,
     1, 1, 0, 0, 0, 'passing', '[]', '[]', '[]', '', '{}', sha256(n::text::bytea), md5('run ' || o || ' ' || n)::uuid, false, gen_random_uuid()
   from ${each(3, 500)}`,
  `insert into control_row (org_id, run_id, ord, subject, verdict, reasons, leaves, setting)
   select id, md5('run ' || o || ' ' || n % 10)::uuid, n, 'change ' || n, (array['pass', 'fail', 'missing_evidence'])[n % 3 + 1], '{}', '{}', 0
   from ${each(10, 2000)}`,
  `insert into remediation (org_id, id, control_id, subject, period_from, period_to, run_id, failed_at, reasons)
   select id, md5('remediation ' || o || ' ' || n)::uuid, (array['CHG-01', 'LOG-01'])[n % 2 + 1], 'subject ' || n, ${at}, ${at} + interval '1 month',
     md5('run ' || o || ' ' || n % 400 + 1)::uuid, ${at}, '{seed}' from ${each(3, 500)}`,
  `insert into remediation_change (org_id, remediation_id, version, due_on, notes, changed_by, entry_id)
   select id, md5('remediation ' || o || ' ' || n)::uuid, 1, date '2026-01-01' + n % 365, '', id, gen_random_uuid() from ${each(3, 500)}`,
  `insert into remediation_retest (org_id, id, remediation_id, position, result, tested_at, recorded_by, entry_id)
   select id, gen_random_uuid(), md5('remediation ' || o || ' ' || n)::uuid, 1, (array['pass', 'fail'])[n % 2 + 1], ${at}, id, gen_random_uuid() from ${each(3, 500)}`,
  `insert into snapshot (org_id, id, name, period_from, period_to, controls, redaction, created_by, created_at, state, epoch, size)
   select id, md5('snapshot ' || o || ' ' || n)::uuid, 'Snapshot ' || n, ${at}, ${at} + interval '1 month', '{LOG-01}', 'none', gen_random_uuid(),
     ${at}, 'ready', 1, n from ${each(3, 500)}`,
  `insert into snapshot_report (org_id, snapshot_id, pdf)
   select id, md5('snapshot ' || o || ' ' || n)::uuid, '\\x00' from ${each(3, 500)}`,
  `insert into audit_stream (org_id, id, kind, name, settings, epoch, leaf_index, created_by)
   select id, md5('stream ' || o || ' ' || n)::uuid, 'syslog', 'seed ' || n, '{"host": "siem.invalid"}', 99, 0, id from ${each(2, 10)}`,
  `insert into evidence_destination (org_id, id, kind, name, settings, secret_sealed, created_by)
   select id, md5('evidence_destination ' || o || ' ' || n)::uuid, 'webhook', 'seed ' || n, '{}', '\\x00', id from ${each(2, 10)}`,
  `insert into evidence_delivery (org_id, id, destination_id, snapshot_id, state, requested_by, requested_at)
   select id, md5('sent ' || o || ' ' || n)::uuid, md5('evidence_destination ' || o || ' ' || n % 2 + 1)::uuid, md5('snapshot ' || o || ' ' || n)::uuid,
     'sent', id, ${at} from ${each(3, 500)}`,
  `insert into evidence_delivery_item (org_id, delivery_id, key, position, label, state)
   select id, md5('sent ' || o || ' ' || n)::uuid, 'item ' || i, i, 'Item', 'sent' from ${each(3, 500)} cross join generate_series(1, 3) i`,
  `insert into evidence_exchange (org_id, id, delivery_id, at, request, ms)
   select id, gen_random_uuid(), md5('sent ' || o || ' ' || n)::uuid, ${at}, 'POST /', 1 from ${each(3, 500)} cross join generate_series(1, 3) i`,
  `insert into auditor_portal (org_id, id, name, auditor_name, redaction, token_hash, created_by, created_at, expires_at)
   select id, md5('portal ' || o || ' ' || n)::uuid, 'Portal ' || n, 'Auditor ' || n, 'none', sha256((o || ' portal ' || n)::bytea), gen_random_uuid(),
     ${at}, ${at} + interval '30 days' from ${each(2, 500)}`,
  `insert into auditor_portal_snapshot (org_id, portal_id, snapshot_id)
   select id, md5('portal ' || o || ' ' || n)::uuid, md5('snapshot ' || o || ' ' || n)::uuid from ${each(2, 500)}`,
  `insert into auditor_portal_session (org_id, hash, portal_id, expires_at)
   select id, sha256((o || ' visit ' || n)::bytea), md5('portal ' || o || ' ' || n)::uuid, now() from ${each(2, 500)}`,
  `insert into evidence_request (org_id, portal_id, id, text)
   select id, md5('portal ' || o || ' ' || n)::uuid, md5('request ' || o || ' ' || n)::uuid, 'Where?' from ${each(2, 500)}`,
  `insert into evidence_message (org_id, portal_id, request_id, id, side, text)
   select id, md5('portal ' || o || ' ' || n)::uuid, md5('request ' || o || ' ' || n)::uuid, gen_random_uuid(), 'auditor', 'Where?'
   from ${each(2, 500)} cross join generate_series(1, 2) i`,
  `insert into audit_sample (org_id, portal_id, id, snapshot_id, control_id, name, method, seed, reason, population, positions)
   select id, md5('portal ' || o || ' ' || n)::uuid, md5('sample ' || o || ' ' || n)::uuid, md5('snapshot ' || o || ' ' || n)::uuid, 'LOG-01',
     'Sample', 'random', 'seed', '', 1, '{0}' from ${each(2, 500)}`,
  `insert into audit_workpaper (org_id, portal_id, sample_id, position, version, conclusion, note, salt)
   select id, md5('portal ' || o || ' ' || n)::uuid, md5('sample ' || o || ' ' || n)::uuid, 0, i, 'effective', '', decode(md5('salt'), 'hex')
   from ${each(2, 500)} cross join generate_series(1, 2) i`,
  `insert into auditor_result (org_id, portal_id, id, title, envelope, sha256, key_id, findings)
   select id, md5('portal ' || o || ' ' || n)::uuid, gen_random_uuid(), 'Result', 'a', sha256('a'), encode(sha256('a'), 'hex'), '[]' from ${each(2, 500)}`,
  `insert into portal_assertion (org_id, portal_id, id, text, asserted_by)
   select id, md5('portal ' || o || ' ' || n)::uuid, gen_random_uuid(), 'We assert.', gen_random_uuid() from ${each(2, 500)}`,
  `insert into portal_attachment (org_id, portal_id, id, sample_id, position, side, name, size, sha256, content)
   select id, md5('portal ' || o || ' ' || n)::uuid, gen_random_uuid(), md5('sample ' || o || ' ' || n)::uuid, 0, 'auditor', 'a.txt', 1, sha256('a'), 'a'
   from ${each(2, 500)}`,
  `insert into control_task (org_id, id, control_id, period_from, period_to, state, ended_at)
   select id, gen_random_uuid(), (array['CHG-01', 'LOG-01'])[n % 2 + 1], ${at}, ${at} + interval '1 month', 'done', now() from ${each(3, 500)}`,
  `insert into ledger_delay (org_id, day, seconds) select id, date '2025-01-01' + n, 0 from ${each(3, 500)}`,
  `insert into ledger_day (org_id, day, epoch_breaks, entry_id) select id, date '2025-01-01' + n, 0, gen_random_uuid() from ${each(3, 500)}`,
  `insert into signing_key (org_id, key_id, epoch, vkey, cosigner_vkey, secret, from_size, to_size)
   select id, 'key ' || n, 99, 'key', 'key', '\\x00', n, n from ${each(2, 20)}`,
  `insert into installation (org_id, provider, installation_id, account_login, html_url, created_by)
   select id, 'github', 'seed-' || o, 'org-' || o, 'https://code.example', id from orgs`,
  `insert into install_state (org_id, nonce_hash, account_id, provider, redirect_path, expires_at)
   select id, sha256((o || ' ' || n)::bytea), id, 'github', '/', now() + interval '1 day' from ${each(2, 10)}`,
  `insert into webhook_delivery (org_id, provider, delivery_id, event, body, received_at, processed_at)
   select id, 'github', gen_random_uuid(), 'push', '{}', ${at}, case when o % 50 > 0 or n > 1 then now() end from ${each(5, 500)}`,
  `insert into repository (org_id, id, provider, provider_repo_id, installation_id, owner, name, full_name, default_branch, is_private, html_url, tracked, last_change)
   select id, md5('repository ' || o || ' ' || n)::uuid, 'github', 'seed-' || n, 'seed-' || o, 'org-' || o, 'r' || n, 'org-' || o || '/r' || n, 'main', true,
     'https://code.example', true, ${at} from ${each(2, 100)}`,
  // All of them are revoked: a grant with an unreadable secret is no usable connection.
  `insert into code_host_grant (org_id, id, provider, base_url, kind, login, display, created_by)
   select id, md5('grant ' || o || ' ' || n)::uuid, 'gitlab', 'https://code.example', 'token', 'login', '…abcd', id from ${each(2, 20)}`,
  `insert into code_host_hook (org_id, id, repository_id, host_hook_id, secret)
   select id, md5('hook ' || o || ' ' || n)::uuid, md5('repository ' || o || ' ' || n)::uuid, '1', '\\x00' from ${each(2, 100)}`,
  `insert into policy_comment (org_id, repository_id, number, comment_id, body_sha256)
   select id, md5('repository ' || o || ' ' || n % 2 + 1)::uuid, n, n::text, sha256('') from ${each(20, 1000)}`,
  `insert into policy_refusal (org_id, repository_id, what, status)
   select id, md5('repository ' || o || ' ' || n)::uuid, 'comment', 403 from ${each(2, 100)}`,
  `insert into status_check_hook (org_id, id, secret) select id, md5('status check ' || o)::uuid, '\\x00' from orgs`,
  `insert into status_check_request (org_id, repository_id, number, check_id)
   select id, md5('repository ' || o || ' ' || n % 2 + 1)::uuid, n, '1' from ${each(20, 1000)}`,
  `insert into repository_reconcile (org_id, repository_id, reconciled_at, healed, healed_at)
   select id, md5('repository ' || o || ' ' || n)::uuid, now(), n % 3, now() from ${each(2, 100)}`,
  `insert into operator_code (hash, purpose, expires_at) select sha256((o || ' ' || n)::bytea), 'github-app', now() from ${each(1, 10)}`,
  `insert into integration (org_id, name, status, settings, hook, created_by)
   select id, 'checkmarx', case when o % 50 > 0 then 'inactive' else 'active' end, '{}', md5('hook ' || o)::uuid, id from orgs where o > 0`,
  `insert into tracker (org_id, name, status, base_url, account, token_end, hook, projects, created_by)
   select id, 'linear', case when o % 50 > 0 then 'inactive' else 'active' end, '', '', '', md5('tracker ' || o)::uuid, '[]', id from orgs`,
  `insert into ticket (org_id, id, tracker, external_id, key, status, category, url, state, checked_at)
   select id, md5('ticket ' || o || ' ' || n)::uuid, 'linear', n, 'PAY-' || n, 'To Do', 'todo', '',
     case when n % 20 = 0 then 'missing' else 'present' end, ${at} from ${each(10, 2000)}`,
  `insert into ticket_request (org_id, id, tracker, project, title, text, state, ticket_id, requested_by)
   select id, md5('ticket request ' || o || ' ' || n)::uuid, 'linear', 'PAY', '', '',
     case when n % 50 = 0 then 'pending' else 'created' end, md5('ticket ' || o || ' ' || n)::uuid, id from ${each(5, 1000)}`,
  `insert into ticket_link (org_id, kind, subject_id, request_id)
   select id, 'finding', md5('linked ' || o || ' ' || n)::uuid, md5('ticket request ' || o || ' ' || n)::uuid from ${each(5, 1000)}`,
  `insert into scanner_project (org_id, integration, external_id, name, repository_id, matched_by)
   select id, 'checkmarx', 'project ' || n, 'Project ' || n, case when n % 3 > 0 then ${repository} end, case when n % 3 > 0 then 'url' end from ${each(10, 200)}`,
  `insert into scanner_branch (org_id, integration, external_id, branch, scan_id, scanned_at)
   select id, 'checkmarx', 'project ' || n, 'main', 'scan ' || n, ${at} from ${each(10, 200)}`,
  `insert into alert_reading (org_id, repository_id, source, state)
   select id, ${repository}, source, 'read' from ${each(2, 100)} cross join unnest(array['code_scanning', 'dependabot', 'secret_scanning']) as source
   group by 1, 2, 3`,
  `insert into repository_import (org_id, repository_id, state, phase) select id, ${repository}, 'done', 'files' from ${each(2, 100)} group by 1, 2`,
  `insert into import_gap (org_id, repository_id, kind, item, reason, next_attempt_at)
   select id, ${repository}, kind, 'sha ' || n, 'It answered 500.', now() + interval '1 hour'
   from ${each(4, 1000)} cross join unnest(array['commit', 'pull_request', 'files']) as kind`,
  `insert into missing_classes_allowed (org_id, repository_id, tool) select id, ${repository}, 'spotbugs' from ${each(2, 100)} group by 1, 2`,
  `insert into scan_upload (org_id, id, repository_id, scans, request)
   select id, md5('upload ' || o || ' ' || n)::uuid, ${repository}, array[gen_random_uuid()], '\\x00' from ${each(4, 200)}`,
  `insert into scan_upload_piece (org_id, upload_id, position, bytes)
   select id, md5('upload ' || o || ' ' || n)::uuid, place, '\\x00' from ${each(4, 200)} cross join generate_series(1, 2) as place`,
  `insert into commit (org_id, repository_id, sha, author_person, author_name, author_email, authored_at, committer_name, committer_email, committed_at, message, branch, files)
   select id, ${repository}, md5(o || ' ' || n), ${person}, 'a', 'a@b.example', ${at}, 'a', 'a@b.example', ${at}, 'm', 'main', '[]' from ${each(10, 1000)}`,
  `insert into contributor (org_id, repository_id, person_id, name, email, commits, last_commit)
   select id, ${repository}, ${person}, min('Person ' || n), 'a@b.example', 1, min(${at}) from ${each(6, 1000)} group by 1, 2, 3`,
  `insert into mailmap_link (org_id, repository_id, person_id, same_as)
   select l.org_id, l.repository_id, l.person_id, o.person_id from contributor l
   join contributor o on o.org_id = l.org_id and o.repository_id = l.repository_id and o.person_id > l.person_id limit 5000`,
  `insert into contributor_merge (org_id, id, person_id, other_id, decision, decided_by)
   select org_id, gen_random_uuid(), person_id, same_as, 'dismissed', org_id from mailmap_link`,
  `insert into committer (org_id, person_id, name, email, uninvited)
   select id, ${person}, 'Person ' || min(n), 'a@b.example', min(n) % 2 = 0 from ${each(4, 100)} group by 1, 2`,
  `insert into pull_request (org_id, repository_id, number, title, status, draft, author_person, author_login, created_at, updated_at, base_ref, head_ref, head_sha, url, context_id)
   select id, ${repository}, n, 'Title ' || n, (array['in-progress', 'accepted', 'closed'])[n % 3 + 1], false, ${person}, 'login' || n % 7, ${at}, ${at}, 'main', 'next', 'sha',
     'https://code.example', gen_random_uuid() from ${each(10, 1000)}`,
  `insert into person_kind (org_id, person_id, kind, source) select id, ${person}, 'human', 'github' from ${each(4, 100)} group by 1, 2`,
  `insert into branch_push (org_id, id, repository_id, branch, before_sha, after_sha, pushed_at, time_source, forced, completeness, commits, source, entry_id)
   select id, md5('push ' || o || ' ' || n)::uuid, ${repository}, 'main', 'sha ' || n - 1, 'sha ' || n, ${at}, 'host', 'no', 'complete',
     array['sha ' || n], 'webhook', md5('entry ' || o || ' ' || n)::uuid from ${each(4, 2000)}`,
  `insert into commit_key (org_id, person_id, key)
   select id, ${person}, sha256(('key ' || n)::bytea) from ${each(4, 1000)}`,
  `insert into branch_start (org_id, repository_id, branch, sha)
   select id, ${repository}, 'branch ' || n, 'sha ' || n from ${each(4, 1000)}`,
  `insert into reached_commit (org_id, repository_id, branch, push_id, sha, reached_by, number, entry_id)
   select id, ${repository}, 'main', md5('push ' || o || ' ' || n)::uuid, 'sha ' || n, 'merged_pull_request', n,
     md5('entry ' || o || ' ' || n)::uuid from ${each(4, 2000)}`,
  `insert into change_record (org_id, id, version, repository_id, branch, is_default_branch, merge_method, number, merged_at, merge_sha, parts, sources,
     authors, persons, missing, approval, has_agent, cause, entry_id)
   select id, md5('change ' || o || ' ' || n)::uuid, version, ${repository}, 'main', true, 'pull_request', n, ${at}, 'sha ' || n,
     (select json_object_agg(part, '{"state":"missing"}'::json) from unnest(${parts}) as part),
     (select json_object_agg(part, '{"state":"missing","reason":"deleted","fetchedAt":"2026-01-01T00:00:00.000Z"}'::json) from unnest(${parts}) as part),
     array[${person}], array[${person}], array['reviews'], (array['yes', 'no', 'unknown'])[n % 3 + 1], n % 10 = 0, 'merge',
     md5('entry ' || o || ' ' || n)::uuid
   from ${each(3, 1000)} cross join generate_series(1, 2) as version`,
  `insert into change_task (org_id, id, repository_id, number, cause, due_at)
   select id, md5('change ' || o || ' ' || n)::uuid, ${repository}, n, 'retry', now() + interval '1 day' from ${each(2, 500)}`,
  `insert into protection_snapshot (org_id, id, repository_id, branch, captured_at, trigger, state, rules, entry_id)
   select id, md5('snapshot ' || o || ' ' || n)::uuid, ${repository}, 'main', ${at}, 'poll', 'none', '{}', md5('entry ' || o || ' ' || n)::uuid
   from ${each(4, 2000)}`,
  `insert into access_holder (org_id, id, provider, kind, host_id, person_id, name)
   select id, md5('holder ' || o || ' ' || n)::uuid, 'github', case when n % 10 = 0 then 'key' else 'person' end, 'seed-' || n,
     ${person}, 'holder-' || n from ${each(4, 100)}`,
  `insert into access_reading (org_id, id, repository_id, captured_at, trigger, parts, entry_id)
   select id, md5('reading ' || o || ' ' || n)::uuid, ${repository}, ${at}, 'poll', '{"people":"read"}', md5('entry ' || o || ' ' || n)::uuid
   from ${each(4, 2000)}`,
  `insert into access_change (org_id, repository_id, holder_id, at, permission, routes, entry_id)
   select id, ${repository}, md5('holder ' || o || ' ' || ((n % case when o = 0 then 100 else 4 end) + 1))::uuid, ${at}, 'write', '{direct}',
     md5('entry ' || o || ' ' || n)::uuid from ${each(8, 400)}`,
  `insert into pull_request_push (org_id, repository_id, number, id, sha, at, time_source, entry_id)
   select id, ${repository}, n, md5('push ' || o || ' ' || n)::uuid, 'sha ' || n, ${at}, 'received', md5('entry ' || o || ' ' || n)::uuid from ${each(4, 1000)}`,
  `insert into head_push (org_id, repository_id, branch, sha, at, pusher, entry_id)
   select id, ${repository}, md5('branch ' || n)::uuid, 'sha ' || n, ${at}, ${person}, md5('entry ' || o || ' ' || n)::uuid from ${each(4, 1000)}`,
  `insert into ai_attribution (org_id, id, repository_id, change_id, commit_sha, path, lines, agent, source, confidence, entry_id)
   select id, md5('attribution ' || o || ' ' || n)::uuid, ${repository}, md5('change ' || o || ' ' || n % 500)::uuid, 'sha ' || n,
     'src/file' || n % 20 || '.ts', int4range(n, n + 5), 'Claude', 'git-ai', 'declared', md5('entry ' || o || ' ' || n)::uuid
   from ${each(4, 1000)}`,
  `insert into ai_share (org_id, event_id, share) select id, md5('event ' || o || ' ' || n)::uuid, 0.5 from ${each(4, 1000)}`,
  `insert into attribution_reading (org_id, change_id, source, records, malformed, unmatched, dropped)
   select id, md5('change ' || o || ' ' || n)::uuid, 'git-ai', 1, 0, 0, 0 from ${each(3, 500)}`,
  `insert into review (org_id, repository_id, number, review_id, person_id, login, state, submitted_at)
   select id, ${repository}, n, '1', ${person}, 'login', 'approved', ${at} from ${each(5, 1000)}`,
  `insert into scan (org_id, id, repository_id, source, tool, tool_name, category, ref, analysis, complete, state, actor_kind, actor_id, received_at, finished_at)
   select id, md5('scan ' || o || ' ' || n)::uuid, ${repository}, (array['sarif', 'checkmarx', 'code_scanning'])[n % 3 + 1], 'tool', 'Tool', '', 'refs/heads/main',
     md5('analysis ' || o || ' ' || n % 50)::uuid, true, 'done', 'system', 'seed', ${at}, ${at} from ${each(6, 2000)}`,
  `insert into outgoing_webhook (org_id, id, url, description, secret_sealed, created_by)
   select id, md5('webhook ' || o || ' ' || n)::uuid, 'https://hooks.example/' || n, '', '\\x00', id from ${each(2, 20)}`,
  `insert into outgoing_delivery (org_id, id, webhook_id, type, body, status, created_at, next_at)
   select id, md5('delivery ' || o || ' ' || n)::uuid, md5('webhook ' || o || ' ' || (1 + n % case when o = 0 then 20 else 2 end))::uuid, 'finding.new', '{}',
     case when n % 50 = 0 then 'pending' else 'delivered' end, ${at}, ${at} from ${each(5, 500)}`,
  `insert into outgoing_attempt (org_id, delivery_id, number, ms) select id, md5('delivery ' || o || ' ' || n)::uuid, 1, 5 from ${each(5, 500)}`,
  `insert into chat_workspace (org_id, service, team_id, team, bot_id, bot, token_sealed, token_end, signing_secret_sealed)
   select id, 'slack', 'T' || o, 'seed ' || o, 'U1', 'bot', '\\x00', 'seed', '\\x00' from ${each(1, 1)}`,
  `insert into chat_target (org_id, id, service, account_id, name, address, created_by)
   select id, md5('chat ' || o || ' ' || n)::uuid, 'slack', case when n > 50 then md5('account ' || o || ' ' || n)::uuid end, '#channel-' || n, 'C' || n, id from ${each(2, 100)}`,
  `insert into chat_message (org_id, id, target_id, type, severity, title, body, link, status, due_at, created_at)
   select id, md5('chat message ' || o || ' ' || n)::uuid, md5('chat ' || o || ' ' || (1 + n % case when o = 0 then 100 else 2 end))::uuid, 'finding.new', 1, 'seed ' || n, '', '/',
     case when n % 50 = 0 then 'pending' else 'delivered' end, ${at}, ${at} from ${each(5, 500)}`,
  `insert into chat_thread (org_id, target_id, subject, thread)
   select id, md5('chat ' || o || ' ' || (1 + n % 2))::uuid, 'finding:' || n, n::text from ${each(2, 100)}`,
  `insert into ledger_access (org_id, is_public) select id, false from ${each(1, 1)}`,
  `insert into access_key (org_id, id, name, use, repository_id, hash, key_end, created_by)
   select id, gen_random_uuid(), 'Key ' || n, 'sarif', ${repository}, sha256((o || ' ' || n)::bytea), 'Qa7x', id from ${each(5, 90)}`,
  `insert into extension_code (org_id, hash, account_id, side, type, device, challenge, expires_at)
   select id, sha256(('code ' || o || ' ' || n)::bytea), md5('account ' || o || ' ' || n)::uuid, 'ide', 'vscode', '', '-', now() + interval '1 minute' from ${each(2, 50)}`,
  `insert into extension_grant (org_id, id, account_id, side, type, device, hash)
   select id, gen_random_uuid(), md5('account ' || o || ' ' || n)::uuid, 'ide', 'vscode', '', sha256(('grant ' || o || ' ' || n)::bytea) from ${each(2, 50)}`,
  `insert into extension_ended (grant_id, ended_at) select gen_random_uuid(), now() - make_interval(mins => 30 + n) from ${each(2, 1000)}`,
  `insert into extension_session (org_id, account_id, side, id, type, version, live_until, seen_at)
   select id, md5('account ' || o || ' ' || n)::uuid, (array['browser', 'ide'])[n % 2 + 1], gen_random_uuid(), 'chrome', '1.0.0', now(), now() from ${each(4, 50)}`,
  `insert into finding_waiver (org_id, id, finding_id, state, valid_until, reason, requested_by, decided_by)
   select id, md5('waiver ' || o || ' ' || n)::uuid, md5('finding ' || o || ' ' || n)::uuid,
     (array['requested', 'refused', 'withdrawn', 'expired'])[case when n % 20 = 0 then 1 else n % 3 + 2 end], ${at}, 'why', id, md5(id::text)::uuid
   from ${each(5, 2000)}`,
  `insert into finding_decision (org_id, finding_id, id, kind)
   select id, md5('finding ' || o || ' ' || n)::uuid, gen_random_uuid(), 'dismissed' from ${each(5, 2000)}`,
  `insert into finding_merged (org_id, id, into_id, fingerprints)
   select id, gen_random_uuid(), md5('finding ' || o || ' ' || n)::uuid, '{}' from ${each(5, 2000)}`,
  `insert into analysis (org_id, repository_id, key, source, tool, category, ref, last_seen)
   select id, ${repository}, md5('analysis ' || o || ' ' || n)::uuid, 'sarif', 'tool', '', 'refs/heads/b' || n, ${at} from ${each(5, 1000)}`,
  `insert into scan_latest (org_id, repository_id, tool, source, category, state, finished_at, done_at)
   select id, ${repository}, 'tool', 'sarif', '', 'done', now(), now() from ${each(2, 100)} group by 1, 2`,
  `insert into finding_tool (org_id, tool, name) select id, 'tool' || n, 'Tool ' || n from ${each(2, 20)}`,
  `insert into finding_title (org_id, id, title)
   select id, md5('title ' || o || ' ' || n)::uuid, 'Weakness ' || n from ${each(5, 200)}`,
  `insert into finding_text (org_id, id, description, links) select id, md5('text ' || o || ' ' || n)::uuid, '', '[]' from ${each(5, 1000)}`,
  `insert into finding (org_id, id, repository_id, title_id, severity, category, tools, data_source, status, fingerprint, ref, discovered_at, component, assignee_id)
   select id, md5('finding ' || o || ' ' || n)::uuid, ${repository}, md5('title ' || o || ' ' || 1 + n % case when o = 0 then 200 else 5 end)::uuid, n % 5, (array['sast', 'sca'])[n % 2 + 1],
     array['tool' || n % 3], 'tool' || n % 3, (array['open', 'fixed', 'dismissed', 'exception'])[n % 4 + 1], md5('print ' || o || ' ' || n)::uuid,
     'refs/heads/main', ${at}, case when n % 2 = 1 then 'package ' || n % 50 end, case when n % 10 = 0 then md5('account ' || o || ' ' || n % 50)::uuid end
   from ${each(20, 2000)}`,
  `insert into finding_detail (org_id, repository_id, fingerprint, text_id, detail)
   select org_id, repository_id, fingerprint, gen_random_uuid(), '{"message":"","snippet":null,"flow":[],"package":null,"compliances":[]}' from finding`,
  `insert into finding_source (org_id, repository_id, fingerprint, base_key, path_rule_key, finding_id, tool, rule_id, title_id, severity, category, cwes, codes,
     reason, explanation, first_seen)
   select org_id, repository_id, fingerprint, fingerprint, gen_random_uuid(), id, data_source, 'rule', title_id, severity, category, '{}', '[]', 'first', '',
     discovered_at from finding`,
  `insert into finding_instance (org_id, repository_id, analysis, fingerprint, finding_id, ref, state, digest, first_scan, first_seen)
   select org_id, repository_id, md5('analysis')::uuid, fingerprint, id, ref, 'open', gen_random_uuid(), gen_random_uuid(), discovered_at from finding`,
  `insert into finding_state (org_id, finding_id, entry_id, status, repository_id, title_id, severity, category, tools, data_source, fingerprint, ref,
     codes, discovered_at, labels)
   select org_id, id, gen_random_uuid(), status, repository_id, title_id, severity, category, tools, data_source, fingerprint, ref, codes,
     discovered_at, '{}' from finding`,
  `insert into finding_label (org_id, finding_id, label, status, lane, discovered_at, repository_id, title_id)
   select org_id, id, 'label ' || left(id::text, 1), status, lane, discovered_at, repository_id, title_id from finding`,
  `insert into finding_change (org_id, repository_id, fingerprint, at, analysis, ref, was, state)
   select org_id, repository_id, fingerprint, discovered_at, md5('analysis')::uuid, ref, 'open', 'fixed' from finding`,
  `insert into finding_seen (org_id, account_id, finding_id) select org_id, org_id, id from finding`,
  // Recounts those of the seeded organization together with all others.
  `truncate finding_count, finding_lane_count, finding_repository_count, finding_title_count, finding_day, finding_lane_day, finding_discovered,
     finding_facet_count`,
  `insert into finding_count (org_id, repository_id, title_id, status, severity, category, tools, count)
   select org_id, repository_id, title_id, status, severity, category, tools, count(*) from finding group by 1, 2, 3, 4, 5, 6, 7`,
  `insert into finding_lane_count (org_id, status, lane, count) select org_id, status, lane, count(*) from finding group by 1, 2, 3`,
  `insert into finding_repository_count (org_id, repository_id, status, lane, count)
   select org_id, repository_id, status, lane, count(*) from finding group by 1, 2, 3, 4`,
  `insert into finding_title_count (org_id, title_id, status, lane, count)
   select org_id, title_id, status, lane, count(*) from finding group by 1, 2, 3, 4`,
  `insert into finding_day (org_id, day, repository_id, severity, category, tools, change)
   select org_id, '2026-01-01'::date + d, repository_id, severity, category, tools, 1
   from (select distinct org_id, repository_id, severity, category, tools from finding) f cross join generate_series(1, 5) d`,
  `insert into finding_lane_day (org_id, day, lane, change)
   select org_id, '2026-01-01'::date + d, lane, 1 from (select distinct org_id, lane from finding) f cross join generate_series(1, 5) d`,
  `insert into finding_discovered (org_id, status, lane, day, count)
   select org_id, status, lane, '2026-01-01'::date + d, 1 from finding_lane_count cross join generate_series(1, 5) d`,
  `insert into finding_facet_count (org_id, facet, value, status, lane, count)
   select org_id, facet, value, status, lane, count(*)
   from (
     select f.org_id, v.facet, v.value, f.status, f.lane from finding f
     cross join lateral (values ('assignee', f.assignee_id::text), ('component', f.component)) as v(facet, value) where v.value is not null
     union all select org_id, 'label', label, status, lane from finding_label
   ) f group by 1, 2, 3, 4, 5`,
  `insert into finding_version (org_id, version) select id, gen_random_uuid() from orgs`,
  `insert into tool (org_id, tab, id, name, vendor, kind, categories, sources, first_seen, last_seen)
   select id, tab, 'tool ' || n, 'Tool ' || n, 'Vendor ' || n % 9, 'ci-action', '{Build}', '{github-actions}', ${at}, ${at}
   from ${each(4, 300)} cross join unnest(array['ci/cd', 'developer']) as tab`,
  `insert into tool_version (org_id, version) select id, gen_random_uuid() from orgs`,
  `insert into tool_scan (org_id, repository_id, state)
   select id, ${repository}, case when o % 50 > 0 then 'done' else 'queued' end from ${each(2, 100)} group by 1, 2, 3`,
  `insert into tool_repository (org_id, tab, tool_id, repository_id, source, first_seen, last_seen)
   select id, tab, 'tool ' || 1 + n % case when o = 0 then 300 else 4 end, ${repository}, 'github-actions', min(${at}), max(${at})
   from ${each(6, 2000)} cross join unnest(array['ci/cd', 'developer']) as tab group by 1, 2, 3, 4`,
  `insert into agent_session (org_id, id, agent, vendor_session, reporter, person_id, models, first_at, last_at, received_at)
   select id, md5('agent session ' || o || ' ' || n)::uuid, 'claude-code', n::text, md5('account ' || o || ' ' || (n % 20))::uuid, ${person},
     array['model'], ${at}, ${at}, ${at} from ${each(5, 500)}`,
  `insert into agent_record (org_id, session_id, digest, at, signal, kind, fields, entry_id)
   select id, md5('agent session ' || o || ' ' || (n % case when o = 0 then 500 else 5 end + 1))::uuid, sha256(n::text::bytea), ${at}, 'logs', 'prompt',
     '{"measures":{}}', gen_random_uuid() from ${each(10, 5000)}`,
  `insert into agent_prompt_storage (org_id, enabled_by) select id, id from orgs`,
  `insert into agent_prompt (org_id, session_id, digest, person_id, text)
   select org_id, session_id, digest, session_id, digest from agent_record`,
  `insert into agent_touch (org_id, session_id, kind, value)
   select id, md5('agent session ' || o || ' ' || n)::uuid, 'commit', md5(o || ' ' || n) from ${each(5, 500)}`,
  `insert into change_path (org_id, change_id, paths, is_whole)
   select id, md5('change ' || o || ' ' || n)::uuid, array['src/' || n || '.ts'], true from ${each(4, 4000)}`,
  `insert into change_work (org_id, change_id, repository_id, started_at, merged_at, branches, commits, commit_keys, authors, are_authors_known,
     are_declarations_known, declared, session_keys, session_links, is_due)
   select id, md5('change ' || o || ' ' || n)::uuid, ${repository}, ${at}, ${at}, array['topic ' || n], array[md5(o || ' ' || n)],
     array[left(md5(o || ' ' || n), 7)], array[${person}], true, true, '[]', array[hashtextextended(n::text, 0)::text], 0, false from ${each(5, 2000)}`,
  `insert into reconciled_agent (org_id, change_id, agent, repository_id, merged_at, status, models, persons)
   select id, md5('change ' || o || ' ' || n)::uuid, 'Claude', ${repository}, ${at}, (array['declared_only', 'observed_only', 'neither'])[n % 3 + 1],
     array['model'], array[${person}] from ${each(40, 2000)}`,
  `insert into agent_join (org_id, change_id, session_id, agent, person_id, joins, confidence, models, cost, first_at, last_at)
   select id, md5('change ' || o || ' ' || n)::uuid, md5('agent session ' || o || ' ' || n % 500)::uuid, 'Claude', ${person}, array['branch'], 'medium',
     array['model'], 1, ${at}, ${at} from ${each(40, 2000)}`,
  `insert into reconciled_session (org_id, session_id, queued_at)
   select id, md5('agent session ' || o || ' ' || n)::uuid, case when n % 100 = 0 then ${at} end from ${each(5, 500)}`,
  `insert into agent_total (org_id, session_id, signal, measure, model, series, value)
   select id, md5('agent session ' || o || ' ' || n)::uuid, 'logs', 'prompts', '', '', 1 from ${each(5, 500)}`,
  `insert into copilot_source (org_id, installation_id, state, checked_at)
   select id, 'i' || o || ' ' || n, 'read', ${at} from ${each(2, 4)}`,
  `insert into copilot_day (org_id, installation_id, day, counts, rejected, read_at, entry_id)
   select id, 'i' || o || ' 1', '2025-01-01'::date + n, '{"dailyUsers":1}', 0, ${at}, gen_random_uuid() from ${each(10, 365)}`,
  `insert into copilot_day_part (org_id, installation_id, day, kind, name, feature, counts)
   select id, 'i' || o || ' 1', '2025-01-01'::date + n, 'model', 'model ' || m, 'feature', '{"generations":1}'
   from ${each(10, 365)} cross join generate_series(1, 3) as m`,
  `insert into tool_person (org_id, tab, tool_id, person_id, source, program, device_id, first_seen, last_seen)
   select id, 'developer', 'tool ' || 1 + n % case when o = 0 then 300 else 4 end, ${person}, 'vscode', 'vscode',
     '00000000-0000-0000-0000-000000000000', min(${at}), max(${at}) from ${each(6, 2000)} group by 1, 2, 3, 4`,
  `insert into tool_detection (org_id, id, repository_id, tool_id, source, path, line, text, commit_sha, confidence, first_seen, last_seen)
   select id, gen_random_uuid(), ${repository}, 'tool ' || 1 + n % case when o = 0 then 300 else 4 end, 'github-actions', 'a/b' || n, n, 'uses', 'sha',
     'observed', ${at}, ${at} from ${each(6, 2000)}`,
  `insert into history_start (org_id) select id from orgs`,
  `insert into presence_change (org_id, account_id, side, at, connected, reason, entry_id)
   select id, md5('account ' || o || ' ' || n % 50)::uuid, (array['browser', 'ide'])[n % 2 + 1], ${at}, n % 4 < 2,
     case when n % 4 < 2 then 'connected' else 'disconnected' end, gen_random_uuid() from ${each(6, 2000)}`,
  `insert into presence_side (org_id, account_id, side, connected_since)
   select id, md5('account ' || o || ' ' || n)::uuid, 'ide', case when o % 50 = 0 and n % 5 = 0 then now() end from ${each(4, 1000)}`,
  `insert into member_change (org_id, account_id, at, role_id, status, entry_id)
   select id, md5('account ' || o || ' ' || n % 50)::uuid, ${at}, 'rol_contributor', 'active', gen_random_uuid() from ${each(6, 200)}`,
  `insert into scanner_state_change (org_id, repository_id, source, at, state, entry_id)
   select id, ${repository}, (array['checkmarx', 'code_scanning', 'dependabot'])[n % 3 + 1], ${at}, (array['working', 'failing'])[n % 2 + 1], gen_random_uuid()
   from ${each(6, 2000)}`,
  `insert into access_review (org_id, id, quarter, opened_at, entry_id)
   select id, md5('review ' || o || ' ' || n)::uuid, date '2000-01-01' + make_interval(months => 3 * n), now(), gen_random_uuid() from ${each(2, 40)}`,
  `insert into access_review_item (org_id, review_id, account_id, role_id, added_at, entry_id)
   select id, md5('review ' || o || ' ' || n)::uuid, md5('account ' || o || ' ' || m)::uuid, 'rol_contributor', now(), gen_random_uuid()
   from ${each(2, 40)} cross join generate_series(1, 50) as m`,
  `insert into access_review_decision (org_id, review_id, account_id, role_id, reviewer, decision, entry_id)
   select id, md5('review ' || o || ' ' || n)::uuid, md5('account ' || o || ' ' || m)::uuid, 'rol_contributor', id, 'kept', gen_random_uuid()
   from ${each(2, 40)} cross join generate_series(1, 40) as m`,
  `insert into access_review_host_item (org_id, review_id, id, holder_id, permission, repositories, added_at, entry_id)
   select id, md5('review ' || o || ' ' || n)::uuid, md5('host item ' || o || ' ' || n || ' ' || m)::uuid,
     md5('holder ' || o || ' ' || m)::uuid, 'write', array[md5('repository ' || o || ' 1')::uuid], now(), gen_random_uuid()
   from ${each(2, 40)} cross join generate_series(1, case when o = 0 then 50 else 4 end) as m`,
  `insert into access_review_host_decision (org_id, review_id, item_id, reviewer, decision, entry_id)
   select id, md5('review ' || o || ' ' || n)::uuid, md5('host item ' || o || ' ' || n || ' ' || m)::uuid, id, 'kept', gen_random_uuid()
   from ${each(2, 40)} cross join generate_series(1, case when o = 0 then 40 else 4 end) as m`,
  `insert into merge_count (org_id, repository_id, week, yes, no, unknown)
   select distinct on (id, repository, week) id, repository, week, 1, 1, 1 from (
     select id, ${repository} as repository, date '2026-01-05' + 7 * (n % 26) as week from ${each(3, 1000)}
   ) counted`,
  `insert into framework (org_id, id, name, source, requirements, document_sha256, imported_by)
   select id, md5('framework ' || o || ' ' || n)::uuid, 'Framework ' || n, 'Profile', '[]', '\\x00', ${person} from ${each(2, 20)}`,
  `insert into framework_mapping (org_id, framework_id, version, mappings, sha256, changed_by, entry_id)
   select id, md5('framework ' || o || ' ' || n % 20)::uuid, n, '[]', '\\x00', ${person}, gen_random_uuid() from ${each(2, 200)}`,
  `insert into framework_approval (org_id, framework_id, sha256, approved_by, entry_id)
   select id, 'soc2', sha256((o || ' ' || n)::bytea), ${person}, gen_random_uuid() from ${each(2, 100)}`,
  `insert into framework_requirement (org_id, framework_id, requirement_id, notes)
   select id, (array['soc2', 'pci'])[n % 2 + 1], 'R-' || n, 'Note' from ${each(4, 200)}`,
  `insert into access_review_signature (org_id, review_id, signed_by, entry_id)
   select id, md5('review ' || o || ' ' || n)::uuid, id, gen_random_uuid() from ${each(2, 40)}`,
  `insert into tool_sighting (org_id, tab, tool_id, holder, holder_id, version, day, seen_at, entry_id)
   select id, 'developer', 'tool ' || n % 300, 'person', md5('person ' || o || ' ' || n % 100)::uuid, '1.' || n, (${at})::date, ${at}, gen_random_uuid()
   from ${each(6, 400)}`,
  `insert into policy (org_id, id, version, name, kind, scope, settings, mode, valid_from, valid_until, ended_entry_id, author, entry_id)
   select id, md5('policy ' || o || ' ' || n / 2)::uuid, 1 + n % 2, 'Policy ' || n, (array['merge', 'sla', 'tool-deny'])[n % 3 + 1],
     '{"repositories":null,"branches":[],"tools":[]}', '{}', 'observe', ${at}, case when n % 2 = 0 or n > 200 then ${at} end,
     case when n % 2 = 0 or n > 200 then gen_random_uuid() end, md5('account ' || o || ' ' || n % 50)::uuid, gen_random_uuid() from ${each(4, 1000)}`,
  `insert into policy_change (org_id, id, policy_id, action, base_version, name, proposed, weakened, requested_by, requested_at, entry_id,
     decided_by, decided_at, decision)
   select id, md5('weaker ' || o || ' ' || n)::uuid, md5('policy ' || o || ' ' || n)::uuid, 'update', 1, 'Policy ' || n,
     '{"mode":"observe","kind":"merge","scope":{"repositories":null,"branches":[],"tools":[]},"settings":{}}', '[]', id, ${at}, gen_random_uuid(),
     case when n > 20 then gen_random_uuid() end, case when n > 20 then ${at} end, case when n > 20 then 'approved' end from ${each(4, 1000)}`,
  `insert into policy_notification (org_id, policy_id, control_id, subject)
   select id, md5('policy ' || o || ' ' || n % 20)::uuid, 'CHG-01', 'subject ' || n from ${each(4, 1000)}`,
  `insert into policy_dry_run (org_id, id, settings_hash, result, created_by)
   select id, gen_random_uuid(), sha256((o || ' ' || n)::bytea), '{}', gen_random_uuid() from ${each(4, 1000)}`,
  `insert into control_waiver (org_id, id, control_id, subject, reason, reason_length, requested_by, requested_at, valid_from, valid_until, entry_id,
     decided_by, decided_at, decision, expired_at)
   select id, md5('leave ' || o || ' ' || n)::uuid, (array['CHG-01', 'SCN-01', 'TOL-01'])[n % 3 + 1], 'subject ' || n, 'It is needed', 12, id, ${at}, ${at},
     now() + interval '30 days', gen_random_uuid(), case when n % 4 > 0 then gen_random_uuid() end, case when n % 4 > 0 then ${at} end,
     case when n % 4 > 0 then (array['approved', 'refused', 'withdrawn'])[n % 4] end, null from ${each(6, 2000)}`,
  `insert into commit_digest (org_id, id, repository_id, period_from, period_to, as_of_epoch, as_of_size, body, body_sha256, flagged, missing_evidence, counts,
     due_at, state, entry_id)
   select id, md5('digest ' || o || ' ' || n)::uuid, ${repository}, ${at}, ${at} + interval '7 days', 1, n, '{"v":1,"flags":[],"missingEvidence":[]}',
     sha256(n::text::bytea), 0, 0, (select jsonb_object_agg(name, n) from unnest(array['changes', 'withoutApproval', 'byAgents', 'commits',
       'directCommits', 'newCommitters', 'protectionChanges', 'newTools', 'seriousFindings', 'overTimeLimit', 'waivers']) name),
     ${at}, case when n % 20 = 0 then 'open' else 'signed' end, gen_random_uuid() from ${each(6, 2000)}`,
  `insert into commit_digest_review (org_id, id, digest_id, reviewer, decision, note, body_sha256, items, completes, at, entry_id)
   select id, gen_random_uuid(), md5('digest ' || o || ' ' || n)::uuid, gen_random_uuid(), 'reviewed', '', sha256(n::text::bytea), '{}', true, ${at},
     gen_random_uuid() from ${each(6, 2000)} where n % 20 > 0`,
  `insert into notification (org_id, account_id, id, type, severity, title, titles, body, link, reason, scope_key, count, status, in_app,
     subject, created_at, updated_at)
   select id, md5('account ' || o || ' ' || n % 50)::uuid, md5('notification ' || o || ' ' || n)::uuid, 'finding.new', n % 5, 'New in ' || n, 'New in ' || n,
     '', '/', 'owner', 'scope ' || n, 1, (array['unread', 'read', 'archived'])[n % 3 + 1], true, '{}', ${at}, ${at} from ${each(10, 2000)}`,
  `insert into notification_setting (org_id, account_id) select id, md5('account ' || o || ' ' || n)::uuid from ${each(4, 50)}`,
  `insert into notification_default (org_id, role_id) select id, 'role ' || n from ${each(2, 4)}`,
  `insert into notification_digest (org_id, account_id, due_at)
   select id, md5('account ' || o || ' ' || n)::uuid, now() + interval '1 day' from ${each(2, 50)}`,
  `insert into notification_outbox (org_id, account_id, notification_id, raised, at)
   select id, md5('account ' || o || ' ' || n % 50)::uuid, md5('notification ' || o || ' ' || n)::uuid, 1, ${at} from ${each(4, 500)}`,
  `insert into notification_pending (org_id, id, notification) select id, gen_random_uuid(), '{}' from ${each(2, 50)}`,
  `insert into context (org_id, id, filters) select id, gen_random_uuid(), '[]' from ${each(4, 100)}`,
  `insert into event (org_id, id, as_of, received_at, kind, actor, repo, pr, source, summary, detail, leaf_hash, proof)
   select id, md5('event ' || o || ' ' || n)::uuid, ${at}, now(), (array['commit', 'pull_request', 'other'])[n % 3 + 1], ${person}, ${repository}, n % 50, 'seed',
     '{"phrase":"did","parameters":[]}', '[]', '\\x00', gen_random_uuid() from ${each(20, 2000)}`,
  `insert into saved_view (org_id, id, account_id, name, query, shared)
   select id, gen_random_uuid(), md5('account ' || o || ' ' || n)::uuid, 'View ' || n, 'kind:commit', n % 3 = 0 from ${each(4, 300)}`,
  `insert into event_hour_kind (org_id, hour, kind, n)
   select id, floor(extract(epoch from timestamptz '2026-01-01') / 3600)::int + n, 'commit', 1 from ${each(20, 2000)}`,
  `insert into posting_pending (org_id, events, as_of, id, terms, places)
   select id, 1, array[${at}], array[gen_random_uuid()], '{1,2}', '{1,1}' from ${each(5, 100)}`,
  `insert into posting_name (org_id, field, value, term)
   select id, field, 'value ' || n, n from ${each(4, 300)} cross join unnest('{word,tool,branch,file}'::text[]) as field`,
  `insert into event_reindex (org_id) select id from orgs where o > 0`,
  `insert into forgotten_event (org_id, received_at, id, proof, leaf_hash)
   select id, ${at}, md5('gone ' || o || ' ' || n)::uuid, gen_random_uuid(), '\\x00' from ${each(4, 300)}`,
  `insert into event_retention (org_id, events, clipboard_events) select id, 1, 1 from orgs where o > 0`,
  // Other organizations have an archive, whose segments are never opened.
  `insert into event_archive (org_id, version) select id, 1 from orgs where o > 0`,
  `insert into event_segment (org_id, id, first_at, first_id, last_at, last_id, events, received_from, received_to, sha256, bytes, id_hashes)
   select id, gen_random_uuid(), now(), id, now(), id, 1, now(), now(), '\\x00', 1, '\\x00' from orgs cross join generate_series(1, 20) where o > 0`,
  `insert into event_segment_term (org_id, id, terms) select id, gen_random_uuid(), '{1}' from orgs cross join generate_series(1, 20) where o > 0`,
  `insert into event_segment_garbage (org_id, id, replaced) select id, gen_random_uuid(), true from orgs cross join generate_series(1, 20) where o > 0`,
  `insert into event_copy (org_id) select id from orgs where o > 0`,
  `insert into event_copy_pending (org_id, as_of, id) select id, array[${at}], array[gen_random_uuid()] from ${each(4, 300)}`,
  `insert into posting_list (org_id, term, hour, as_of, id)
   select id, term, floor(extract(epoch from ${at}) / 3600)::int, array[${at}], array[md5('event ' || o || ' ' || n)::uuid]
   from ${each(20, 2000)} cross join lateral (values (1), (n % 20 + 2)) as t(term)`,
];

/** Fills every table that grows with well over 100 000 rows in total, most of them of other organizations. */
export async function fillGrowingTables(superuser: pg.Client, orgId: string): Promise<void> {
  // These rows violate references and row-level security, which are disabled here.
  await superuser.query(`set session_replication_role = replica`);
  await superuser.query('create temp table orgs (o int, id uuid)');
  await superuser.query(
    `insert into orgs select 0, $1::uuid union all select o, md5('org ' || o)::uuid from generate_series(1, ${others}) as o`,
    [orgId],
  );
  // Tables that a test empties must not get plans for small tables, however long the calls take.
  await superuser.query(`do $$ declare name text; begin
    for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
      execute format('alter table %I set (autovacuum_enabled = false)', name);
    end loop; end $$`);
  for (const statement of statements) {
    // The test organizations already have some of these rows.
    await superuser.query(statement.startsWith('insert') ? `${statement} on conflict do nothing` : statement);
  }
  await superuser.query('vacuum (analyze)');
}
