import { type SourceId, sources } from './sources.ts';

type ReasonText =
  | { readonly kind: 'pass' | 'fail' | 'waiver'; readonly text: string }
  /** `source`: the data source of the missing facts. `time`: nothing is missing, but the time has not come yet. */
  | { readonly kind: 'missing_evidence'; readonly text: string; readonly source: SourceId | 'time' };

const pass = (text: string) => ({ kind: 'pass', text }) as const;
const failure = (text: string) => ({ kind: 'fail', text }) as const;
const missing = (source: SourceId | 'time', text: string) => ({ kind: 'missing_evidence', text, source }) as const;

/** All reasons of verdicts, each with one sentence. */
export const reasons = {
  approved_waiver: {
    kind: 'waiver',
    text: 'Another person approved a waiver for this time.',
  },

  independent_approval: pass('A person who did not contribute to the change approved it after the last push.'),
  agent_observed: pass('Telemetry of the agent independently shows a session for the change.'),
  agent_not_observed: pass('The agent is declared, and its connected telemetry shows no session for the change.'),
  agent_observation_missing: pass(
    'The agent is declared, but not observed independently: no telemetry of it is connected for the authors.',
  ),
  agent_policy_met: pass('Agents, models, MCP servers and files are as the policy requires.'),
  agent_change_within_limit: pass('The change has too few lines to require an independent review.'),
  approver_joined_recently: pass('The approval depends on a person who had joined shortly before.'),
  by_pull_request: pass('The commit belongs to a merged pull request.'),
  host_activity_not_reported: pass('The code host does not report whether its pull request was merged or pushed.'),
  merged_by_another: pass('The merger is not an author.'),
  protected_all_day: pass('The branch was protected as required for the whole day.'),
  required_checks_passed: pass('Every required check passed on the head commit before the merge.'),
  ticket_found: pass('The pull request references an existing ticket or is linked to an issue.'),
  scanned: pass('A scan of the change succeeded within the limit.'),
  scan_fresh: pass('A scan of the default branch succeeded within the limit.'),
  fixed_in_time: pass('The finding was fixed within its limit.'),
  inside_time_limit: pass('The limit of the finding has not passed.'),
  secret_closed: pass('The secret was rotated, revoked or classified as a false positive within the limit.'),
  independent_decision: pass('Another person with permission decided the waiver, with a reason and an expiry.'),
  tool_approved: pass('The tool was approved when it was detected.'),
  observed: pass('An extension was connected while the person committed.'),
  member_at_each_act: pass('The person was an active member at each of these activities.'),
  member_during_access: pass('The person was an active member while they had access on code hosts.'),
  access_ended_after_leaving: pass('Membership and access ended in time after the person left the directory.'),
  access_reviewed: pass('Another person confirmed or changed this access in a review signed in the quarter.'),
  ledger_intact: pass('The ledger was intact, timely and anchored externally on that day.'),
  digest_signed: pass('A reviewer signed off the unchanged digest within the limit.'),

  direct_push: failure('The change was pushed directly, without a pull request.'),
  merged_by_push: failure(
    'The activity list of the code host names a direct push, although the code host shows the pull request as merged.',
  ),
  forced_push: failure('The push was forced.'),
  no_independent_approval: failure(
    'Too few people who did not contribute to the change approved it after the last push.',
  ),
  approved_after_merge: failure('An approval came after the merge.'),
  approval_dismissed: failure('An approval had been dismissed by the merge.'),
  approval_withdrawn: failure('An approver later requested changes.'),
  approved_before_last_push: failure('An approval is for an earlier commit than the merged one.'),
  approved_by_agent: failure('An approval came from an agent.'),
  approved_by_non_member: failure('An approver was not an active member at that time.'),
  approved_by_author: failure('An approver was an author.'),
  approved_by_last_pusher: failure('An approver was the last pusher.'),
  approved_by_earlier_pusher: failure('An approver had pushed to the branch of the pull request.'),
  approved_by_session_owner: failure('An approver owned an agent session that contributed to the change.'),
  agent_not_allowed: failure('An agent contributed that is not allowed in this repository.'),
  agent_model_not_allowed: failure('An agent used a model that is not allowed in this repository.'),
  mcp_server_not_allowed: failure(
    'An agent used, or the change configures, an MCP server that is not allowed in this repository.',
  ),
  agent_changed_protected_path: failure('A change with agent contributions touches a protected file.'),
  merge_has_own_content: failure('The merged commit has changes that the pull request does not have.'),
  merged_by_author: failure('An author merged.'),
  too_few_required_reviews: failure('The branch required fewer reviews than the policy.'),
  stale_approvals_kept: failure('The branch kept approvals after a new push.'),
  force_push_allowed: failure('The branch allowed force pushes.'),
  deletion_allowed: failure('The branch could be deleted.'),
  admins_exempt: failure('Administrators or named users, teams or apps could bypass the branch protection.'),
  too_few_required_checks: failure('The branch required fewer checks than the policy.'),
  required_checks_unbound: failure('Any app could report a required check of the branch.'),
  required_check_failed: failure('A required check failed or was skipped.'),
  required_check_missing: failure('A required check did not run on the head commit.'),
  required_check_disabled: failure('A required check was disabled shortly before the merge.'),
  required_check_by_other_app: failure('Only another app than the required one reported a required check.'),
  required_check_late: failure('A required check did not finish before the merge.'),
  no_ticket: failure('The pull request references no existing ticket and no issue is linked to it.'),
  not_scanned: failure('No scan of the change succeeded within the limit.'),
  scan_too_old: failure('No scan of the default branch succeeded within the limit.'),
  over_time_limit: failure('The finding was open for longer than its limit.'),
  secret_over_time_limit: failure('The secret was open for longer than the limit.'),
  secret_closed_without_remediation: failure(
    'The secret was closed without rotation, revocation or classification as a false positive.',
  ),
  decided_by_requester: failure('The requester of the waiver also decided it.'),
  decided_without_permission: failure('The decider of the waiver had no permission at that time.'),
  reason_too_short: failure('The waiver has no reason, or the reason is too short.'),
  waiver_too_long: failure('The waiver expires later than allowed.'),
  tool_denied: failure('The tool was denied when it was detected.'),
  tool_unreviewed_over_limit: failure('The tool was not decided within the limit.'),
  coverage_too_low: failure('The extension was not connected in enough of the hours in which the person committed.'),
  recording_paused: failure('The extension was paused in hours with commits of the person.'),
  act_after_deactivation: failure('The person acted after deactivation.'),
  actor_not_member: failure('The person acted and was never a member.'),
  host_access_after_deactivation: failure(
    'The person had access to a repository on its code host for too long after deactivation.',
  ),
  member_after_leaving: failure('The person left the directory, and remained a member for too long.'),
  host_access_after_leaving: failure(
    'The person left the directory, and had access to a repository on its code host for too long.',
  ),
  access_of_leaver: failure(
    'The person left the directory, and this access was still in force at the end of the quarter.',
  ),
  host_access_of_non_member: failure('A person who is not a member had access to a repository on its code host.'),
  access_not_reviewed: failure('This access was not reviewed in the quarter.'),
  access_not_changed: failure(
    'The reviewer decided that this access changes, and it was still in force at the end of the quarter.',
  ),
  access_review_unsigned: failure('The review of this access was not signed.'),
  access_reviewed_outside_quarter: failure('The review of this access was signed outside the quarter.'),
  access_reviewed_by_member: failure('The member reviewed their own access.'),
  self_check_failed: failure('The ledger’s self-check failed.'),
  entries_delayed: failure('Entries were pending longer than allowed.'),
  never_anchored: failure('No ledger checkpoint was published to an external anchor.'),
  anchor_too_old: failure('The latest anchored checkpoint is older than allowed.'),
  epoch_broken: failure('The ledger was restarted with a new epoch.'),
  digest_not_signed: failure('The digest was not signed off within the limit.'),
  digest_signed_late: failure('The digest was signed off late.'),

  merge_method_unknown: missing('pull_requests', 'It is unknown whether the change belongs to a pull request.'),
  host_activity_unknown: missing(
    'pushes',
    'It is unknown whether the activity list of the code host names a merge or a direct push.',
  ),
  reviews_missing: missing('pull_requests', 'The reviews are unknown or incomplete.'),
  dismissal_time_unknown: missing('pull_requests', 'The dismissal time of an approval is unknown.'),
  head_unknown: missing('pull_requests', 'The head commit of the pull request is unknown.'),
  reviewed_commit_unknown: missing('pull_requests', 'The commit of an approval is unknown.'),
  merge_commit_unknown: missing('pull_requests', 'The merged commit is unknown.'),
  merge_content_unknown: missing(
    'pull_requests',
    'It is unknown whether the merged commit has changes that the pull request does not have.',
  ),
  authors_missing: missing('pushes', 'The authors are unknown or incomplete.'),
  last_pusher_missing: missing('pushes', 'The last pusher is unknown.'),
  pushers_missing: missing('pushes', 'A pusher to the branch of the pull request is unknown.'),
  authors_unattested: missing(
    'pushes',
    'A program pushed commits without a verified signature, or it is unknown whether it did: the approver could have written them.',
  ),
  push_order_unknown: missing('pushes', 'It is unknown whether an approval came after the last push.'),
  push_lost: missing(
    'pushes',
    'A push is missing: this one starts at a different commit than the last known one ended at.',
  ),
  push_truncated: missing('pushes', 'The code host omitted commits of the push, and they were not recovered.'),
  force_unknown: missing('pushes', 'It is unknown whether the push was forced.'),
  acts_missing: missing('pushes', 'The activities of the person are unknown.'),
  host_access_unknown: missing(
    'host_access',
    'At some time it is unknown who had access to a repository on its code host.',
  ),
  author_unresolved: missing('identities', 'An author is not resolved with certainty.'),
  last_pusher_unresolved: missing('identities', 'The last pusher is not resolved with certainty.'),
  pusher_unresolved: missing('identities', 'A pusher is not resolved with certainty.'),
  session_owner_unresolved: missing('identities', 'The owner of an agent session is not resolved with certainty.'),
  reviewer_unresolved: missing('identities', 'A reviewer is not resolved with certainty.'),
  reviewer_kind_unknown: missing('identities', 'It is unknown whether a reviewer is a human.'),
  merger_unresolved: missing('identities', 'The merger or merge requester is not resolved with certainty.'),
  person_unresolved: missing('identities', 'The person is not resolved with certainty.'),
  person_kind_unknown: missing('identities', 'It is unknown whether this is a human.'),
  membership_unknown: missing('members', 'The membership of the person at that time is unknown.'),
  permission_unknown: missing('members', 'The permission of the decider is unknown.'),
  actor_unresolved: missing(
    'waivers',
    'The data of the requester or decider is deleted, or the person is not resolved with certainty.',
  ),
  session_owners_missing: missing('attribution', 'The owners of contributing agent sessions are unknown.'),
  attribution_missing: missing('attribution', 'No source reports agent contributions for this repository.'),
  agent_only_inferred: missing('attribution', 'The agent contribution is only inferred.'),
  agent_not_declared: missing(
    'attribution',
    'Telemetry shows an agent session for the change, but no commit, note or trace declares the agent.',
  ),
  agent_name_unknown: missing('attribution', 'It is unknown which agent contributed.'),
  agent_model_unknown: missing('attribution', 'It is unknown which models an agent used.'),
  mcp_servers_unknown: missing('attribution', 'It is unknown which MCP servers an agent used.'),
  configured_servers_unknown: missing(
    'pull_requests',
    'The agent configuration that the change contains is unknown, or a file of it could not be read.',
  ),
  changed_files_unknown: missing('pull_requests', 'It is unknown whether the change touches a protected file.'),
  changed_lines_unknown: missing('pull_requests', 'The number of changed lines is unknown.'),
  protection_missing: missing('protection', 'The branch protection is unknown or incomplete.'),
  protection_stale: missing('protection', 'At some time the latest snapshot of the branch protection was too old.'),
  protection_incomplete: missing('protection', 'The code host does not report part of the branch protection.'),
  required_checks_unknown: missing('protection', 'The required checks of the branch are unknown.'),
  check_reporter_unknown: missing(
    'checks',
    'A required check has a commit status, and the code host does not report whether the required app created it.',
  ),
  checks_missing: missing('checks', 'The results of the checks are unknown.'),
  tickets_missing: missing(
    'tickets',
    'The referenced tickets could not be checked: no issue tracker is connected, or not every reference was read.',
  ),
  tracker_unreachable: missing('tickets', 'The issue tracker was not available.'),
  issues_missing: missing('pull_requests', 'The linked issues of the pull request are unknown.'),
  scanner_unknown: missing('scans', 'The state of the scanner at that time is unknown.'),
  scanner_failing: missing('scans', 'The scanner failed.'),
  scanner_not_configured: missing('scans', 'No scanner is configured, or it is inactive.'),
  scans_missing: missing('scans', 'The scanner runs are unknown or incomplete.'),
  still_open_unknown: missing('scans', 'No recent scan confirms that the finding is still open.'),
  severity_unknown: missing('findings', 'The severity of the finding is unknown.'),
  closure_unknown: missing('findings', 'The scanner does not report whether or why the secret was closed.'),
  tool_unreviewed: missing('tools', 'The tool is not decided yet.'),
  tool_decisions_missing: missing('tools', 'The decisions about the tool are unknown.'),
  version_unknown: missing('tools', 'The version of the tool is unknown, and a decision lists versions.'),
  not_observable: missing('presence', 'The extension of the person never connected.'),
  extension_unknown: missing('presence', 'It is unknown whether the extension of the person ever connected.'),
  presence_missing: missing('presence', 'The connection times of the extension are unknown or incomplete.'),
  access_review_missing: missing('access_reviews', 'The access reviews are unknown.'),
  ledger_facts_missing: missing('ledger', 'The state of the ledger on that day is unknown.'),
  sign_offs_missing: missing('digests', 'The reviewer of the digest is unknown.'),
  repository_disabled: missing('repositories', 'The repository was disabled for a time, and nothing was recorded.'),
  enabled_recently: missing('time', 'The repository was not enabled for long enough.'),
  quarter_running: missing('time', 'The quarter has not ended.'),
  time_not_over: missing('time', 'The limit has not passed.'),
} as const satisfies Record<string, ReasonText>;

