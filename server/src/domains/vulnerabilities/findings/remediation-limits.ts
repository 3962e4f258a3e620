import type { Severity } from '@sightline/contract/core/severities.ts';
import type { Tx } from '#database/database.ts';

declare module '#core/services.ts' {
  interface Services {
    /** The remediation time limits of an organization; the first that applies to a finding decides. */
    remediationLimits: (tx: Tx, orgId: string) => Promise<RemediationLimit[]>;
  }
}

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
