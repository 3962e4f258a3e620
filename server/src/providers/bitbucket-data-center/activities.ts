import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostHeadPush, HostTimeline } from '#providers/host-evidence.ts';
import type { HostRef, HostReview, HostUser } from '../host-facts.ts';
import { readAllItems } from './paging.ts';
import { pullRequestPath } from './paths.ts';
import { type Closing, statusesFrom } from './pull-request-shapes.ts';
import { hostId, maybeUser, time } from './shapes.ts';
import type { DataCenterApi } from './transport.ts';

const activity = z.object({
  id: hostId,
  action: z.string(),
  createdDate: time,
  user: maybeUser,
  fromHash: z.string().nullish(),
  previousFromHash: z.string().nullish(),
  commit: z.object({ id: z.string() }).nullish(),
  removedReviewers: z.array(maybeUser).nullish(),
});
export type PullRequestActivity = z.output<typeof activity> & { json: unknown };

const ghost: HostUser = { login: 'ghost', avatarUrl: null, isAgent: false };

/** Parses the activities of a pull request, oldest first. */
export const activitiesFrom = (items: readonly unknown[]): PullRequestActivity[] =>
  items
    .map((json) => ({ ...activity.parse(json), json }))
    .toSorted((one, other) => (one.createdDate < other.createdDate ? -1 : one.createdDate > other.createdDate ? 1 : 0));

/** The activities of a pull request, oldest first. */
export async function readActivities(api: DataCenterApi, ref: HostRef, number: number): Promise<PullRequestActivity[]> {
  const { items, isWhole } = await readAllItems(api, `${pullRequestPath(ref, number)}/activities`);
  if (!isWhole) throw new HostRefused(404, 'The pull request has more activities than can be read');
  // The instance returns the newest first, also among those of one moment.
  return activitiesFrom(items.toReversed());
}

/** Who merged or declined it last, and its merge commit. */
export function closedByOf(activities: readonly PullRequestActivity[]): Closing {
  const last = activities.findLast(({ action }) => action === 'MERGED' || action === 'DECLINED');
  return { by: last?.user ?? null, mergeSha: last?.commit?.id ?? null };
}

const isUpdate = ({ action, fromHash, previousFromHash }: PullRequestActivity): boolean =>
  action === 'RESCOPED' && fromHash != null && fromHash !== previousFromHash;

/** The head of its branch at an activity. `head`: the last known one. */
function headBefore(activities: readonly PullRequestActivity[], index: number, head: string): string | null {
  const earlier = activities.slice(0, index).findLast(isUpdate);
  if (earlier) return earlier.fromHash ?? null;
  const next = activities.slice(index).find(isUpdate);
  return next ? (next.previousFromHash ?? null) : head || null;
}

interface Decision {
  review: HostReview;
  by: string;
  state: 'approved' | 'changes_requested';
  /** Null without a withdrawal; the time is null if only its absence shows it. */
  withdrawn: { at: string | null } | null;
}

const decisions: Readonly<Record<string, Decision['state'] | undefined>> = {
  APPROVED: 'approved',
  REVIEWED: 'changes_requested',
};

/**
 * The decisions of reviewers in a pull request. An approval has the head of the branch at its time; for the decision
 * that is in force, the instance also names the commit. `json`: the pull request.
 */
export function reviewsFrom(json: unknown, activities: readonly PullRequestActivity[], head: string): Decision[] {
  const found: Decision[] = [];
  for (const [index, one] of activities.entries()) {
    const by = one.user ?? ghost;
    const state = decisions[one.action];
    if (state !== undefined) {
      const sha = headBefore(activities, index, head);
      const review: HostReview = { id: one.id, user: by, state, sha, submittedAt: one.createdDate };
      found.push({ review, by: by.login, state, withdrawn: null });
    }
    for (const login of withdrawnBy(one)) withdraw(found, login, one.createdDate);
  }
  for (const [login, { status, sha }] of statusesFrom(json)) {
    const last = found.findLast(({ by }) => by === login);
    if (status === 'UNAPPROVED') withdraw(found, login, null);
    else if (last?.withdrawn === null && sha !== null) last.review = { ...last.review, sha };
  }
  return found;
}

/** The reviewers whose decision an activity withdraws: the decision of a removed reviewer does not count. */
const withdrawnBy = ({ action, user, removedReviewers }: PullRequestActivity): string[] =>
  action === 'UNAPPROVED'
    ? [(user ?? ghost).login]
    : (removedReviewers ?? []).flatMap((one) => (one ? [one.login] : []));

/** Withdraws the last decision of a reviewer. `at`: null if only its absence shows it. */
function withdraw(found: readonly Decision[], login: string, at: string | null): void {
  const last = found.findLast(({ by }) => by === login);
  if (last?.withdrawn !== null) return;
  last.withdrawn = { at };
  last.review = { ...last.review, state: 'dismissed' };
}

/** Withdrawn decisions, and who requested the automatic merge. */
export function timelineFrom(json: unknown, activities: readonly PullRequestActivity[]): HostTimeline {
  let mergeRequestedBy: HostUser | null = null;
  for (const { action, user } of activities) {
    if (action === 'AUTO_MERGE_REQUESTED') mergeRequestedBy = user;
    if (action === 'AUTO_MERGE_CANCELLED') mergeRequestedBy = null;
  }
  const dismissals = reviewsFrom(json, activities, '').flatMap(({ review, state, withdrawn }) =>
    withdrawn === null ? [] : [{ reviewId: review.id, at: withdrawn.at, state }],
  );
  // It has neither a merge queue nor linked issues: tickets are named in the texts.
  return { dismissals, mergeRequestedBy, isQueued: false, linkedIssues: 0 };
}

/** The pushes to its branch while it was open, which the instance notices shortly after they happen. */
export const headPushesFrom = (activities: readonly PullRequestActivity[]): HostHeadPush[] =>
  activities.filter(isUpdate).map(({ fromHash, previousFromHash, createdDate, user }) => ({
    sha: fromHash ?? '',
    before: previousFromHash ?? null,
    at: createdDate,
    atKnown: 'after',
    pusher: user,
  }));
