import type { Actor } from '@sightline/evidence/controls/persons.ts';
import type { HostHeadPush } from '#providers/host-evidence.ts';
import type { HostCommit, HostPullRequest, HostUser } from '../../../providers/host-facts.ts';
import type { StoredHeadPush } from './pull-request-heads.ts';

/** The pushers of a pull request before its last push. `isWhole`: all of them are known. */
export interface EarlierPushers {
  /** From the list of the host, still to be resolved. */
  users: readonly HostUser[];
  /** From webhooks. */
  actors: readonly Actor[];
  isWhole: boolean;
  /** Number of commits that a program pushed without a verified signature. */
  unattested: number;
}

interface PushHistory {
  pullRequest: Pick<HostPullRequest, 'headSha' | 'mergeBase'>;
  commits: { items: readonly HostCommit[]; isWhole: boolean } | undefined;
  /** As the host lists them, newest first. */
  listed: readonly HostHeadPush[];
  /** As webhooks reported them, newest first. */
  stored: readonly StoredHeadPush[];
}

/**
 * Follows the pushes of a pull request backward from its head, until one that created the branch or started at the
 * target branch. A push that replaced commits is followed too, because the pusher of the replaced ones may have
 * written what remains. Every push that a webhook reported for the pull request itself counts.
 */
export function earlierPushersOf({ pullRequest, commits, listed, stored }: PushHistory): EarlierPushers {
  const { headSha } = pullRequest;
  const isBase = baseTest(pullRequest, commits?.items ?? []);
  const users = new Map<string, HostUser>();
  const actors = stored.filter(({ isOfPullRequest, sha }) => isOfPullRequest && sha !== headSha).map(({ by }) => by);
  const seen = new Map<string, boolean>();
  let isWhole = headSha !== '' && commits?.isWhole === true;
  for (const open = [headSha]; open.length > 0; ) {
    const sha = open.pop() ?? '';
    if (seen.has(sha)) continue;
    const reached = pushesTo(sha, { listed, stored, isHead: sha === headSha });
    seen.set(sha, reached.isByProgram);
    for (const user of reached.users) users.set(user.id ?? user.login, user);
    actors.push(...reached.actors);
    if (!reached.isWhole) isWhole = false;
    open.push(...reached.starts.filter((before) => !isBase(before)));
  }
  return {
    users: [...users.values()],
    actors,
    isWhole,
    unattested: countUnattested(commits?.items ?? [], [...seen].reverse()),
  };
}

/** The pushes that ended at a commit. Of those that ended at the head, the newest is the last push. */
function pushesTo(
  sha: string,
  { listed, stored, isHead }: Pick<PushHistory, 'listed' | 'stored'> & { isHead: boolean },
): Omit<EarlierPushers, 'unattested'> & { starts: readonly string[]; isByProgram: boolean } {
  const isEnd = (push: { sha: string }): boolean => push.sha === sha;
  const [fromHost, fromWebhooks] = [listed.filter(isEnd), stored.filter(isEnd)];
  const earlier = isHead ? fromHost.slice(1) : fromHost;
  const starts = [...fromHost, ...fromWebhooks].flatMap(({ before }) => (before === undefined ? [] : [before]));
  const hasPushers = isHead || fromWebhooks.length > 0 || fromHost.every(({ pusher }) => pusher !== null);
  return {
    users: earlier.flatMap(({ pusher }) => pusher ?? []),
    actors: isHead ? [] : fromWebhooks.map(({ by }) => by),
    isWhole: starts.length > 0 && hasPushers,
    starts: starts.filter((before) => before !== null),
    isByProgram: fromHost.some(({ pusher }) => pusher?.isAgent) || fromWebhooks.some(({ by }) => by.kind === 'agent'),
  };
}

/**
 * Counts unsigned commits that first came with the push of a program. `pushes`: the commits at their ends, oldest first,
 * and whether a program pushed. A commit that cannot be assigned counts if any program pushed.
 */
function countUnattested(
  commits: readonly HostCommit[],
  pushes: readonly (readonly [sha: string, isByProgram: boolean])[],
): number {
  if (!pushes.some(([, isByProgram]) => isByProgram)) return 0;
  const open = new Map(commits.map((commit) => [commit.sha, commit]));
  let count = 0;
  for (const [end, isByProgram] of pushes) {
    for (const queue = [end]; queue.length > 0; ) {
      const commit = open.get(queue.pop() ?? '');
      if (!commit) continue;
      open.delete(commit.sha);
      queue.push(...(commit.parents ?? []));
      if (isByProgram && !commit.isSignatureVerified) count += 1;
    }
  }
  return count + [...open.values()].filter(({ isSignatureVerified }) => !isSignatureVerified).length;
}

/** Returns whether a commit belongs to the target branch, since the pull request starts there. */
function baseTest(
  { mergeBase }: Pick<HostPullRequest, 'mergeBase'>,
  commits: readonly HostCommit[],
): (sha: string) => boolean {
  const own = new Set(commits.map(({ sha }) => sha));
  const parents = commits.flatMap((commit) => commit.parents ?? []).filter((sha) => !own.has(sha));
  const bases = new Set(mergeBase === undefined ? parents : [...parents, mergeBase]);
  return (sha) => bases.has(sha);
}
