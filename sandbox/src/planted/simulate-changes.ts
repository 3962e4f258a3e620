import { git } from '../git/command.ts';
import type { CommitCheck, PlantedPull, Push } from '../git/model.ts';
import type { PullRequest, PullRequestReview } from '../git/pull-request.ts';
import { findPullRequests, readUnreachableCommits, refreshRepository } from '../git/repository.ts';
import { type Host, readPeople } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { followRepository } from '../github/webhook-events.ts';
import type { Direct, Merge, StoryChange } from './story.ts';

/** A simulated change: each step with its time, epoch milliseconds. */
export type SimulatedChange = { change: StoryChange; at: number[]; pull: PullRequest | undefined; pushes: Push[] };

const second = 1000;

/**
 * Applies changes to the repository and the host's API without sending webhooks. Every step takes a second, changes do
 * not overlap, and the last step is at `until`.
 */
export const simulateChanges = async (
  host: Host,
  {
    repository,
    shas,
    changes,
    until,
  }: {
    repository: HostedRepository;
    shas: ReadonlyMap<number, string>;
    changes: readonly StoryChange[];
    until: number;
  },
): Promise<SimulatedChange[]> => {
  const sha = (mark: number): string => shas.get(mark) ?? '';
  const lengths = changes.map(lengthOf);
  let at = Math.floor(until / second) * second - lengths.reduce((sum, length) => sum + length, 0) * second;
  const happened = changes.map((change, index): SimulatedChange => {
    const times = Array.from({ length: lengths[index] ?? 0 }, (_, step) => at + step * second);
    at += times.length * second;
    return change.kind === 'merge' ? ofMerge(repository, change, times, sha) : ofDirect(repository, change, times, sha);
  });
  const { git: hosted } = repository;
  // Prevents concurrent polling, since each step is announced separately, not as one push.
  await followRepository(host, repository, async () => {
    const tip = happened
      .findLast(({ pushes }) => pushes.length > 0)
      ?.pushes.findLast(({ ref }) => ref === mainOf(repository));
    if (tip?.after) await git(hosted.path, ['update-ref', tip.ref, tip.after]);
    await refreshRepository(hosted);
    for (const { change, pull, pushes, at: times } of happened) {
      if (pull !== undefined) hosted.planted.pulls.set(pull.number, pull satisfies PlantedPull);
      hosted.planted.pushes.push(...pushes);
      if (change.kind === 'merge') hosted.planted.checks.push(...checksOf(change, times, sha));
    }
    // Includes commits discarded by a force push.
    await readUnreachableCommits(
      hosted,
      happened.flatMap(({ change }) => shasOf(change).map(sha)),
    );
    findPullRequests(hosted);
    readPeople(host, hosted);
    host.savePlanted();
  });
  return happened;
};

const shasOf = (change: StoryChange): number[] =>
  change.kind === 'merge' ? [...change.commits, ...change.landed] : change.commits;

const lengthOf = (change: StoryChange): number => (change.kind === 'merge' ? change.steps.length : 1);

const mainOf = ({ git: hosted }: HostedRepository): string => `refs/heads/${hosted.defaultBranch}`;

const ofDirect = (
  repository: HostedRepository,
  change: Direct,
  at: number[],
  sha: (mark: number) => string,
): SimulatedChange => {
  const after = sha(change.commits.at(-1) ?? 0);
  const kind = change.isForced ? 'force_push' : 'push';
  const ref = mainOf(repository);
  const push: Push = { ref, before: sha(change.before), after, at: at[0] ?? 0, by: change.by, kind };
  return { change, at, pull: undefined, pushes: [push] };
};

const ofMerge = (
  repository: HostedRepository,
  change: Merge,
  at: number[],
  sha: (mark: number) => string,
): SimulatedChange => {
  const { number, title, body, linkedIssues, author, method, mergedBy, queuedBy, steps } = change;
  const timeOf = (kind: string): number => at[steps.findIndex((step) => step.kind === kind)] ?? 0;
  const [openedAt, mergedAt] = [timeOf('open'), timeOf('merge')];
  const [main, head] = [mainOf(repository), `refs/heads/change-${number}`];
  const pushes = headPushesOf(change, at, sha);
  const reviews = reviewsOf(change, at, sha);
  const landed = change.landed.map(sha);
  const mergeSha = landed.at(-1) ?? null;
  const merged = { before: sha(change.before), after: mergeSha, at: mergedAt, by: mergedBy };
  pushes.push({ ref: main, ...merged, kind: queuedBy === null ? 'pr_merge' : 'merge_queue_merge' });
  pushes.push({
    ref: head,
    before: sha(change.commits.at(-1) ?? 0),
    after: null,
    at: mergedAt,
    by: mergedBy,
    kind: 'branch_deletion',
  });
  const pull: PullRequest = {
    key: sha(change.commits[0] ?? 0),
    number,
    title,
    body,
    state: 'closed',
    headOwner: undefined,
    headRef: `change-${number}`,
    headSha: sha(change.commits.at(-1) ?? 0),
    baseSha: sha(change.before),
    commits: change.commits.map(sha),
    author,
    createdAt: openedAt,
    updatedAt: at.at(-1) ?? mergedAt,
    closedAt: mergedAt,
    mergedAt,
    mergedBy,
    mergeSha,
    landed: method === 'rebase' ? landed : [],
    reviews,
    labels: [],
    linkedIssues,
    autoMerge: null,
    queued: queuedBy === null ? null : { by: queuedBy, at: mergedAt },
  };
  return { change, at, pull, pushes };
};

const headPushesOf = ({ number, steps }: Merge, at: number[], sha: (mark: number) => string): Push[] => {
  const pushes: Push[] = [];
  for (const [index, step] of steps.entries()) {
    if (step.kind !== 'push') continue;
    const before = pushes.at(-1)?.after ?? null;
    const kind = before === null ? 'branch_creation' : 'push';
    const ref = `refs/heads/change-${number}`;
    pushes.push({ ref, before, after: sha(step.after), at: at[index] ?? 0, by: step.by, kind });
  }
  return pushes;
};

const reviewsOf = ({ number, steps }: Merge, at: number[], sha: (mark: number) => string): PullRequestReview[] => {
  const reviews: PullRequestReview[] = [];
  for (const [index, step] of steps.entries()) {
    const when = at[index] ?? 0;
    if (step.kind === 'review') {
      const { key, by: reviewer, verdict, commit } = step;
      reviews.push({ key: `${number}-${key}`, reviewer, verdict, at: when, commit: sha(commit), dismissed: null });
    } else if (step.kind === 'dismiss') {
      const review = reviews.find(({ key }) => key === `${number}-${step.key}`);
      if (review !== undefined) review.dismissed = { at: when, by: step.by };
    }
  }
  return reviews;
};

const checksOf = ({ steps }: Merge, at: number[], sha: (mark: number) => string): CommitCheck[] =>
  steps.flatMap((step, index): CommitCheck[] => {
    const when = at[index] ?? 0;
    if (step.kind !== 'check') return [];
    const { name, commit, conclusion, isStatus } = step;
    return [{ sha: sha(commit), name, isStatus, conclusion, startedAt: when, completedAt: when }];
  });
