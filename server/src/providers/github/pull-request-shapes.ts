import { z } from 'zod';
import { hostCount, hostNumber } from '#providers/host-data.ts';
import type { HostPullRequest, HostReview, HostUser } from '../host-facts.ts';
import { hostId, maybeUser, time, user } from './shapes.ts';

// Null if the fork was deleted.
const repo = z.object({ id: hostId }).nullish();

const pullRequest = z.object({
  number: hostNumber,
  title: z.string(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().nullish(),
  user,
  created_at: time,
  updated_at: time,
  merged_at: time.nullish(),
  merged_by: maybeUser,
  closed_at: time.nullish(),
  base: z.object({ ref: z.string(), repo: repo }),
  head: z.object({ ref: z.string(), sha: z.string(), repo: repo }),
  body: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  merge_commit_sha: z.string().nullish(),
  additions: hostCount.nullish(),
  deletions: hostCount.nullish(),
  changed_files: hostCount.nullish(),
  commits: hostCount.nullish(),
  html_url: z.string(),
});

/**
 * Parses a pull request of the API or of a webhook. In the short form of lists and review webhooks, the counts are
 * null. `closedBy`: who closed it without a merge, if known. Throws ZodError for anything else.
 */
export function pullRequestFrom(json: unknown, closedBy: HostUser | null = null): HostPullRequest {
  const found = pullRequest.parse(json);
  const mergedAt = found.merged_at ?? null;
  const closed = found.state === 'closed';
  return {
    number: found.number,
    title: found.title,
    state: closed ? (mergedAt === null ? 'closed' : 'accepted') : 'in-progress',
    draft: found.draft ?? false,
    author: found.user,
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    mergedAt,
    mergedBy: found.merged_by,
    closedAt: found.closed_at ?? null,
    closedBy: closed && mergedAt === null ? closedBy : null,
    baseRef: found.base.ref,
    headRef: found.head.ref,
    headSha: found.head.sha,
    // Before a merge, this is the commit of a test merge.
    mergeSha: mergedAt === null ? null : (found.merge_commit_sha ?? null),
    additions: found.additions ?? null,
    deletions: found.deletions ?? null,
    changedFiles: found.changed_files ?? null,
    commits: found.commits ?? null,
    url: found.html_url,
    // The short form has both fields or neither.
    ...(found.body !== undefined && { body: found.body ?? '' }),
    ...(found.labels && { labels: found.labels.map(({ name }) => name) }),
    ...(found.base.repo && { isFromFork: found.head.repo?.id !== found.base.repo.id }),
  };
}

const pullRequestEvent = z.object({ action: z.string(), pull_request: z.unknown(), sender: maybeUser });

/** Parses a `pull_request` or `pull_request_review` webhook. Throws ZodError for anything else. */
export function pullRequestFromWebhook(json: unknown): HostPullRequest {
  const { action, pull_request, sender } = pullRequestEvent.parse(json);
  return pullRequestFrom(pull_request, action === 'closed' ? sender : null);
}

const listed = z.object({ number: hostNumber, updated_at: time });

/** Parses the number and the update time of a listed pull request. */
export function pullRequestListedFrom(json: unknown): { number: number; updatedAt: string } {
  const { number, updated_at } = listed.parse(json);
  return { number, updatedAt: updated_at };
}

const issue = z.object({ closed_by: maybeUser });

/** The user who closed a pull request, which only its issue contains. */
export const closedByFromIssue = (json: unknown): HostUser | null => issue.parse(json).closed_by;

const states = ['approved', 'changes_requested', 'commented', 'dismissed', 'pending'] as const;

const review = z.object({
  id: hostId,
  user,
  // Upper case in the API, lower case in webhooks.
  state: z.string().toLowerCase().pipe(z.enum(states)),
  commit_id: z.string().nullish(),
  submitted_at: time.nullish(),
});

/** Parses a review of the API or of a webhook; undefined if it is not submitted. */
export function reviewFrom(json: unknown): HostReview | undefined {
  const found = review.parse(json);
  if (!found.submitted_at) return undefined;
  return {
    id: found.id,
    user: found.user,
    state: found.state,
    sha: found.commit_id ?? null,
    submittedAt: found.submitted_at,
  };
}
