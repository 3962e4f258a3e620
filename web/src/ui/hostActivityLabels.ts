import type { HostActivityName } from '@sightline/contract/compliance/changes.ts';

/** What the activity list of the code host names the push. */
export const hostActivityLabels: Record<HostActivityName, string> = {
  pull_request_merge: 'merge of a pull request',
  merge_queue_merge: 'merge by the merge queue',
  push: 'direct push',
  forced_push: 'forced push',
  branch_creation: 'new branch',
  not_reported: 'not reported by this code host',
};
