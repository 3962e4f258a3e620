import { z } from 'zod';
import { hostNumber } from '#providers/host-data.ts';
import type { HostPullRequest, HostUser } from '../host-facts.ts';
import { branchOf, maybeTime, maybeUser, time, user } from './shapes.ts';

const commitRef = z.object({ commitId: z.string() }).nullish();

const pullRequest = z.object({
  pullRequestId: hostNumber,
  title: z.string(),
  description: z.string().nullish(),
  status: z.string(),
  isDraft: z.boolean().nullish(),
  createdBy: user,
  creationDate: time,
  closedDate: maybeTime,
  closedBy: maybeUser,
  autoCompleteSetBy: maybeUser,
  sourceRefName: z.string(),
  targetRefName: z.string(),
  lastMergeSourceCommit: commitRef,
  lastMergeTargetCommit: commitRef,
  lastMergeCommit: commitRef,
  labels: z.array(z.object({ name: z.string(), active: z.boolean().nullish() })).nullish(),
  forkSource: z.unknown().optional(),
  reviewers: z.array(z.unknown()).nullish(),
});
export type AzureDevopsPullRequest = z.output<typeof pullRequest>;
export const readPullRequest = (json: unknown): AzureDevopsPullRequest => pullRequest.parse(json);

export const isCompleted = ({ status }: Pick<AzureDevopsPullRequest, 'status'>): boolean => status === 'completed';
export const isActive = ({ status }: Pick<AzureDevopsPullRequest, 'status'>): boolean =>
  status === 'active' || status === 'notSet';

/** `repositoryURL`: the page of the repository. `updatedAt`: the time of the last known event. */
export function pullRequestFrom(
  found: AzureDevopsPullRequest,
  { repositoryURL, updatedAt, mergeBase }: { repositoryURL: string; updatedAt: string; mergeBase: string | undefined },
): HostPullRequest {
  const isMerged = isCompleted(found);
  const closedAt = isActive(found) ? null : (found.closedDate ?? updatedAt);
  return {
    number: found.pullRequestId,
    title: found.title,
    state: isMerged ? 'accepted' : closedAt === null ? 'in-progress' : 'closed',
    draft: found.isDraft === true,
    author: found.createdBy,
    createdAt: found.creationDate,
    updatedAt,
    mergedAt: isMerged ? closedAt : null,
    mergedBy: isMerged ? found.closedBy : null,
    closedAt,
    closedBy: isMerged ? null : closedByOf(found, closedAt),
    baseRef: branchOf(found.targetRefName),
    headRef: branchOf(found.sourceRefName),
    headSha: found.lastMergeSourceCommit?.commitId ?? '',
    mergeSha: isMerged ? (found.lastMergeCommit?.commitId ?? null) : null,
    additions: null,
    deletions: null,
    changedFiles: null,
    commits: null,
    url: `${repositoryURL}/pullrequest/${found.pullRequestId}`,
    body: found.description ?? '',
    // Absent without any.
    labels: (found.labels ?? []).filter(({ active }) => active !== false).map(({ name }) => name),
    ...(mergeBase !== undefined && { mergeBase }),
    isFromFork: found.forkSource !== undefined && found.forkSource !== null,
  };
}

const closedByOf = ({ closedBy }: AzureDevopsPullRequest, closedAt: string | null): HostUser | null =>
  closedAt === null ? null : closedBy;

const iteration = z.object({
  id: z.number().int(),
  author: maybeUser,
  createdDate: time,
  updatedDate: maybeTime,
  sourceRefCommit: commitRef,
  commonRefCommit: commitRef,
});

/** Parses the versions of a pull request, oldest first: one for each push to its branch. */
export const iterationsFrom = (items: readonly unknown[]) =>
  items.map((json) => iteration.parse(json)).toSorted((one, other) => one.id - other.id);
