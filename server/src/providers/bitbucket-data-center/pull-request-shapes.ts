import { z } from 'zod';
import { hostNumber } from '#providers/host-data.ts';
import type { HostPullRequest, HostUser } from '../host-facts.ts';
import { hostId, linked, maybeTime, maybeUser, selfLink, time, user } from './shapes.ts';

const end = z.object({
  id: z.string(),
  displayId: z.string(),
  latestCommit: z.string().nullish(),
  repository: z.object({ id: hostId }).nullish(),
});

const participant = z.object({
  user: maybeUser,
  status: z.string().nullish(),
  lastReviewedCommit: z.string().nullish(),
});

const pullRequest = z.object({
  id: hostNumber,
  title: z.string(),
  description: z.string().nullish(),
  state: z.enum(['OPEN', 'MERGED', 'DECLINED']),
  draft: z.boolean().nullish(),
  createdDate: time,
  updatedDate: time,
  closedDate: maybeTime,
  fromRef: end,
  toRef: end,
  author: z.object({ user }),
  reviewers: z.array(participant).nullish(),
  participants: z.array(participant).nullish(),
  properties: z.object({ mergeCommit: z.object({ id: z.string() }).nullish() }).nullish(),
});

/** Who merged or declined it, and its merge commit, from its activities. */
export interface Closing {
  by: HostUser | null;
  mergeSha: string | null;
}

/** Parses a pull request of the API or of a webhook. Throws ZodError for anything else. */
export function pullRequestFrom(json: unknown, closing: Closing = { by: null, mergeSha: null }): HostPullRequest {
  const found = pullRequest.parse(json);
  const { fromRef: from, toRef: to } = found;
  const [isMerged, isClosed] = [found.state === 'MERGED', found.state !== 'OPEN'];
  const closedAt = isClosed ? (found.closedDate ?? found.updatedDate) : null;
  return {
    number: found.id,
    title: found.title,
    state: isMerged ? 'accepted' : isClosed ? 'closed' : 'in-progress',
    draft: found.draft ?? false,
    author: found.author.user,
    createdAt: found.createdDate,
    updatedAt: found.updatedDate,
    mergedAt: isMerged ? closedAt : null,
    mergedBy: isMerged ? closing.by : null,
    closedAt,
    closedBy: isClosed && !isMerged ? closing.by : null,
    baseRef: to.displayId,
    headRef: from.displayId,
    headSha: from.latestCommit ?? '',
    mergeSha: isMerged ? (found.properties?.mergeCommit?.id ?? closing.mergeSha) : null,
    additions: null,
    deletions: null,
    changedFiles: null,
    commits: null,
    url: selfLink(linked.parse(json)) ?? '',
    body: found.description ?? '',
    ...(from.repository && to.repository && { isFromFork: from.repository.id !== to.repository.id }),
  };
}

const listed = z.object({ id: hostNumber, updatedDate: time });

/** Parses the number and the update time of a listed pull request. */
export function pullRequestListedFrom(json: unknown): { number: number; updatedAt: string } {
  const { id: number, updatedDate } = listed.parse(json);
  return { number, updatedAt: updatedDate };
}

/** The current status of each reviewer by login, and the commit that they decided on. */
export function statusesFrom(json: unknown): ReadonlyMap<string, { status: string; sha: string | null }> {
  const { reviewers, participants } = pullRequest.parse(json);
  return new Map(
    [...(participants ?? []), ...(reviewers ?? [])].flatMap(({ user: by, status, lastReviewedCommit }) =>
      by ? [[by.login, { status: status ?? 'UNAPPROVED', sha: lastReviewedCommit ?? null }]] : [],
    ),
  );
}
