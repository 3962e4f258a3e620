import type { Severity } from '@sightline/contract/core/severities.ts';

/** The days in which findings must be fixed, for findings discovered from a time until another. */
export interface RemediationLimit {
  /** IDs of repositories; null: all. */
  repositories: readonly string[] | null;
  /** ISO 8601; null: no start or end. */
  from: string | null;
  until: string | null;
  /** 0: no limit. */
  days: Readonly<Record<Severity, number>>;
}

interface DatedFinding {
  repositoryId: string;
  discoveredAt: Date;
  severity: Severity;
}

const DAY_MS = 86_400_000;

/** The end of the first limit that applies to the repository on the day of discovery, in ISO 8601; null without a limit. */
export function remediationDeadline(
  limits: readonly RemediationLimit[],
  { repositoryId, discoveredAt, severity }: DatedFinding,
): string | null {
  const discovered = discoveredAt.getTime();
  const limit = limits.find(
    ({ repositories, from, until }) =>
      (repositories?.includes(repositoryId) ?? true) &&
      (from === null || discovered >= Date.parse(from)) &&
      (until === null || discovered < Date.parse(until)),
  );
  const days = limit?.days[severity] ?? 0;
  return days === 0 ? null : new Date(discovered + days * DAY_MS).toISOString();
}
