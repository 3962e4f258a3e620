import { z } from 'zod';
import type { HostCheck, HostHeadPush, HostOrigin, HostProtection } from '#providers/host-evidence.ts';
import type { Activity } from './pull-request-shapes.ts';
import { time } from './shapes.ts';

const named = z.object({ id: z.number().int() });

export const idFrom = (json: unknown): number => named.parse(json).id;

const origin = named.extend({
  state: z.string(),
  destination: z.object({ branch: z.object({ name: z.string() }).nullish() }),
});

/** A pull request that a commit belongs to; undefined while it is not merged. */
export function originFrom(json: unknown): HostOrigin | undefined {
  const { id: number, state, destination } = origin.parse(json);
  return state === 'MERGED' && destination.branch ? { number, baseRef: destination.branch.name } : undefined;
}

/**
 * When the branch of a pull request came to each commit, and by whom, the newest first. `entries`: the newest first, too; `shas`: whole ids
 * of commits, which an activity names by their first digits.
 */
export function headPushesFrom(entries: readonly Activity[], shas: readonly string[]): HostHeadPush[] {
  const pushes: HostHeadPush[] = [];
  for (const { update } of entries.toReversed()) {
    const short = update?.source?.commit?.hash;
    const sha = short && shas.find((known) => known !== '' && known.startsWith(short));
    // Other words leave the branch where it is.
    if (!update || !sha || pushes.at(-1)?.sha === sha) continue;
    // What a pull request was opened with was pushed before that.
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
  return { name, sha, conclusion, completedAt: conclusion === null ? null : at };
}

const restriction = z.object({
  kind: z.string(),
  value: z.number().nullish(),
  branch_match_kind: z.string().nullish(),
  pattern: z.string().nullish(),
});

/**
 * What restricts a branch; undefined where nothing does. Where a restriction is for a kind of branches that only the branching
 * model explains, what it may add is not known.
 */
export function protectionFrom(branch: string, values: readonly unknown[]): HostProtection | undefined {
  const all = values.map((json) => restriction.parse(json));
  const mine = all.filter(
    ({ branch_match_kind: by, pattern }) => by !== 'branching_model' && fits(pattern ?? '', branch),
  );
  const unsure = all.filter(({ branch_match_kind: by }) => by === 'branching_model');
  if (mine.length === 0 && unsure.length === 0) return undefined;
  const has = (kind: string, others = unsure): boolean | null =>
    mine.some((one) => one.kind === kind) ? true : others.some((one) => one.kind === kind) ? null : false;
  const not = (value: boolean | null): boolean | null => (value === null ? null : !value);
  const approvals = mine.filter(({ kind }) => kind === 'require_approvals_to_merge').map(({ value }) => value ?? 0);
  const mayAsk = unsure.some(({ kind }) => kind === 'require_approvals_to_merge');
  return {
    requiredReviews: mayAsk && approvals.length === 0 ? null : Math.max(0, ...approvals),
    dismissesStaleReviews: has('reset_pullrequest_approvals_on_change'),
    allowsForcePush: not(has('force')),
    allowsDeletion: not(has('delete')),
    // Without a paid plan nobody can ask for it, so that its lack says nothing.
    includesAdmins: has('enforce_merge_checks') || null,
    // A number of builds, whichever they are.
    requiredChecks: has('require_passing_builds_to_merge') === false ? [] : null,
  };
}

/** `*` stands for any characters. Takes no longer for a pattern that was made to. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest.slice(0, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = rest.at(-1) ?? '';
  return name.length - at >= last.length && name.endsWith(last);
}
