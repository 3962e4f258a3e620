import { z } from 'zod';
import { hostCount, hostNumber } from '#providers/host-data.ts';
import type { HostPullRequest, HostReview } from '../host-facts.ts';
import { hostId, maybeUser, time, user } from './shapes.ts';

const mergeRequest = z.object({
  iid: hostNumber,
  title: z.string(),
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  draft: z.boolean().nullish(),
  work_in_progress: z.boolean().nullish(),
  author: user,
  created_at: time,
  updated_at: time,
  merged_at: time.nullish(),
  merge_user: maybeUser,
  merged_by: maybeUser,
  closed_at: time.nullish(),
  closed_by: maybeUser,
  target_branch: z.string(),
  source_branch: z.string(),
  sha: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  changes_count: z.union([z.string(), z.number()]).nullish(),
  web_url: z.string(),
  description: z.string().nullish(),
  labels: z.array(z.string()).nullish(),
  diff_refs: z
    .object({ base_sha: z.string().nullish() })
    .nullish()
    .transform((refs): { mergeBase?: string } => (refs?.base_sha ? { mergeBase: refs.base_sha } : {})),
  source_project_id: z.number().nullish(),
  target_project_id: z.number().nullish(),
});

/** The totals of a merge request; null if unknown. */
export interface MergeRequestTotals {
  additions: number | null;
  deletions: number | null;
  changedFiles: number | null;
  commits: number | null;
}
export const unknownTotals: MergeRequestTotals = {
  additions: null,
  deletions: null,
  changedFiles: null,
  commits: null,
};

/** Parses a merge request of the REST API. Throws ZodError for anything else. */
export function pullRequestFrom(json: unknown, sums: MergeRequestTotals = unknownTotals): HostPullRequest {
  const found = mergeRequest.parse(json);
  const [isMerged, isClosed] = [found.state === 'merged', found.state === 'closed'];
  // Old instances return no time of the merge.
  const mergedAt = isMerged ? (found.merged_at ?? found.updated_at) : null;
  const counted = Number(found.changes_count ?? Number.NaN);
  return {
    number: found.iid,
    title: found.title,
    // The state `locked` is temporary during a merge.
    state: isMerged ? 'accepted' : isClosed ? 'closed' : 'in-progress',
    draft: found.draft ?? found.work_in_progress ?? false,
    author: found.author,
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    mergedAt,
    mergedBy: isMerged ? (found.merge_user ?? found.merged_by) : null,
    closedAt: isMerged ? mergedAt : (found.closed_at ?? (isClosed ? found.updated_at : null)),
    closedBy: isClosed ? found.closed_by : null,
    baseRef: found.target_branch,
    headRef: found.source_branch,
    headSha: found.sha ?? '',
    mergeSha: isMerged ? mergeShaOf(found) : null,
    additions: sums.additions,
    deletions: sums.deletions,
    changedFiles: sums.changedFiles ?? (Number.isInteger(counted) ? counted : null),
    commits: sums.commits,
    url: found.web_url,
    body: found.description ?? '',
    ...(found.labels && { labels: found.labels }),
    ...found.diff_refs,
    isFromFork: found.source_project_id !== found.target_project_id,
  };
}

/** A fast-forward creates neither a merge commit nor a squashed commit. */
const mergeShaOf = ({ merge_commit_sha: merge, squash_commit_sha: squash, sha }: z.infer<typeof mergeRequest>) =>
  merge ?? squash ?? sha ?? null;

const listed = z.object({ iid: hostNumber, updated_at: time });

/** Parses the number and the update time of a listed merge request. */
export function pullRequestListedFrom(json: unknown): { number: number; updatedAt: string } {
  const { iid, updated_at } = listed.parse(json);
  return { number: iid, updatedAt: updated_at };
}

const count = hostCount;
const totals = z.object({
  commitCount: count.nullish(),
  diffStatsSummary: z.object({ additions: count, deletions: count, fileCount: count }).nullish(),
});
const answerWith = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ data: z.object({ project: z.object(fields).nullish() }).nullish() });
const answer = answerWith({ mergeRequest: totals.nullish() });

/** Parses the totals in a response of GraphQL. */
export function totalsFrom(json: unknown): MergeRequestTotals {
  return sumsFrom(answer.parse(json).data?.project?.mergeRequest);
}

function sumsFrom(found: z.output<typeof totals> | null | undefined): MergeRequestTotals {
  const { additions = null, deletions = null, fileCount = null } = found?.diffStatsSummary ?? {};
  return { additions, deletions, changedFiles: fileCount, commits: found?.commitCount ?? null };
}

const listedTotals = totals.extend({
  iid: z.coerce.number().int(),
  diffRefs: z.object({ baseSha: z.string().nullish() }).nullish(),
});
const listAnswer = answerWith({ mergeRequests: z.object({ nodes: z.array(listedTotals.nullable()) }).nullish() });

/** What the list of the REST API lacks. */
interface ListedTotals {
  sums: MergeRequestTotals;
  /** Empty if it is unknown. */
  base: { mergeBase?: string };
}

/** Parses the totals and merge bases of many merge requests in a response of GraphQL, by number. */
export function listedTotalsFrom(json: unknown): Map<number, ListedTotals> {
  const found = listAnswer.parse(json).data?.project?.mergeRequests?.nodes ?? [];
  return new Map(
    found.flatMap((one) => {
      if (one === null) return [];
      const baseSha = one.diffRefs?.baseSha;
      return [[one.iid, { sums: sumsFrom(one), base: baseSha ? { mergeBase: baseSha } : {} }]];
    }),
  );
}

const note = z.object({
  id: hostId,
  type: z.string().nullish(),
  body: z.string().nullish(),
  author: user,
  created_at: time,
  system: z.boolean().nullish(),
  position: z.object({ head_sha: z.string().nullish() }).nullish(),
});

/**
 * Parses reviews from the notes of a merge request, oldest first. Approvals and change requests are system notes. Line
 * comments of one user within a minute are one review. Comments of `author` are not reviews.
 */
export function reviewsFrom(notes: readonly unknown[], author: string): HostReview[] {
  const reviews: HostReview[] = [];
  for (const { id, type, body, author: by, created_at, system, position } of notes.map((json) => note.parse(json))) {
    const ofUser = reviews.filter(({ user: { login } }) => login === by.login);
    if (system && /^unapproved this merge request/.test(body ?? '')) {
      const approval = ofUser.findLast(({ state }) => state === 'approved');
      if (approval) approval.state = 'dismissed';
      continue;
    }
    const state = stateOf(system ? (body ?? '') : '', type ?? '');
    if (!state || (state === 'commented' && by.login === author)) continue;
    const isSame = ofUser.some((review) => review.state === state && isWithinAMinute(review.submittedAt, created_at));
    if (state === 'commented' && isSame) continue;
    reviews.push({ id, user: by, state, sha: position?.head_sha ?? null, submittedAt: created_at });
  }
  return reviews;
}

function stateOf(text: string, type: string): 'approved' | 'changes_requested' | 'commented' | undefined {
  if (/^approved this merge request/.test(text)) return 'approved';
  if (/^requested changes/.test(text)) return 'changes_requested';
  return text === '' && type === 'DiffNote' ? 'commented' : undefined;
}

const isWithinAMinute = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= 60_000;
