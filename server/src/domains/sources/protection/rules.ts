import type { Fact } from '@sightline/evidence/controls/known.ts';

/** What protects a branch, each point as far as the host let us read it. */
export interface ProtectionRules {
  requiredReviews: Fact<number>;
  dismissesStaleReviews: Fact<boolean>;
  allowsForcePush: Fact<boolean>;
  allowsDeletion: Fact<boolean>;
  includesAdmins: Fact<boolean>;
  requiredChecks: Fact<readonly string[]>;
}

export type SnapshotState = 'read' | 'none' | 'forbidden';
