import type { CodeHost, HostCommit, HostPullRequest, HostRef, HostReview } from '#providers/code-host.ts';
import type { HostCheck, HostHeadPush, HostList, HostTimeline } from '#providers/host-evidence.ts';
import { type Told, tell } from './told.ts';

/** What a host says of a merge, each part asked for by itself. */
export interface Gathered {
  pullRequest: Told<{ pullRequest: HostPullRequest; reviews: HostReview[] }>;
  commits: Told<HostList<HostCommit>>;
  pushes: Told<HostHeadPush[]>;
  timeline: Told<HostTimeline>;
  checks: Told<HostCheck[]>;
  /** Notes of agents on the commits. */
  notes: Told<ReadonlyMap<string, string>>;
  reviewsAreFor: 'commit' | 'time';
}

/** Throws HostLimited. `host` undefined: the host is not connected any more. */
export async function gather(
  host: CodeHost | undefined,
  ref: HostRef,
  number: number,
  known: Pick<HostPullRequest, 'headSha'>,
): Promise<Gathered> {
  const evidence = host?.evidence;
  const pullRequest = await tell(host && (() => host.getPullRequest(ref, number)));
  const now = 'value' in pullRequest ? pullRequest.value.pullRequest : undefined;
  const sha = now?.headSha ?? known.headSha;
  const [commits, pushes, timeline, checks] = await Promise.all([
    tell(evidence && (() => evidence.pullRequestCommits(ref, number))),
    tell(evidence && now && (() => evidence.pullRequestPushes(ref, now))),
    tell(evidence && (() => evidence.timelineOf(ref, number))),
    tell(evidence && sha !== '' ? () => evidence.checksOf(ref, sha) : undefined),
  ]);
  const shas = 'value' in commits ? commits.value.items.map((commit) => commit.sha) : [];
  const notesOf = evidence?.notesOf;
  const notes = await tell(notesOf && (() => notesOf(ref, shas)));
  return {
    ...{ pullRequest, commits, pushes, timeline, checks, notes },
    reviewsAreFor: evidence?.reviewsAreFor ?? 'time',
  };
}
