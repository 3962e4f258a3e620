import { z } from 'zod';
import type {
  HostChangedFile,
  HostCheck,
  HostHeadPush,
  HostPush,
  HostTimeline,
  MergedPullRequest,
} from '#providers/host-evidence.ts';
import { statusOf } from './commit-shapes.ts';
import { decisionOf, readReviews } from './pull-request-shapes.ts';
import { maybeTime, maybeUser, time } from './shapes.ts';

const activity = z.object({
  op_type: z.string(),
  act_user: maybeUser,
  ref_name: z.string().nullish(),
  content: z.string().nullish(),
  created: time,
});
const pushContent = z.object({
  CompareURL: z.string().nullish(),
  HeadCommit: z.object({ Sha1: z.string() }).nullish(),
});

/** The time of an entry of the activity feed. */
export const activityTime = (json: unknown): string => activity.parse(json).created;

/** Parses a push to a branch from the activity feed; undefined for anything else. Throws ZodError. */
export function pushFrom(json: unknown, branch: string): HostPush | undefined {
  const { op_type: type, act_user: pusher, ref_name: ref, content, created: at } = activity.parse(json);
  if (ref !== `refs/heads/${branch}` && ref !== branch) return undefined;
  // The feed has merges as such and as pushes; it does not tell which push is one.
  const common = { at, isForced: null, pusher, activity: null };
  if (type === 'delete_branch') return { ...common, before: null, after: null, isForced: false };
  if (type !== 'commit_repo' && type !== 'mirror_sync_push') return undefined;
  const { CompareURL: url, HeadCommit: head } = pushContent.parse(parseContent(content));
  const [, before, after] = /\/compare\/([0-9a-f]{40,64})\.\.\.([0-9a-f]{40,64})$/.exec(url ?? '') ?? [];
  const tip = after ?? head?.Sha1;
  // A push without commits has neither, such as one that only moved the branch back.
  return tip === undefined ? undefined : { ...common, before: before ?? null, after: tip };
}

function parseContent(content: string | null | undefined): unknown {
  try {
    return JSON.parse(content || '{}');
  } catch {
    return {};
  }
}

const timelineEvent = z.object({
  type: z.string(),
  user: maybeUser,
  body: z.string().nullish(),
  created_at: time,
  review_id: z.number().int().nullish(),
  ref_action: z.string().nullish(),
});
export type TimelineEvent = z.output<typeof timelineEvent>;

/** Parses the events of a pull request, oldest first. */
export const timelineOf = (items: readonly unknown[]): TimelineEvent[] =>
  items
    .map((json) => timelineEvent.parse(json))
    .toSorted((one, other) => (one.created_at < other.created_at ? -1 : one.created_at > other.created_at ? 1 : 0));

/**
 * Dismissals, and who scheduled the automatic merge. `reviews`: the response with all reviews. A review that was
 * dismissed without an event was reset by a push at an unknown time.
 */
export function timelineFrom(
  events: readonly TimelineEvent[],
  reviews: readonly unknown[],
): Omit<HostTimeline, 'linkedIssues'> {
  const times = new Map(
    events.filter(({ type }) => type === 'dismiss_review').map((event) => [String(event.review_id), event.created_at]),
  );
  const dismissals = readReviews(reviews)
    .filter(({ dismissed }) => dismissed)
    .map((one) => {
      const decision = decisionOf(one);
      return {
        reviewId: one.id,
        at: times.get(one.id) ?? null,
        state: decision === 'commented' ? null : (decision ?? null),
      };
    });
  let mergeRequestedBy: HostTimeline['mergeRequestedBy'] = null;
  for (const { type, user } of events) {
    if (type === 'pull_scheduled_merge') mergeRequestedBy = user;
    if (type === 'pull_cancel_scheduled_merge') mergeRequestedBy = null;
  }
  // There is no merge queue.
  return { dismissals, mergeRequestedBy, isQueued: false };
}

const pushBody = z.object({ is_force_push: z.boolean().nullish(), commit_ids: z.array(z.string()).nullish() });

/** The pushes to the branch of an open pull request. The commits of a forced push are the old and the new head. */
export const headPushesFrom = (events: readonly TimelineEvent[]): HostHeadPush[] =>
  events
    .filter(({ type }) => type === 'pull_push')
    .flatMap(({ body, created_at: at, user: pusher }): HostHeadPush[] => {
      const { is_force_push: isForced, commit_ids: commits } = pushBody.parse(parseContent(body));
      const sha = commits?.at(-1);
      if (sha === undefined) return [];
      return [{ sha, ...(isForced && { before: commits?.[0] ?? null }), at, atKnown: 'host', pusher }];
    });

const origin = z.object({
  number: z.number().int(),
  merged: z.boolean().nullish(),
  merge_commit_sha: z.string().nullish(),
  merged_at: maybeTime,
  updated_at: time,
  base: z.object({ ref: z.string() }),
});
export type MergedOrigin = MergedPullRequest & { mergeSha: string; updatedAt: string };

/** Parses a pull request; undefined if it is not merged. */
export function mergedOriginFrom(json: unknown): MergedOrigin | undefined {
  const { number, merged, merge_commit_sha: mergeSha, updated_at: updatedAt, base } = origin.parse(json);
  return merged === true && mergeSha ? { number, baseRef: base.ref, mergeSha, updatedAt } : undefined;
}

const changedFile = z.object({ filename: z.string(), previous_filename: z.string().nullish(), status: z.string() });

export function changedFileFrom(json: unknown): HostChangedFile {
  const { filename: path, previous_filename: previous, status } = changedFile.parse(json);
  const kind = statusOf(status);
  return { path, previousPath: kind === 'renamed' ? (previous ?? null) : null, status: kind };
}

const status = z.object({
  context: z.string().nullish(),
  // `state` in the combined status, and in instances before 1.24.
  status: z.string().nullish(),
  state: z.string().nullish(),
  created_at: maybeTime,
  updated_at: maybeTime,
});

/** Parses a commit status. Any account that can write can report any context, so that no app stands behind it. */
export function checkFrom(json: unknown, sha: string): HostCheck {
  const found = status.parse(json);
  const state = found.status ?? found.state ?? 'pending';
  const conclusion = state === 'pending' ? null : state;
  return {
    name: found.context ?? '',
    app: null,
    sha,
    conclusion,
    completedAt: conclusion === null ? null : (found.created_at ?? found.updated_at),
  };
}
