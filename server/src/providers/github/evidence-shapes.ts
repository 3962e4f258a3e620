import { z } from 'zod';
import type { HostCheck, HostHeadPush, HostOrigin, HostPush, HostTimeline } from '#providers/host-evidence.ts';
import { hostId, maybeUser, time } from './shapes.ts';

const zeros = /^0+$/;

const activity = z.object({
  before: z.string(),
  after: z.string(),
  timestamp: time,
  activity_type: z.string(),
  actor: maybeUser,
});

/** A row of the list of activities. Throws ZodError for anything else. */
export function pushFrom(json: unknown): HostPush {
  const { before, after, timestamp, activity_type: type, actor } = activity.parse(json);
  return {
    before: zeros.test(before) ? null : before,
    after: zeros.test(after) ? null : after,
    at: timestamp,
    isForced: type === 'force_push',
    pusher: actor,
  };
}

export const headPushFrom = ({ after, at, pusher }: HostPush): HostHeadPush[] =>
  after === null ? [] : [{ sha: after, at, atKnown: 'host', pusher }];

const origin = z.object({
  number: z.number().int(),
  merged_at: time.nullish(),
  base: z.object({ ref: z.string() }),
});

/** A pull request that a commit belongs to; undefined while it is not merged. */
export function originFrom(json: unknown): HostOrigin | undefined {
  const { number, merged_at: mergedAt, base } = origin.parse(json);
  return mergedAt ? { number, baseRef: base.ref } : undefined;
}

const happening = z.looseObject({
  event: z.string().default(''),
  created_at: time.nullish(),
  actor: maybeUser,
  dismissed_review: z.looseObject({ review_id: hostId, state: z.string().nullish() }).nullish(),
});

/** What a timeline tells, from its oldest event on. Throws ZodError for anything else. */
export function timelineFrom(events: readonly unknown[]): Omit<HostTimeline, 'linkedIssues'> {
  const told = events.map((event) => happening.parse(event));
  let mergeRequestedBy: HostTimeline['mergeRequestedBy'] = null;
  let isQueued = false;
  for (const { event, actor } of told) {
    if (event === 'added_to_merge_queue') isQueued = true;
    if (event === 'removed_from_merge_queue') isQueued = false;
    if (asks.has(event)) mergeRequestedBy = actor;
    if (event === 'auto_merge_disabled') mergeRequestedBy = null;
  }
  const dismissals = told.flatMap(({ event, created_at: at, dismissed_review: review }) => {
    if (event !== 'review_dismissed' || !review) return [];
    const state = review.state?.toLowerCase();
    return [{ reviewId: review.review_id, at: at ?? null, state: states.find((known) => known === state) ?? null }];
  });
  // Of a merge by the queue the host says it was removed from it, at the very end.
  return { dismissals, mergeRequestedBy, isQueued: isQueued || wasQueuedAtMerge(told.map(({ event }) => event)) };
}

const asks = new Set(['auto_merge_enabled', 'auto_squash_enabled', 'auto_rebase_enabled', 'added_to_merge_queue']);
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
});

export function checkFromRun(json: unknown): HostCheck {
  const { name, head_sha: sha, status, conclusion, completed_at: completedAt } = checkRun.parse(json);
  const isOver = status === 'completed';
  return { name, sha, conclusion: isOver ? (conclusion ?? null) : null, completedAt: (isOver && completedAt) || null };
}

const status = z.object({ context: z.string(), state: z.string(), created_at: time });

/** A status says by its time when it came to its state, which is over unless it is pending. */
export function checkFromStatus(json: unknown, sha: string): HostCheck {
  const { context: name, state, created_at: at } = status.parse(json);
  const isOver = state !== 'pending';
  return { name, sha, conclusion: isOver ? state : null, completedAt: isOver ? at : null };
}
