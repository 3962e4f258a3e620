import { z } from 'zod';
import { hostCount, hostNumber } from '#providers/host-data.ts';
import type { HostPullRequest, HostReview, HostUser } from '../host-facts.ts';
import { hostId, maybeTime, maybeUser, time, user } from './shapes.ts';

const branch = z.object({ ref: z.string(), sha: z.string().nullish(), repo_id: z.number().int().nullish() });

const pullRequest = z.object({
  number: hostNumber,
  title: z.string(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().nullish(),
  user,
  created_at: time,
  updated_at: time,
  merged: z.boolean().nullish(),
  merged_at: maybeTime,
  merged_by: maybeUser,
  merge_commit_sha: z.string().nullish(),
  merge_base: z.string().nullish(),
  closed_at: maybeTime,
  base: branch,
  head: branch,
  body: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  additions: hostCount.nullish(),
  deletions: hostCount.nullish(),
  changed_files: hostCount.nullish(),
  html_url: z.string(),
});

// The default prefixes of instances without the field `draft`.
const draftTitle = /^(?:WIP:|\[WIP\])/i;

/**
 * Parses a pull request of the API or of a webhook. `closedBy`: who closed it without a merge, if known. Throws ZodError
 * for anything else.
 */
export function pullRequestFrom(json: unknown, closedBy: HostUser | null = null): HostPullRequest {
  const found = pullRequest.parse(json);
  const [isMerged, isClosed] = [found.merged === true, found.state === 'closed'];
  const mergedAt = isMerged ? (found.merged_at ?? found.closed_at ?? found.updated_at) : null;
  return {
    number: found.number,
    title: found.title,
    state: isMerged ? 'accepted' : isClosed ? 'closed' : 'in-progress',
    draft: found.draft ?? draftTitle.test(found.title),
    author: found.user,
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    mergedAt,
    mergedBy: isMerged ? found.merged_by : null,
    closedAt: isMerged || isClosed ? (found.closed_at ?? mergedAt ?? found.updated_at) : null,
    closedBy: isClosed && !isMerged ? closedBy : null,
    baseRef: found.base.ref,
    headRef: found.head.ref,
    headSha: found.head.sha ?? '',
    mergeSha: isMerged ? found.merge_commit_sha || null : null,
    additions: found.additions ?? null,
    deletions: found.deletions ?? null,
    changedFiles: found.changed_files ?? null,
    commits: null,
    url: found.html_url,
    ...optionalFieldsOf(found),
  };
}

const optionalFieldsOf = ({ body, labels, merge_base: mergeBase, base, head }: z.output<typeof pullRequest>) => ({
  ...(body !== undefined && { body: body ?? '' }),
  ...(labels && { labels: labels.map(({ name }) => name) }),
  ...(mergeBase && { mergeBase }),
  ...(base.repo_id && { isFromFork: head.repo_id !== base.repo_id }),
});

const listed = z.object({ number: hostNumber, updated_at: time });

/** Parses the number and the update time of a listed pull request. */
export function pullRequestListedFrom(json: unknown): { number: number; updatedAt: string } {
  const { number, updated_at } = listed.parse(json);
  return { number, updatedAt: updated_at };
}

const review = z.object({
  id: hostId,
  user,
  state: z.string(),
  commit_id: z.string().nullish(),
  official: z.boolean().nullish(),
  dismissed: z.boolean().nullish(),
  submitted_at: maybeTime,
});
export type GiteaReview = z.output<typeof review>;

const decisions: Readonly<Record<string, 'approved' | 'changes_requested' | 'commented'>> = {
  APPROVED: 'approved',
  REQUEST_CHANGES: 'changes_requested',
  COMMENT: 'commented',
};

export const decisionOf = ({ state }: GiteaReview) => decisions[state];

/** Parses the reviews of a pull request; without drafts and requests for a review. */
export const readReviews = (items: readonly unknown[]): GiteaReview[] =>
  items
    .map((json) => review.parse(json))
    .filter((one) => decisionOf(one) !== undefined && one.submitted_at !== null)
    .toSorted((one, other) => ((one.submitted_at ?? '') < (other.submitted_at ?? '') ? -1 : 1));

/**
 * The reviews of a pull request. The host marks approvals of accounts that may not approve as not official, but also
 * those that the same account replaced: only the last decision of an account shows whether the host counts it.
 */
export function reviewsFrom(items: readonly unknown[]): HostReview[] {
  const found = readReviews(items);
  const last = new Map(found.filter(isDecision).map((one) => [one.user.login, one.id]));
  return found.map((one): HostReview => {
    const decision = decisionOf(one) ?? 'commented';
    const isUncounted = decision === 'approved' && one.official === false && last.get(one.user.login) === one.id;
    return {
      id: one.id,
      user: one.user,
      state: one.dismissed ? 'dismissed' : isUncounted ? 'commented' : decision,
      sha: one.commit_id || null,
      submittedAt: one.submitted_at ?? '',
    };
  });
}

const isDecision = (one: GiteaReview): boolean => decisionOf(one) !== 'commented';
