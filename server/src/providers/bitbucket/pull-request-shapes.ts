import { z } from 'zod';
import { hostNumber } from '#providers/host-data.ts';
import type { HostPullRequest, HostReview, HostUser } from '../host-facts.ts';
import { accountId, maybeUser, time, user } from './shapes.ts';

const side = z.object({
  branch: z.object({ name: z.string() }).nullish(),
  // Abbreviated to twelve digits.
  commit: z.object({ hash: z.string() }).nullish(),
  repository: z.object({ uuid: z.string().nullish() }).nullish(),
});

const pullRequest = z.object({
  id: hostNumber,
  title: z.string(),
  state: z.enum(['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']),
  draft: z.boolean().nullish(),
  author: user,
  closed_by: maybeUser,
  created_on: time,
  updated_on: time,
  source: side,
  destination: side,
  merge_commit: z.object({ hash: z.string() }).nullish(),
  links: z.object({ html: z.object({ href: z.string() }) }),
  summary: z.object({ raw: z.string().nullish() }).nullish(),
});

/** Fields that the pull request lacks or abbreviates to twelve digits; null if unknown. */
export interface PullRequestDetails {
  headSha: string | null;
  mergeSha: string | null;
  /** The time and actor of the merge or decline. */
  closing: { at: string; by: HostUser | null } | null;
  additions: number | null;
  deletions: number | null;
  changedFiles: number | null;
  commits: number | null;
}

const noDetails: PullRequestDetails = {
  headSha: null,
  mergeSha: null,
  closing: null,
  additions: null,
  deletions: null,
  changedFiles: null,
  commits: null,
};

/** Parses a pull request of the API or of a webhook. Throws ZodError for anything else. */
export function pullRequestFrom(json: unknown, more: PullRequestDetails = noDetails): HostPullRequest {
  const found = pullRequest.parse(json);
  const [isMerged, isOpen] = [found.state === 'MERGED', found.state === 'OPEN'];
  const closedAt = isOpen ? null : (more.closing?.at ?? found.updated_on);
  const by = more.closing?.by ?? found.closed_by;
  const { additions, deletions, changedFiles, commits } = more;
  return {
    number: found.id,
    title: found.title,
    state: isOpen ? 'in-progress' : isMerged ? 'accepted' : 'closed',
    draft: found.draft ?? false,
    author: found.author,
    createdAt: found.created_on,
    updatedAt: found.updated_on,
    mergedAt: isMerged ? closedAt : null,
    mergedBy: isMerged ? by : null,
    closedAt,
    closedBy: isMerged || isOpen ? null : by,
    baseRef: found.destination.branch?.name ?? '',
    headRef: found.source.branch?.name ?? '',
    headSha: more.headSha ?? found.source.commit?.hash ?? '',
    mergeSha: isMerged ? more.mergeSha : null,
    additions,
    deletions,
    changedFiles,
    commits,
    url: found.links.html.href,
    ...(found.summary && { body: found.summary.raw ?? '' }),
    // Bitbucket has no labels.
    labels: [],
    isFromFork: found.source.repository?.uuid !== found.destination.repository?.uuid,
  };
}

/** The commits of a pull request, abbreviated to twelve digits. */
export const abbreviatedCommitsOf = (json: unknown): { head: string | null; merge: string | null } => {
  const { source, merge_commit } = pullRequest.parse(json);
  return { head: source.commit?.hash ?? null, merge: merge_commit?.hash ?? null };
};

const listed = z.object({ id: hostNumber, updated_on: time });

/** Parses the number and the update time of a listed pull request. */
export function pullRequestListedFrom(json: unknown): { number: number; updatedAt: string } {
  const { id, updated_on } = listed.parse(json);
  return { number: id, updatedAt: updated_on };
}

const decision = z.object({ date: time, user: z.unknown() });
const activity = z.object({
  update: z.object({ date: time, state: z.string().nullish(), author: maybeUser, source: side.nullish() }).optional(),
  approval: decision.optional(),
  changes_requested: decision.optional(),
});

/** One entry of the activity of a pull request. */
export type Activity = z.output<typeof activity>;

/** Parses an activity entry; ignores other kinds of activity. Throws ZodError for anything else. */
export const activityFrom = (json: unknown): Activity => activity.parse(json);

/** The time and actor of the merge or decline; null if the activity does not contain it. */
export function closingFrom(entries: readonly Activity[]): PullRequestDetails['closing'] {
  const last = entries.find(({ update }) => update?.state && update.state !== 'OPEN')?.update;
  return last ? { at: last.date, by: last.author } : null;
}

const participants = z.object({
  author: accountId,
  participants: z
    .array(
      z.object({
        user: z.unknown(),
        state: z.string().nullish(),
        approved: z.boolean().nullish(),
        participated_on: time.nullish(),
      }),
    )
    .default([]),
});

/** The decision of a participant; null without one. */
function decisionOf(state: string | null | undefined, approved: boolean | null | undefined) {
  const current = state ?? (approved ? 'approved' : null);
  return current === 'approved' || current === 'changes_requested' ? current : null;
}

/**
 * The reviews of a pull request: the last decision of each user for each head commit. Bitbucket has no review IDs and
 * does not record revoked approvals: those become dismissed, or a comment if the approval is unknown. `fullOf`
 * completes an abbreviated commit ID, or returns null.
 */
export function reviewsFrom(
  json: unknown,
  entries: readonly Activity[],
  fullOf: (short: string) => string | null,
): HostReview[] {
  const { author, participants: reviewers } = participants.parse(json);
  const heads = entries.flatMap(({ update }) =>
    update?.source?.commit ? [{ at: update.date, head: update.source.commit.hash }] : [],
  );
  const now = abbreviatedCommitsOf(json).head ?? heads[0]?.head ?? '';
  const headAt = (at: string): string => heads.find((head) => head.at <= at)?.head ?? now;
  const reviews = new Map<string, HostReview>();
  const add = (by: unknown, head: string, state: HostReview['state'], at: string): void => {
    // Deleted accounts have no ID, so that the time distinguishes their reviews.
    const id = `${accountId.parse(by) ?? `former:${at}`}:${head}`;
    reviews.set(id, { id, user: user.parse(by), state, sha: fullOf(head), submittedAt: at });
  };
  for (const { approval, changes_requested: refusal } of entries.toReversed()) {
    if (approval) add(approval.user, headAt(approval.date), 'approved', approval.date);
    if (refusal) add(refusal.user, headAt(refusal.date), 'changes_requested', refusal.date);
  }
  // The current state of each participant takes precedence over the activity.
  for (const { user: by, state, approved, participated_on: at } of reviewers) {
    const who = accountId.parse(by);
    if (!at || who === null || who === author) continue;
    const current = decisionOf(state, approved);
    const known = [...reviews.values()].findLast(({ id }) => id.startsWith(`${who}:`));
    if (current !== null && known?.state !== current) add(by, headAt(at), current, at);
    if (current === null && known === undefined) add(by, now, 'commented', at);
    if (current === null && known) reviews.set(known.id, { ...known, state: 'dismissed' });
  }
  return [...reviews.values()];
}
