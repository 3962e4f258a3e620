import type { HostActivity } from './change-rows.ts';
import { completeValue, type Fact } from './facts.ts';
import type { Reason } from './reasons.ts';

/**
 * Compares a claimed merge with the activity list of the code host. A host shows a pull request as merged too if its
 * commits were pushed directly; only the list tells the two apart.
 */
export function compareHostActivity(fact: Fact<HostActivity>): {
  failures: readonly Reason[];
  missing: readonly Reason[];
  passes: readonly Reason[];
} {
  const activity = completeValue(fact);
  const isMerge = activity === 'pull_request_merge' || activity === 'merge_queue_merge';
  const isReported = activity !== 'not_reported';
  return {
    failures: activity !== undefined && isReported && !isMerge ? ['merged_by_push'] : [],
    missing: activity === undefined ? ['host_activity_unknown'] : [],
    passes: isReported ? [] : ['host_activity_not_reported'],
  };
}
