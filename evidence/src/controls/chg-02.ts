import type { ReachedCommitRow } from './change-rows.ts';
import { control } from './control.ts';
import { completeValue } from './facts.ts';
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
    pass: 'The commit belongs to a merged pull request, and the push was not forced.',
    fail: 'The commit was pushed directly, or the push was forced.',
    missing_evidence:
      'A push is missing (the next push starts at a different commit than the last known one ended at) or truncated and was not recovered; or it is unknown whether the push was forced or which pull request contains the commit.',
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
      ],
      missing: missingOf(row),
      passes: ['by_pull_request'],
      waivers: waiversAt(row.waivers, row.pushedAt),
    }),
});

function missingOf({ push, isForced, reachedBy }: ReachedCommitRow): readonly Reason[] {
  return [
    ...(push === 'lost' ? (['push_lost'] as const) : []),
    ...(push === 'truncated' ? (['push_truncated'] as const) : []),
    ...(completeValue(isForced) === undefined ? (['force_unknown'] as const) : []),
    ...(completeValue(reachedBy) === undefined ? (['merge_method_unknown'] as const) : []),
  ];
}
