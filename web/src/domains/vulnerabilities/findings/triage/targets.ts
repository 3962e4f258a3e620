import type { Finding, FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import type { FindingsFilter } from '../findingsQuery.ts';

/** The finding that a decision concerns. */
export type TriageTarget = Pick<Finding, 'id' | 'title'> & Partial<Pick<Finding, 'category'>>;

/** The kind of decision and its targets. The dialog provides the other fields. */
export type TriageRequest =
  | { kind: 'dismiss' | 'reopen' | 'request'; targets: readonly TriageTarget[] }
  | { kind: 'edit'; targets: readonly EditTarget[]; everything?: { filter: FindingsFilter; total: number } }
  | { kind: 'merge' | 'split'; finding: FindingDetail };

/** The finding that an edit concerns; with `everything`, those that the user has seen. */
export type EditTarget = TriageTarget & Pick<Finding, 'assignee' | 'ticketUrl' | 'labels'>;

/** Names one target by its title, several by their number. */
export const targetsText = (targets: readonly TriageTarget[]): string => {
  const [first] = targets;
  return targets.length === 1 && first ? `“${first.title}”` : `${targets.length} vulnerabilities`;
};
