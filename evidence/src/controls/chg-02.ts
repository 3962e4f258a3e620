import type { ReachedCommitRow } from './change-rows.ts';
import { control } from './control.ts';
import { completeValue } from './facts.ts';
import { compareHostActivity } from './host-activity.ts';
import type { Reason } from './reasons.ts';
import { branches, scopeExclusionOf } from './scope.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversAt } from './waivers.ts';

/**
 * A commit that certainly came without a pull request, or by a force push, is a failure, even if other commits of the
 * push are unknown.
 */
export const chg02 = control<ReachedCommitRow>()({
  id: 'CHG-02',
  title: 'Changes made through pull requests',
  rule: 'Every commit reaches a branch in scope through a merged pull request.',
  population:
    'Every commit that became reachable from a branch in scope through a push in the period, and every push whose commits are unknown.',
  verdicts: {
    pass: 'The commit belongs to a merged pull request, the activity list of the code host names its push a merge, and the push was not forced. If the code host does not report this, the item says so.',
    fail: 'The commit was pushed directly, also if the code host shows its pull request as merged afterwards; or the push was forced.',
    missing_evidence:
      'A push is missing (the next push starts at a different commit than the last known one ended at) or truncated and was not recovered; or it is unknown whether the push was forced, which pull request contains the commit, or what the activity list of the code host names the push.',
  },
  parameters: { branches },
  sources: ['pushes', 'pull_requests'],
  policies: ['merge'],
  digest: 'counted',
  events: ['commit'],
  happenedAt: ({ pushedAt }) => pushedAt,
  excludedBy: (row, setting) => scopeExclusionOf(row, setting.branches),
  evaluate: (row) =>
    decideVerdict({
      failures: [
        ...(completeValue(row.isForced) === true ? (['forced_push'] as const) : []),
        ...(completeValue(row.reachedBy) === 'none' ? (['direct_push'] as const) : []),
        ...activityOf(row).failures,
      ],
      missing: missingOf(row),
      passes: ['by_pull_request', ...activityOf(row).passes],
      waivers: waiversAt(row.waivers, row.pushedAt),
    }),
});

const noActivity = { failures: [], missing: [], passes: [] };

const activityOf = ({ reachedBy, hostActivity }: ReachedCommitRow): ReturnType<typeof compareHostActivity> =>
  completeValue(reachedBy) === 'merged_pull_request' ? compareHostActivity(hostActivity) : noActivity;

function missingOf(row: ReachedCommitRow): readonly Reason[] {
  const { push, isForced, reachedBy } = row;
  return [
    ...(push === 'lost' ? (['push_lost'] as const) : []),
    ...(push === 'truncated' ? (['push_truncated'] as const) : []),
    ...(completeValue(isForced) === undefined ? (['force_unknown'] as const) : []),
    ...(completeValue(reachedBy) === undefined ? (['merge_method_unknown'] as const) : []),
    ...activityOf(row).missing,
  ];
}
