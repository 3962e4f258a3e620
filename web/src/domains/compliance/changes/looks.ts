import type { ChangeApproval, ChangePartName, ChangeWay, PartWhy } from '@sightline/contract/compliance/changes.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

/** Whether somebody independent approved. What is not known is never green. */
export const approvalLooks: Record<ChangeApproval, readonly [Tone, string]> = {
  yes: ['green', 'Approved'],
  no: ['red', 'Not approved'],
  unknown: ['yellow', 'Unknown'],
};

export const wayWords: Record<ChangeWay, string> = {
  pull_request: 'Pull request',
  merge_queue: 'Merge queue',
  direct_push: 'Direct push',
  unknown: 'Unknown way',
};

export const partWords: Record<ChangePartName, string> = {
  authors: 'authors',
  sessionOwners: 'whose agents wrote',
  ai: 'what agents wrote',
  headSha: 'head commit',
  lastPusher: 'who pushed last',
  lastPushAt: 'when the last push was',
  reviews: 'reviews',
  requiredChecks: 'required checks',
  checks: 'checks',
  sourceBranch: 'source branch',
  labels: 'labels',
  tickets: 'tickets',
  linkedIssues: 'linked issues',
  mergeAskedBy: 'who asked for the merge',
  mergedBy: 'who merged',
};

/** Why a part is missing, and the one thing that would bring it. */
export const whyWords: Record<PartWhy, string> = {
  permission: 'The code host did not let us read it: grant the connection the right under Integrations.',
  gone: 'It was not there any more when we asked.',
  unreachable: 'The code host did not answer. It is asked again.',
  host_has_none: 'This code host keeps nothing of it.',
  not_asked: 'It was not asked for.',
};
