import { z } from 'zod';
import type { HostCheck, HostHeadPush, HostProtection, MergedPullRequest } from '#providers/host-evidence.ts';
import type { Activity } from './pull-request-shapes.ts';
import { time } from './shapes.ts';

const named = z.object({ id: z.number().int() });

export const pullRequestIdFrom = (json: unknown): number => named.parse(json).id;

const origin = named.extend({
  state: z.string(),
  destination: z.object({ branch: z.object({ name: z.string() }).nullish() }),
});

/** Parses a pull request of a commit; undefined if it is not merged. */
export function mergedBitbucketPullRequest(json: unknown): MergedPullRequest | undefined {
  const { id: number, state, destination } = origin.parse(json);
  return state === 'MERGED' && destination.branch ? { number, baseRef: destination.branch.name } : undefined;
}

/**
 * The pushes to the branch of a pull request, newest first. `entries`: the activity, newest first. `shas`: the full IDs
 * of the commits, which the activity abbreviates.
 */
export function headPushesFrom(entries: readonly Activity[], shas: readonly string[]): HostHeadPush[] {
  const pushes: HostHeadPush[] = [];
  for (const { update } of entries.toReversed()) {
    const short = update?.source?.commit?.hash;
    const sha = short && shas.find((known) => known !== '' && known.startsWith(short));
    // Other updates do not change the branch.
    if (!update || !sha || pushes.at(-1)?.sha === sha) continue;
    // The first commit was pushed before the pull request was opened.
    const isFirst = pushes.length === 0;
    pushes.push({ sha, at: update.date, atKnown: isFirst ? 'after' : 'host', pusher: isFirst ? null : update.author });
  }
  return pushes.reverse();
}

const status = z.object({ key: z.string(), state: z.string(), updated_on: time });
const conclusions: Readonly<Record<string, string>> = {
  SUCCESSFUL: 'success',
  FAILED: 'failure',
  STOPPED: 'cancelled',
};

export function checkFrom(json: unknown, sha: string): HostCheck {
  const { key: name, state, updated_on: at } = status.parse(json);
  const conclusion = conclusions[state] ?? null;
  return { name, app: null, sha, conclusion, completedAt: conclusion === null ? null : at };
}

const restriction = z.object({
  kind: z.string(),
  value: z.number().nullish(),
  branch_match_kind: z.string().nullish(),
  pattern: z.string().nullish(),
});

/**
 * The protection of a branch from its restrictions; undefined if there are none. Restrictions by branching model may or
 * may not apply to the branch, so that their effect is unknown.
 */
export function protectionFrom(branch: string, values: readonly unknown[]): HostProtection | undefined {
  const all = values.map((json) => restriction.parse(json));
  const matching = all.filter(
    ({ branch_match_kind: by, pattern }) => by !== 'branching_model' && matchesPattern(pattern ?? '', branch),
  );
  const uncertain = all.filter(({ branch_match_kind: by }) => by === 'branching_model');
  if (matching.length === 0 && uncertain.length === 0) return undefined;
  const has = (kind: string, others = uncertain): boolean | null =>
    matching.some((one) => one.kind === kind) ? true : others.some((one) => one.kind === kind) ? null : false;
  const not = (value: boolean | null): boolean | null => (value === null ? null : !value);
  const approvals = matching.filter(({ kind }) => kind === 'require_approvals_to_merge').map(({ value }) => value ?? 0);
  const mayAsk = uncertain.some(({ kind }) => kind === 'require_approvals_to_merge');
  const isBuilds = ({ kind }: { kind: string }) => kind === 'require_passing_builds_to_merge';
  const builds = uncertain.some(isBuilds)
    ? null
    : Math.max(0, ...matching.filter(isBuilds).map(({ value }) => value ?? 0));
  return {
    requiredReviews: mayAsk && approvals.length === 0 ? null : Math.max(0, ...approvals),
    dismissesStaleReviews: has('reset_pullrequest_approvals_on_change'),
    allowsForcePush: not(has('force')),
    allowsDeletion: not(has('delete')),
    // Only paid plans offer this restriction, so that its absence is no information.
    includesAdmins: has('enforce_merge_checks') || null,
    // Bitbucket requires a number of builds without their names.
    requiredChecks: builds === 0 ? [] : null,
    requiredCheckCount: builds,
    requiredApps: [],
    unboundChecks: builds,
  };
}

/** Matches a pattern in which `*` is any text. Runs in linear time, also for hostile patterns. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(0, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = parts.at(-1) ?? '';
  return name.length - at >= last.length && name.endsWith(last);
}
