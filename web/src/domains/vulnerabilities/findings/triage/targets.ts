import type { Finding, FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';

/** A finding that somebody decides about. */
export type TriageTarget = Pick<Finding, 'id' | 'title'> & Partial<Pick<Finding, 'category'>>;

export type AskedException = FindingDetail['exceptions'][number];

/** What is about to be decided; the dialog asks for the rest. */
export type Triage =
  | { kind: 'dismiss' | 'reopen' | 'request'; targets: readonly TriageTarget[] }
  | { kind: 'approve' | 'refuse' | 'withdraw'; target: TriageTarget; exception: AskedException }
  | { kind: 'merge' | 'split'; finding: FindingDetail };

/** One by its title, several by their number. */
export const namedAs = (targets: readonly TriageTarget[]): string => {
  const [first] = targets;
  return targets.length === 1 && first ? `“${first.title}”` : `${targets.length} vulnerabilities`;
};
