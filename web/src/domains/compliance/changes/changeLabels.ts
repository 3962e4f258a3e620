import type {
  ChangeApproval,
  ChangePartName,
  MergeMethod,
  MissingReason,
} from '@sightline/contract/compliance/changes.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

/** Whether an independent person approved. An unknown approval is never green. */
export const approvalBadges: Record<ChangeApproval, readonly [Tone, string]> = {
  yes: ['green', 'Approved'],
  no: ['red', 'Not approved'],
  unknown: ['yellow', 'Unknown'],
};

export const mergeMethodLabels: Record<MergeMethod, string> = {
  pull_request: 'Pull request',
  merge_queue: 'Merge queue',
  direct_push: 'Direct push',
  unknown: 'Unknown merge method',
};

export const changePartLabels: Record<ChangePartName, string> = {
  authors: 'authors',
  sessionOwners: 'owners of agent sessions',
  ai: 'agent attribution',
  headSha: 'head commit',
  lastPusher: 'last pusher',
  earlierPushers: 'earlier pushers',
  unattestedCommits: 'proof of authorship',
  lastPushAt: 'time of the last push',
  reviews: 'reviews',
  unreviewedFiles: 'content of the merged commit',
  hostActivity: 'activity on the code host',
  requiredChecks: 'required checks',
  checks: 'checks',
  sourceBranch: 'source branch',
  labels: 'labels',
  tickets: 'tickets',
  namedTickets: 'details of tickets',
  linkedIssues: 'linked issues',
  pathMatches: 'changed files',
  changedLines: 'changed lines',
  configuredServers: 'agent configuration',
  mergeRequestedBy: 'merge requester',
  mergedBy: 'merger',
};

/** Why a part is missing, and the action that makes it available. */
export const missingReasonTexts: Record<MissingReason, string> = {
  permission: 'The code host denied access. Grant the permission to the connection under Integrations.',
  deleted: 'It no longer existed when Sightline requested it.',
  unreachable: 'The code host did not respond. Sightline tries again.',
  too_large: 'It is larger than Sightline reads.',
  unsupported: 'This code host does not provide it.',
  not_requested: 'Sightline did not request it.',
  unverifiable: 'Sightline could not recompute it from the data of the code host.',
};