export type ReasonCode = keyof typeof reasons;

/** A code, with the opaque ID of its object if there are several: `approved_by_author:1f0c…`. */
export type Reason = ReasonCode | `${ReasonCode}:${string}`;

/** A reason in words, the ID of its object, and for missing evidence its data source and remedy. */
export interface ExplainedReason {
  readonly code: ReasonCode;
  readonly text: string;
  readonly about: string | null;
  readonly remedy: string | null;
}

/** Explains a reason. Returns undefined for an unknown one. */
export function explainReason(reason: string): ExplainedReason | undefined {
  const colon = reason.indexOf(':');
  const code = colon < 0 ? reason : reason.slice(0, colon);
  if (!isCode(code)) return undefined;
  const words: ReasonText = reasons[code];
  return { code, text: words.text, about: colon < 0 ? null : reason.slice(colon + 1), remedy: remedyOf(words) };
}

/** Whether a reason is of a pass, a failure, a waiver or missing evidence. */
export function reasonKindOf(reason: Reason): ReasonText['kind'] {
  const [code = ''] = reason.split(':');
  return isCode(code) ? reasons[code].kind : 'missing_evidence';
}

const isCode = (text: string): text is ReasonCode => Object.hasOwn(reasons, text);

function remedyOf(words: ReasonText): string | null {
  if (words.kind !== 'missing_evidence') return null;
  return words.source === 'time'
    ? 'No action required. The result is final after the limit.'
    : sources[words.source].remedy;
}
