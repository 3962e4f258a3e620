import type { TestAccount, TestOrganization } from '#testing/server.ts';
import type { SeededAccessReview } from './access-review.ts';
import type { SeededPortal } from './auditor-portal.ts';
import type { SeededDigest } from './digest.ts';
import type { SeededErasure } from './erasure.ts';
import type { SeededExtension } from './extension.ts';
import type { SeededFactors } from './factors.ts';
import type { SeededFinding } from './finding.ts';
import type { SeededAccessKeys } from './keys.ts';
import type { SeededPolicy } from './policy.ts';
import type { SeededScanner } from './scanner.ts';
import type { SeededTool } from './tool.ts';

/**
 * An organization with one item of every kind. The files `seeded-items.fixture.ts` of features add the names of theirs.
 */
export interface Seed
  extends SeededFactors,
    SeededAccessKeys,
    SeededAccessReview,
    SeededErasure,
    SeededExtension,
    SeededFinding,
    SeededPolicy,
    SeededDigest,
    SeededPortal,
    SeededScanner,
    SeededTool,
    SeededTriage {
  org: TestOrganization;
  secondOwner: TestAccount;
  contributor: TestAccount;
  reviewer: TestAccount;
  auditor: TestAccount;
  deactivated: TestAccount;
  /** A former member. */
  removed: TestAccount;
  /** Owners who joined through a server in direct mode. */
  moreOwners: [accountId: string, role: 'rol_owner', status: 'active' | 'deactivated'][];
  repositoryId: string;
  fullName: string;
  pullRequest: number;
  contextId: string;
  installationId: string;
  ownerEventId: string;
  contributorEventId: string;
  auditId: string;
  /** Unread, of the owner. */
  notificationId: string;
  taskId: string;
  changeId: string;
  snapshotId: string;
  /** Pending, sent to the owner's own address. */
  invitationId: string;
}

/** Findings and waivers for triage. */
export interface SeededTriage {
  /** In the repository of `findingId`, which has two sources; this one has one. */
  otherFindingId: string;
  /** The second source of `findingId`. */
  sourceId: string;
  /** Requested by the second owner for `findingId`. */
  findingWaiverId: string;
  /** Requested by the owner for `otherFindingId`. */
  ownFindingWaiverId: string;
  /** By the owner: added a label to `findingId`. */
  findingEditId: string;
}
