import type { CommitCheck, Push } from '../git/model.ts';
import type { PullRequest, PullRequestReview } from '../git/pull-request.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import type { Merge, PullRequestStep } from './repository-scenario.ts';
import { defaultBranchRef, type ShaOf, type SimulatedChange } from './simulated-change.ts';

/** Returns the pull request and the pushes of a merge. `at`: the times of its steps. */
export const simulateMerge = (
  repository: HostedRepository,
  change: Merge,
  at: number[],
  shaOf: ShaOf,
): SimulatedChange => ({
  change,
  at,
  pull: pullRequestOf(change, at, shaOf),
  pushes: [
    ...headPushesOf(change, at, shaOf),
    ...mergePushesOf(defaultBranchRef(repository), change, timeOf(change, at, 'merge'), shaOf),
  ],
});

export const checksOf = ({ steps }: Merge, at: number[], shaOf: ShaOf): CommitCheck[] =>
  steps.flatMap((step, index): CommitCheck[] => {
    const when = at[index] ?? 0;
    if (step.kind !== 'check') return [];
    const { name, commit, conclusion, isStatus, app } = step;
    const completedAt = conclusion === null ? null : when;
    return [{ sha: shaOf(commit), name, isStatus, app, conclusion, startedAt: when, completedAt }];
  });

const timeOf = ({ steps }: Merge, at: number[], kind: PullRequestStep['kind']): number =>
  at[steps.findIndex((step) => step.kind === kind)] ?? 0;

const headRefOf = ({ number, branch = `change-${number}` }: Merge): string => branch;

const headShaOf = ({ commits }: Merge, shaOf: ShaOf): string => shaOf(commits.at(-1) ?? 0);

/** The pushes to the branch of the pull request before the merge. */
const headPushesOf = (change: Merge, at: number[], shaOf: ShaOf): Push[] => {
  const pushes: Push[] = [];
  for (const [index, step] of change.steps.entries()) {
    if (step.kind !== 'push') continue;
    const before = pushes.at(-1)?.after ?? null;
    const kind = before === null ? 'branch_creation' : 'push';
    const ref = `refs/heads/${headRefOf(change)}`;
    pushes.push({ ref, before, after: shaOf(step.head), at: at[index] ?? 0, by: step.by, kind });
  }
  return pushes;
};

/** The push to the default branch, and the deletion of the branch of the pull request. */
const mergePushesOf = (ref: string, change: Merge, at: number, shaOf: ShaOf): Push[] => {
  const after = change.landed.map(shaOf).at(-1) ?? null;
  return [
    {
      ref,
      before: shaOf(change.before),
      after,
      at,
      by: change.mergedBy,
      kind: change.isByPush ? 'push' : change.queuedBy === null ? 'pr_merge' : 'merge_queue_merge',
    },
    {
      ref: `refs/heads/${headRefOf(change)}`,
      before: headShaOf(change, shaOf),
      after: null,
      at,
      by: change.mergedBy,
      kind: 'branch_deletion',
    },
  ];
};

const reviewsOf = ({ number, steps }: Merge, at: number[], shaOf: ShaOf): PullRequestReview[] => {
  const reviews: PullRequestReview[] = [];
  for (const [index, step] of steps.entries()) {
    const when = at[index] ?? 0;
    if (step.kind === 'review') {
      const { key, by: reviewer, verdict, commit } = step;
      reviews.push({ key: `${number}-${key}`, reviewer, verdict, at: when, commit: shaOf(commit), dismissed: null });
    } else if (step.kind === 'dismiss') {
      const review = reviews.find(({ key }) => key === `${number}-${step.key}`);
      if (review !== undefined) review.dismissed = { at: when, by: step.by };
    }
  }
  return reviews;
};

const pullRequestOf = (change: Merge, at: number[], shaOf: ShaOf): PullRequest => {
  const { number, title, body, linkedIssues, author, method, mergedBy, queuedBy } = change;
  const mergedAt = timeOf(change, at, 'merge');
  const landed = change.landed.map(shaOf);
  return {
    key: shaOf(change.commits[0] ?? 0),
    number,
    title,
    body,
    state: 'closed',
    headOwner: undefined,
    headRef: headRefOf(change),
    headSha: headShaOf(change, shaOf),
    baseSha: shaOf(change.before),
    commits: change.commits.map(shaOf),
    author,
    createdAt: timeOf(change, at, 'open'),
    updatedAt: at.at(-1) ?? mergedAt,
    closedAt: mergedAt,
    mergedAt,
    mergedBy,
    mergeSha: landed.at(-1) ?? null,
    landed: method === 'rebase' ? landed : [],
    reviews: reviewsOf(change, at, shaOf),
    labels: [],
    linkedIssues,
    autoMerge: null,
    queued: queuedBy === null ? null : { by: queuedBy, at: mergedAt },
  };
};
