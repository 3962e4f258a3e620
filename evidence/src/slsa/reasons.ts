import { explainReason, type Reason, reasonKindOf } from '../controls/reasons.ts';

const unmet = (text: string) => ({ kind: 'fail', text }) as const;
const unknown = (text: string) => ({ kind: 'missing_evidence', text }) as const;

/** Reasons beside those of controls. */
export const sourceReasons = {
  tags_unprotected: unmet('Tags of the repository could be moved or deleted.'),
  no_technical_control: unmet('The branch required neither a review nor a check.'),
  previous_push_forced: unmet('The push before this one was forced.'),
  recorded_late: unmet('The record was written too long after the change.'),
  other_change_unapproved: unmet('The same push contains another change without an independent approval.'),
  tag_protection_unknown: unknown('It is unknown whether tags of the repository can be moved or deleted.'),
  push_unknown: unknown('The push of the revision is not recorded.'),
  previous_revision_unknown: unknown('No recorded push ends where this one starts, so no control has continuity yet.'),
  pusher_unknown: unknown('The account that pushed the revision is unknown.'),
  other_change_unknown: unknown('The approval of another change in the same push is unknown.'),
} as const;

export type SourceReason = keyof typeof sourceReasons | Reason;

const isOwn = (reason: SourceReason): reason is keyof typeof sourceReasons => Object.hasOwn(sourceReasons, reason);

/** Whether a reason certainly contradicts a requirement, or states that a fact is unknown. */
export const kindOfReason = (reason: SourceReason): 'fail' | 'missing_evidence' =>
  isOwn(reason) ? sourceReasons[reason].kind : reasonKindOf(reason) === 'fail' ? 'fail' : 'missing_evidence';

/** A reason as a code without the ID of its object, and one sentence. */
export function explainSourceReason(reason: SourceReason): { code: string; text: string } {
  if (isOwn(reason)) return { code: reason, text: sourceReasons[reason].text };
  const { code, text } = explainReason(reason) ?? { code: reason, text: reason };
  return { code, text };
}
