import { z } from 'zod';
import { hostTime } from '#providers/host-data.ts';
import type { HostCheck, HostPush, MergedPullRequest } from '#providers/host-evidence.ts';
import { maybeTime, maybeUser, time } from './shapes.ts';

const refChange = z.object({
  createdDate: time,
  user: maybeUser,
  // What caused it: `push`, `pull-request-merge`, `file-edit`.
  trigger: z.string().nullish(),
  refChange: z.object({
    ref: z.object({ id: z.string() }).nullish(),
    refId: z.string().nullish(),
    fromHash: z.string(),
    toHash: z.string(),
    type: z.string(),
    updatedType: z.string().nullish(),
  }),
});
const zeros = /^0*$/;

/** The time of an activity. */
export const refChangeTime = (json: unknown): string => refChange.parse(json).createdDate;

/** Parses an update of a branch; undefined for other refs. Throws ZodError. */
export function pushFrom(json: unknown, branch: string): HostPush | undefined {
  const { createdDate: at, user: pusher, trigger, refChange: change } = refChange.parse(json);
  if ((change.ref?.id ?? change.refId) !== `refs/heads/${branch}`) return undefined;
  const before = change.type === 'ADD' || zeros.test(change.fromHash) ? null : change.fromHash;
  const after = change.type === 'DELETE' || zeros.test(change.toHash) ? null : change.toHash;
  const isForced = before === null || after === null ? false : forcedBy(change.updatedType);
  return { before, after, at, isForced, pusher, activity: activityOf(trigger, { before, after, isForced }) };
}

const forcedBy = (type: string | null | undefined): boolean | null =>
  type === 'FORCED' ? true : type === 'NOT_FORCED' ? false : null;

/** The activity that a trigger names; null for triggers that do not tell a merge from a push. */
function activityOf(
  trigger: string | null | undefined,
  { before, after, isForced }: Pick<HostPush, 'before' | 'after' | 'isForced'>,
): HostPush['activity'] {
  const name = trigger?.toLowerCase().replaceAll('_', '-');
  if (name === 'pull-request-merge') return 'pull_request_merge';
  if (name !== 'push' && name !== 'file-edit') return null;
  if (before === null) return 'branch_creation';
  return after === null ? null : isForced === true ? 'forced_push' : isForced === false ? 'push' : null;
}

const origin = z.object({
  id: z.number().int(),
  state: z.string(),
  closedDate: maybeTime,
  updatedDate: time,
  toRef: z.object({ displayId: z.string() }),
  properties: z.object({ mergeCommit: z.object({ id: z.string() }).nullish() }).nullish(),
});
/** `mergeSha`: null if the response does not contain it. */
export type MergedOrigin = MergedPullRequest & { mergeSha: string | null; closedAt: string };

/** Parses a pull request; undefined if it is not merged. */
export function mergedOriginFrom(json: unknown): MergedOrigin | undefined {
  const { id: number, state, closedDate, updatedDate, toRef, properties } = origin.parse(json);
  if (state !== 'MERGED') return undefined;
  const mergeSha = properties?.mergeCommit?.id ?? null;
  return { number, baseRef: toRef.displayId, mergeSha, closedAt: closedDate ?? updatedDate };
}

const build = z.object({
  key: z.string(),
  // The plan of the build, which required builds name; older versions and programs omit it.
  parent: z.string().nullish(),
  state: z.string(),
  dateAdded: maybeTime,
  createdDate: maybeTime,
  updatedDate: z.union([time, hostTime]).nullish(),
});

const conclusions: Readonly<Record<string, string | null>> = {
  SUCCESSFUL: 'success',
  FAILED: 'failure',
  CANCELLED: 'cancelled',
  INPROGRESS: null,
};

/** Parses a build. Any account that can read can report any build, so that no app stands behind it. */
export function checkFrom(json: unknown, sha: string): HostCheck {
  const found = build.parse(json);
  const conclusion = Object.hasOwn(conclusions, found.state) ? (conclusions[found.state] ?? null) : 'unknown';
  const at = found.updatedDate ?? found.dateAdded ?? found.createdDate;
  return {
    name: found.parent || found.key,
    app: null,
    sha,
    conclusion,
    completedAt: conclusion === null ? null : at,
  };
}
