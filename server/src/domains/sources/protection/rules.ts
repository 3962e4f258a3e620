import type { Known } from '@sightline/evidence/controls/known.ts';

/** What protects a branch, each point as far as the host let us read it. */
export interface ProtectionRules {
  requiredReviews: Known<number>;
  dismissesStaleReviews: Known<boolean>;
  allowsForcePush: Known<boolean>;
  allowsDeletion: Known<boolean>;
  includesAdmins: Known<boolean>;
  requiredChecks: Known<readonly string[]>;
}

export type SnapshotState = 'read' | 'none' | 'forbidden';
