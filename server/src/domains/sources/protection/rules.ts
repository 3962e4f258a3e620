import type { RequiredApp } from '@sightline/evidence/controls/change-rows.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';

/** The protection of a branch; each rule is missing if the host denied access to it. */
export interface ProtectionRules {
  requiredReviews: Fact<number>;
  dismissesStaleReviews: Fact<boolean>;
  allowsForcePush: Fact<boolean>;
  allowsDeletion: Fact<boolean>;
  includesAdmins: Fact<boolean>;
  requiredChecks: Fact<readonly string[]>;
  requiredCheckCount: Fact<number>;
  requiredApps: Fact<readonly RequiredApp[]>;
  unboundChecks: Fact<number>;
  /** Whether no tag of the repository can be moved or deleted. Snapshots of earlier releases do not contain it. */
  protectsTags?: Fact<boolean>;
}

export type SnapshotState = 'read' | 'none' | 'forbidden';
