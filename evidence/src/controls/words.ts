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
    says: 'Somebody other than who asked approved that the rule is broken for this time.',
  },

  independent_approval: pass('Somebody who had no part in the change approved it after the last push.'),
  by_pull_request: pass('The commit came by a merged pull request.'),
  merged_by_another: pass('Whoever merged is none of the authors.'),
  protected_all_day: pass('The protection was as set for all of the day.'),
  no_checks_required: pass('The protection of the branch asked for no check.'),
  required_checks_green: pass('Every required check was green on the head commit by the merge.'),
  ticket_found: pass('The pull request names a ticket that exists, or is linked to an issue.'),
  scanned: pass('A scanner finished well on the change in time.'),
  scan_fresh: pass('A scanner finished well on the default branch lately enough.'),
  fixed_in_time: pass('The finding was fixed within its limit.'),
  inside_time_limit: pass('The finding is still inside its limit.'),
  secret_closed: pass('The secret was rotated or revoked, or is none, and was closed in time.'),
  four_eyes: pass('Another person who held the right decided the exception, for a reason and a limited time.'),
  tool_approved: pass('The tool was approved when it was seen.'),
  observed: pass('An extension was connected while the person committed.'),
  member_at_each_act: pass('The person was an active member at each of these acts.'),
  access_reviewed: pass('Somebody else kept or changed this access in a review signed in the quarter.'),
  ledger_whole: pass('The ledger was whole, timely and anchored outside that day.'),
  digest_signed: pass('A reviewer signed the digest off in time, as it is.'),

  direct_push: exception('It was pushed directly, without a pull request.'),
  forced_push: exception('The push was forced.'),
  no_independent_approval: exception('Too few people who had no part in the change approved it after the last push.'),
  approved_after_merge: exception('An approval came after the merge.'),
  approval_dismissed: exception('An approval had been dismissed by the merge.'),
  approval_withdrawn: exception('Whoever approved asked for changes afterwards.'),
  approved_before_last_push: exception('An approval is for an earlier commit than the one that was merged.'),
  approved_by_agent: exception('An approval came from an agent.'),
  approved_by_stranger: exception('An approval came from somebody who was no active member then.'),
  approved_by_author: exception('An approval came from an author.'),
  approved_by_last_pusher: exception('An approval came from whoever pushed last.'),
  approved_by_session_owner: exception(
    'An approval came from whoever started the session of an agent that wrote for it.',
  ),
  merged_by_author: exception('An author merged.'),
  too_few_required_reviews: exception('The branch asked for fewer reviews than set.'),
  stale_approvals_stay: exception('The branch let approvals stand after a new push.'),
  force_push_allowed: exception('The branch allowed forced pushes.'),
  deletion_allowed: exception('The branch could be deleted.'),
  admins_not_bound: exception('The protection of the branch did not bind administrators.'),
  required_check_failed: exception('A required check failed.'),
  required_check_missing: exception('A required check was not run on the head commit.'),
  required_check_late: exception('A required check was not over by the merge.'),
  no_ticket: exception('The pull request names no ticket that exists, and no issue is linked to it.'),
  not_scanned: exception('No scanner finished well on the change in time.'),
  scan_too_old: exception('No scanner finished well on the default branch lately enough.'),
  over_time_limit: exception('The finding was open for longer than its limit.'),
  secret_over_time_limit: exception('The secret was open for longer than the limit.'),
  secret_closed_otherwise: exception('The secret was closed without being rotated or revoked, or found to be none.'),
  decided_by_requester: exception('Whoever asked for the exception decided it too.'),
  decided_without_right: exception('Whoever decided the exception did not hold the right to then.'),
  reason_too_short: exception('The exception has no reason, or one that says too little.'),
  exception_too_long: exception('The exception ends later than set.'),
  tool_denied: exception('The tool was denied when it was seen.'),
  tool_unreviewed_for_long: exception('Nobody had decided about the tool for longer than set.'),
  coverage_too_low: exception('The extension was not connected in enough of the hours in which the person committed.'),
  recording_paused: exception(
    'In hours in which the person committed, they had paused the extension and it had not come back.',
  ),
  act_after_leaving: exception('The person acted after they were deactivated.'),
  act_by_stranger: exception('The person acted and never was a member.'),
  access_not_reviewed: exception('Nobody kept or changed this access in a review of the quarter.'),
  access_review_unsigned: exception('The review in which this access stands was not signed.'),
  access_reviewed_outside_quarter: exception('The review in which this access stands was signed outside the quarter.'),
  access_reviewed_by_member: exception('The member reviewed this access of their own.'),
  self_check_failed: exception('The ledger’s self-check failed.'),
  entries_waited: exception('Entries waited to be taken into the ledger for longer than set.'),
  never_anchored: exception('No checkpoint of the ledger was ever left outside.'),
  anchor_too_old: exception('The last checkpoint that was left outside is older than set.'),
  epoch_broken: exception('The ledger broke off and began anew.'),
  digest_not_signed: exception('Nobody signed the digest off in time.'),
  digest_signed_late: exception('The digest was signed off late.'),

  way_unknown: gap('pull_requests', 'It is not known whether it came by a pull request.'),
  reviews_missing: gap('pull_requests', 'The reviews are not known, or not all of them.'),
  dismissal_time_unknown: gap('pull_requests', 'It is not known when an approval was dismissed.'),
  head_unknown: gap('pull_requests', 'The head commit of the pull request is not known.'),
  reviewed_commit_unknown: gap('pull_requests', 'It is not known which commit an approval was given for.'),
  merge_commit_unknown: gap('pull_requests', 'The merged commit is not known.'),
  authors_missing: gap('pushes', 'The authors are not known, or not all of them.'),
  last_pusher_missing: gap('pushes', 'It is not known who pushed last.'),
  push_order_unknown: gap('pushes', 'It is not known whether an approval came after the last push.'),
  push_lost: gap('pushes', 'A push was lost: this one begins at another commit than the last known one ended at.'),
  push_truncated: gap('pushes', 'The code host left commits of the push out, and they were not read again.'),
  force_unknown: gap('pushes', 'It is not known whether the push was forced.'),
  acts_missing: gap('pushes', 'It is not known what the person did.'),
  author_unresolved: gap('identities', 'It is not certain which person an author is.'),
  last_pusher_unresolved: gap('identities', 'It is not certain which person pushed last.'),
  session_owner_unresolved: gap('identities', 'It is not certain which person started the session of an agent.'),
  reviewer_unresolved: gap('identities', 'It is not certain which person a reviewer is.'),
  reviewer_kind_unknown: gap('identities', 'It is not known whether a reviewer is a human.'),
  merger_unresolved: gap('identities', 'It is not certain which person merged, or had it merged.'),
  person_unresolved: gap('identities', 'It is not certain who the person is.'),
  person_kind_unknown: gap('identities', 'It is not known whether this is a human.'),
  membership_unknown: gap('members', 'It is not known whether the person was an active member then.'),
  right_unknown: gap('members', 'It is not known whether whoever decided held the right to.'),
  actor_unresolved: gap('exceptions', 'Whoever asked or decided is erased, or it is not certain who it was.'),
  session_owners_missing: gap('attribution', 'It is not known who started the sessions of agents that wrote for it.'),
  attribution_missing: gap('attribution', 'Nothing tells for this repository which lines agents wrote.'),
  agent_only_inferred: gap('attribution', 'That an agent wrote for it is only inferred.'),
  protection_missing: gap('protection', 'The protection of the branch is not known, or not for all of the time.'),
  protection_stale: gap('protection', 'At some moment the newest snapshot of the protection was too old.'),
  protection_untold: gap('protection', 'The code host does not tell a part of the protection.'),
  required_checks_unknown: gap('protection', 'It is not known which checks the branch asked for.'),
  checks_missing: gap('checks', 'It is not known what the checks said.'),
  tickets_missing: gap(
    'tickets',
    'Whether the tickets that the pull request names exist is not known: no tracker is connected.',
  ),
  tracker_unreachable: gap('tickets', 'The issue tracker could not be reached.'),
  issues_missing: gap('pull_requests', 'It is not known which issues are linked to the pull request.'),
  scanner_unknown: gap('scans', 'It is not known how the scanner was at that time.'),
  scanner_failing: gap('scans', 'The scanner failed.'),
  scanner_not_configured: gap('scans', 'No scanner is set up, or it is inactive.'),
  scans_missing: gap('scans', 'The runs of the scanner are not known, or not all of them.'),
  still_open_unknown: gap('scans', 'No scanner has looked lately enough to say that the finding is still open.'),
  severity_unknown: gap('findings', 'The severity of the finding is not known.'),
  closing_untold: gap('findings', 'The scanner does not tell whether, or why, the secret was closed.'),
  tool_unreviewed: gap('tools', 'Nobody has decided about the tool yet.'),
  tool_decisions_missing: gap('tools', 'It is not known what was decided about the tool.'),
  version_unknown: gap('tools', 'The version of the tool is not known, and a decision names versions.'),
  not_observable: gap('presence', 'The person’s extension never connected, so that there is nothing to observe with.'),
  extension_unknown: gap('presence', 'It is not known whether the person’s extension ever connected.'),
  presence_missing: gap('presence', 'It is not known when the extension was connected, or not for all of the time.'),
  access_review_missing: gap('access_reviews', 'The reviews of access are not known.'),
  ledger_facts_missing: gap('ledger', 'It is not known how the ledger was on that day.'),
  sign_offs_missing: gap('digests', 'It is not known who signed the digest off.'),
  enabled_lately: gap('time', 'The repository had not been enabled for long enough.'),
  quarter_running: gap('time', 'The quarter still runs.'),
  time_not_over: gap('time', 'The time that is set for it is not over yet.'),
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
    ? 'Nothing is to be done: it is decided once the time is over.'
    : sources[words.from].closedBy;
}
