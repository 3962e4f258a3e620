import type { RemediationLimit } from '#core/remediation.ts';
import type { Tx } from '#database/database.ts';

declare module '#core/services.ts' {
  interface Services {
    /** The remediation time limits of an organization; the first that applies to a finding decides. */
    remediationLimits: (tx: Tx, orgId: string) => Promise<RemediationLimit[]>;
  }
}
