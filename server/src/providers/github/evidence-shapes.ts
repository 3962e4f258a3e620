import { z } from 'zod';
import type {
  HostCheck,
  HostFileDifference,
  HostHeadPush,
  HostPush,
  HostTimeline,
  MergedPullRequest,
} from '#providers/host-evidence.ts';
import { hostId, maybeUser, time } from './shapes.ts';

const zeros = /^0+$/;

const activity = z.object({
  before: z.string(),
  after: z.string(),
  timestamp: time,
  activity_type: z.string(),
  actor: maybeUser,
});

/** Parses an entry of the activity list. Throws ZodError for anything else. */
export function pushFrom(json: unknown): HostPush {
  const { before, after, timestamp, activity_type: type, actor } = activity.parse(json);
  return {
    before: zeros.test(before) ? null : before,
    after: zeros.test(after) ? null : after,
    at: timestamp,
    isForced: type === 'force_push',
    pusher: actor,
    activity: activities[type] ?? null,
  };
}

const activities: Readonly<Record<string, HostPush['activity']>> = {
  pr_merge: 'pull_request_merge',
  merge_queue_merge: 'merge_queue_merge',
  push: 'push',
  force_push: 'forced_push',
  branch_creation: 'branch_creation',
};

export const headPushFrom = ({ before, after, at, pusher }: HostPush): HostHeadPush[] =>
  after === null ? [] : [{ sha: after, before, at, atKnown: 'host', pusher }];

const compared = z.object({
  files: z
    .array(
      z.object({
        sha: z.string().nullish(),
        filename: z.string(),
        previous_filename: z.string().nullish(),
        status: z.string(),
        patch: z.string().nullish(),
      }),
    )
    .nullish(),
});
const fileStatuses: Readonly<Record<string, HostFileDifference['status']>> = {
  added: 'added',
  copied: 'added',
  removed: 'removed',
  renamed: 'renamed',
};

/** Parses the files of a comparison. Throws ZodError for anything else. */
export const differencesFrom = (json: unknown): HostFileDifference[] =>
  (compared.parse(json).files ?? [])
    .filter(({ status }) => status !== 'unchanged')
    .map(({ sha, filename: path, previous_filename: previousPath, status, patch }) => ({
      path,
      previousPath: status === 'renamed' ? (previousPath ?? null) : null,
      status: fileStatuses[status] ?? 'modified',
      blob: sha ?? null,
      patch: patch ?? null,
    }));

const origin = z.object({
  number: z.number().int(),
  merged_at: time.nullish(),
  base: z.object({ ref: z.string() }),
});

/** Parses a pull request of a commit; undefined if it is not merged. */
export function mergedGithubPullRequest(json: unknown): MergedPullRequest | undefined {
  const { number, merged_at: mergedAt, base } = origin.parse(json);
  return mergedAt ? { number, baseRef: base.ref } : undefined;
}

const timelineEvent = z.looseObject({
  event: z.string().default(''),
  created_at: time.nullish(),
  actor: maybeUser,
  dismissed_review: z.looseObject({ review_id: hostId, state: z.string().nullish() }).nullish(),
});

/** Parses a timeline, oldest event first. Throws ZodError for anything else. */
export function timelineFrom(events: readonly unknown[]): Omit<HostTimeline, 'linkedIssues'> {
  const parsed = events.map((event) => timelineEvent.parse(event));
  let mergeRequestedBy: HostTimeline['mergeRequestedBy'] = null;
  let isQueued = false;
  for (const { event, actor } of parsed) {
    if (event === 'added_to_merge_queue') isQueued = true;
    if (event === 'removed_from_merge_queue') isQueued = false;
    if (mergeRequestEvents.has(event)) mergeRequestedBy = actor;
    if (event === 'auto_merge_disabled') mergeRequestedBy = null;
  }
  const dismissals = parsed.flatMap(({ event, created_at: at, dismissed_review: review }) => {
    if (event !== 'review_dismissed' || !review) return [];
    const state = review.state?.toLowerCase();
    return [{ reviewId: review.review_id, at: at ?? null, state: states.find((known) => known === state) ?? null }];
  });
  // After a merge by the queue, the last event is the removal from the queue.
  return { dismissals, mergeRequestedBy, isQueued: isQueued || wasQueuedAtMerge(parsed.map(({ event }) => event)) };
}

const mergeRequestEvents = new Set([
  'auto_merge_enabled',
  'auto_squash_enabled',
  'auto_rebase_enabled',
  'added_to_merge_queue',
]);
const states = ['approved', 'changes_requested'] as const;

function wasQueuedAtMerge(events: readonly string[]): boolean {
  const merged = events.lastIndexOf('merged');
  const before = merged < 0 ? events : events.slice(0, merged);
  return before.lastIndexOf('added_to_merge_queue') > before.lastIndexOf('removed_from_merge_queue');
}

const checkRun = z.object({
  name: z.string(),
  head_sha: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  completed_at: time.nullish(),
  app: z.looseObject({ id: hostId }).nullish(),
});

export function checkFromRun(json: unknown): HostCheck {
  const { name, head_sha: sha, status, conclusion, completed_at: completedAt, app } = checkRun.parse(json);
  const isOver = status === 'completed';
  return {
    name,
    app: app?.id ?? null,
    sha,
    conclusion: isOver ? (conclusion ?? null) : null,
    completedAt: (isOver && completedAt) || null,
  };
}

const status = z.object({ context: z.string(), state: z.string(), created_at: time });

/** Parses a status. Its time is the end of the check, unless it is pending. */
export function checkFromStatus(json: unknown, sha: string): HostCheck {
  const { context: name, state, created_at: at } = status.parse(json);
  const isOver = state !== 'pending';
  return { name, app: null, sha, conclusion: isOver ? state : null, completedAt: isOver ? at : null };
}
