import { type SourceId, sources } from './sources.ts';

type Words =
  | { readonly kind: 'pass' | 'exception' | 'excuse'; readonly says: string }
  /** `from`: whose facts are missing; `time`: nothing is, it is only too early. */
  | { readonly kind: 'gap'; readonly says: string; readonly from: SourceId | 'time' };

const pass = (says: string) => ({ kind: 'pass', says }) as const;
const exception = (says: string) => ({ kind: 'exception', says }) as const;
const gap = (from: SourceId | 'time', says: string) => ({ kind: 'gap', says, from }) as const;

/** Each reason of a verdict, in one sentence. */
export const reasons = {
  approved_exception: {
    kind: 'excuse',
    says: 'Another person approved a waiver for this time.',
  },

  independent_approval: pass('A person who did not contribute to the change approved it after the last push.'),
  by_pull_request: pass('The commit belongs to a merged pull request.'),
  merged_by_another: pass('The merger is not an author.'),
  protected_all_day: pass('The branch was protected as required for the whole day.'),
  no_checks_required: pass('The branch protection required no checks.'),
  required_checks_green: pass('Every required check passed on the head commit before the merge.'),
  ticket_found: pass('The pull request references an existing ticket or is linked to an issue.'),
  scanned: pass('A scan of the change succeeded within the limit.'),
  scan_fresh: pass('A scan of the default branch succeeded within the limit.'),
  fixed_in_time: pass('The finding was fixed within its limit.'),
  inside_time_limit: pass('The limit of the finding has not passed.'),
  secret_closed: pass('The secret was rotated, revoked or classified as a false positive within the limit.'),
  four_eyes: pass('Another person with permission decided the waiver, with a reason and an expiry.'),
  tool_approved: pass('The tool was approved when it was detected.'),
  observed: pass('An extension was connected while the person committed.'),
  member_at_each_act: pass('The person was an active member at each of these activities.'),
  access_reviewed: pass('Another person confirmed or changed this access in a review signed in the quarter.'),
  ledger_whole: pass('The ledger was intact, timely and anchored externally on that day.'),
  digest_signed: pass('A reviewer signed off the unchanged digest within the limit.'),

  direct_push: exception('The change was pushed directly, without a pull request.'),
  forced_push: exception('The push was forced.'),
  no_independent_approval: exception(
    'Too few people who did not contribute to the change approved it after the last push.',
  ),
  approved_after_merge: exception('An approval came after the merge.'),
  approval_dismissed: exception('An approval had been dismissed by the merge.'),
  approval_withdrawn: exception('An approver later requested changes.'),
  approved_before_last_push: exception('An approval is for an earlier commit than the merged one.'),
  approved_by_agent: exception('An approval came from an agent.'),
  approved_by_stranger: exception('An approver was not an active member at that time.'),
  approved_by_author: exception('An approver was an author.'),
  approved_by_last_pusher: exception('An approver was the last pusher.'),
  approved_by_session_owner: exception('An approver owned an agent session that contributed to the change.'),
  merged_by_author: exception('An author merged.'),
  too_few_required_reviews: exception('The branch required fewer reviews than the policy.'),
  stale_approvals_stay: exception('The branch kept approvals after a new push.'),
  force_push_allowed: exception('The branch allowed force pushes.'),
  deletion_allowed: exception('The branch could be deleted.'),
  admins_not_bound: exception('The branch protection did not include administrators.'),
  required_check_failed: exception('A required check failed.'),
  required_check_missing: exception('A required check did not run on the head commit.'),
  required_check_late: exception('A required check did not finish before the merge.'),
  no_ticket: exception('The pull request references no existing ticket and no issue is linked to it.'),
  not_scanned: exception('No scan of the change succeeded within the limit.'),
  scan_too_old: exception('No scan of the default branch succeeded within the limit.'),
  over_time_limit: exception('The finding was open for longer than its limit.'),
  secret_over_time_limit: exception('The secret was open for longer than the limit.'),
  secret_closed_otherwise: exception(
    'The secret was closed without rotation, revocation or classification as a false positive.',
  ),
  decided_by_requester: exception('The requester of the waiver also decided it.'),
  decided_without_right: exception('The decider of the waiver had no permission at that time.'),
  reason_too_short: exception('The waiver has no reason, or the reason is too short.'),
  exception_too_long: exception('The waiver expires later than allowed.'),
  tool_denied: exception('The tool was denied when it was detected.'),
  tool_unreviewed_for_long: exception('The tool was not decided within the limit.'),
  coverage_too_low: exception('The extension was not connected in enough of the hours in which the person committed.'),
  recording_paused: exception('The extension was paused in hours with commits of the person.'),
  act_after_leaving: exception('The person acted after deactivation.'),
  act_by_stranger: exception('The person acted and was never a member.'),
  access_not_reviewed: exception('This access was not reviewed in the quarter.'),
  access_review_unsigned: exception('The review of this access was not signed.'),
  access_reviewed_outside_quarter: exception('The review of this access was signed outside the quarter.'),
  access_reviewed_by_member: exception('The member reviewed their own access.'),
  self_check_failed: exception('The ledger’s self-check failed.'),
  entries_waited: exception('Entries were pending longer than allowed.'),
  never_anchored: exception('No ledger checkpoint was published to an external anchor.'),
  anchor_too_old: exception('The latest anchored checkpoint is older than allowed.'),
  epoch_broken: exception('The ledger was restarted with a new epoch.'),
  digest_not_signed: exception('The digest was not signed off within the limit.'),
  digest_signed_late: exception('The digest was signed off late.'),

  way_unknown: gap('pull_requests', 'It is unknown whether the change belongs to a pull request.'),
  reviews_missing: gap('pull_requests', 'The reviews are unknown or incomplete.'),
  dismissal_time_unknown: gap('pull_requests', 'The dismissal time of an approval is unknown.'),
  head_unknown: gap('pull_requests', 'The head commit of the pull request is unknown.'),
  reviewed_commit_unknown: gap('pull_requests', 'The commit of an approval is unknown.'),
  merge_commit_unknown: gap('pull_requests', 'The merged commit is unknown.'),
  authors_missing: gap('pushes', 'The authors are unknown or incomplete.'),
  last_pusher_missing: gap('pushes', 'The last pusher is unknown.'),
  push_order_unknown: gap('pushes', 'It is unknown whether an approval came after the last push.'),
  push_lost: gap(
    'pushes',
    'A push is missing: this one starts at a different commit than the last known one ended at.',
  ),
  push_truncated: gap('pushes', 'The code host omitted commits of the push, and they were not recovered.'),
  force_unknown: gap('pushes', 'It is unknown whether the push was forced.'),
  acts_missing: gap('pushes', 'The activities of the person are unknown.'),
  author_unresolved: gap('identities', 'An author is not resolved with certainty.'),
  last_pusher_unresolved: gap('identities', 'The last pusher is not resolved with certainty.'),
  session_owner_unresolved: gap('identities', 'The owner of an agent session is not resolved with certainty.'),
  reviewer_unresolved: gap('identities', 'A reviewer is not resolved with certainty.'),
  reviewer_kind_unknown: gap('identities', 'It is unknown whether a reviewer is a human.'),
  merger_unresolved: gap('identities', 'The merger or merge requester is not resolved with certainty.'),
  person_unresolved: gap('identities', 'The person is not resolved with certainty.'),
  person_kind_unknown: gap('identities', 'It is unknown whether this is a human.'),
  membership_unknown: gap('members', 'The membership of the person at that time is unknown.'),
  right_unknown: gap('members', 'The permission of the decider is unknown.'),
  actor_unresolved: gap(
    'exceptions',
    'The data of the requester or decider is deleted, or the person is not resolved with certainty.',
  ),
  session_owners_missing: gap('attribution', 'The owners of contributing agent sessions are unknown.'),
  attribution_missing: gap('attribution', 'No source reports agent contributions for this repository.'),
  agent_only_inferred: gap('attribution', 'The agent contribution is only inferred.'),
  protection_missing: gap('protection', 'The branch protection is unknown or incomplete.'),
  protection_stale: gap('protection', 'At some time the latest snapshot of the branch protection was too old.'),
  protection_untold: gap('protection', 'The code host does not report part of the branch protection.'),
  required_checks_unknown: gap('protection', 'The required checks of the branch are unknown.'),
  checks_missing: gap('checks', 'The results of the checks are unknown.'),
  tickets_missing: gap('tickets', 'The referenced tickets could not be checked: no issue tracker is connected.'),
  tracker_unreachable: gap('tickets', 'The issue tracker was not available.'),
  issues_missing: gap('pull_requests', 'The linked issues of the pull request are unknown.'),
  scanner_unknown: gap('scans', 'The state of the scanner at that time is unknown.'),
  scanner_failing: gap('scans', 'The scanner failed.'),
  scanner_not_configured: gap('scans', 'No scanner is configured, or it is inactive.'),
  scans_missing: gap('scans', 'The scanner runs are unknown or incomplete.'),
  still_open_unknown: gap('scans', 'No recent scan confirms that the finding is still open.'),
  severity_unknown: gap('findings', 'The severity of the finding is unknown.'),
  closing_untold: gap('findings', 'The scanner does not report whether or why the secret was closed.'),
  tool_unreviewed: gap('tools', 'The tool is not decided yet.'),
  tool_decisions_missing: gap('tools', 'The decisions about the tool are unknown.'),
  version_unknown: gap('tools', 'The version of the tool is unknown, and a decision lists versions.'),
  not_observable: gap('presence', 'The extension of the person never connected.'),
  extension_unknown: gap('presence', 'It is unknown whether the extension of the person ever connected.'),
  presence_missing: gap('presence', 'The connection times of the extension are unknown or incomplete.'),
  access_review_missing: gap('access_reviews', 'The access reviews are unknown.'),
  ledger_facts_missing: gap('ledger', 'The state of the ledger on that day is unknown.'),
  sign_offs_missing: gap('digests', 'The reviewer of the digest is unknown.'),
  enabled_lately: gap('time', 'The repository was not enabled for long enough.'),
  quarter_running: gap('time', 'The quarter has not ended.'),
  time_not_over: gap('time', 'The limit has not passed.'),
} as const satisfies Record<string, Words>;

export type ReasonCode = keyof typeof reasons;

/** A code, with the opaque id of what it is about where that is one thing of several: `approved_by_author:1f0c…`. */
export type Reason = ReasonCode | `${ReasonCode}:${string}`;

/** A reason in words, the id of what it is about, and for a gap whose facts are missing and the one action that closes it. */
export interface ToldReason {
  readonly code: ReasonCode;
  readonly says: string;
  readonly about: string | null;
  readonly closedBy: string | null;
}

/** What a reason says. Undefined for one that is none of ours. */
export function tellReason(reason: string): ToldReason | undefined {
  const colon = reason.indexOf(':');
  const code = colon < 0 ? reason : reason.slice(0, colon);
  if (!isCode(code)) return undefined;
  const words: Words = reasons[code];
  return { code, says: words.says, about: colon < 0 ? null : reason.slice(colon + 1), closedBy: closingOf(words) };
}

const isCode = (text: string): text is ReasonCode => Object.hasOwn(reasons, text);

function closingOf(words: Words): string | null {
  if (words.kind !== 'gap') return null;
  return words.from === 'time'
    ? 'No action required. The result is final after the limit.'
    : sources[words.from].closedBy;
}
