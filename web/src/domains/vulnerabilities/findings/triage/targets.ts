import type { Finding, FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';

/** The finding that a decision concerns. */
export type TriageTarget = Pick<Finding, 'id' | 'title'> & Partial<Pick<Finding, 'category'>>;

/** The kind of decision and its targets. The dialog provides the other fields. */
export type TriageRequest =
  | { kind: 'dismiss' | 'reopen' | 'request'; targets: readonly TriageTarget[] }
  | { kind: 'merge' | 'split'; finding: FindingDetail };

/** Names one target by its title, several by their number. */
export const targetsText = (targets: readonly TriageTarget[]): string => {
  const [first] = targets;
  return targets.length === 1 && first ? `“${first.title}”` : `${targets.length} vulnerabilities`;
};
