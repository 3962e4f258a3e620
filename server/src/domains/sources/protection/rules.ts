import type { RequiredApp } from '@sightline/evidence/controls/change-rows.ts';
import { completeValue, type Fact, knownItems } from '@sightline/evidence/controls/facts.ts';

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

/**
 * Stands for the required checks of a code host that tells only their number, if they were switched off before a merge.
 * Code hosts that tell names never need it.
 */
export const UNNAMED_CHECKS = 'passing builds';

/** Names of the checks that a protection required, as far as the code host tells them. */
export function requiredNames({ requiredChecks, requiredCheckCount }: ProtectionRules): readonly string[] {
  // Snapshots of earlier releases have no number.
  const count = completeValue(requiredCheckCount ?? { state: 'missing' }) ?? 0;
  return requiredChecks.state === 'missing' && count > 0 ? [UNNAMED_CHECKS] : knownItems(requiredChecks);
}

export type SnapshotState = 'read' | 'none' | 'forbidden';
