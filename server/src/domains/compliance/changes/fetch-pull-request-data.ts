import type { CodeHost } from '#providers/code-host.ts';
import type { HostCheck, HostHeadPush, HostList, HostTimeline } from '#providers/host-evidence.ts';
import type { HostCommit, HostPullRequest, HostRef, ReviewedPullRequest } from '../../../providers/host-facts.ts';
import { type AttributionSources, fetchAttributionSources } from './attribution/read.ts';
import { type ChangedFiles, readChangedConfiguration } from './changed-files.ts';
import { answerOf, type HostAnswer, requestFromHost } from './host-answer.ts';

/** The data of a host about a merge. Each part is requested separately. */
export interface PullRequestData {
  pullRequest: HostAnswer<ReviewedPullRequest>;
  commits: HostAnswer<HostList<HostCommit>>;
  pushes: HostAnswer<HostHeadPush[]>;
  timeline: HostAnswer<HostTimeline>;
  checks: HostAnswer<HostCheck[]>;
  changed: ChangedFiles;
  /** Notes and traces that name agents. */
  sayings: AttributionSources;
  reviewsAreFor: 'commit' | 'time';
}

/** Requests the data of a pull request. `host` is undefined if it is disconnected. Throws HostLimited. */
export async function fetchPullRequestData(
  host: CodeHost | undefined,
  ref: HostRef,
  number: number,
  known: Pick<HostPullRequest, 'headSha'>,
): Promise<PullRequestData> {
  const evidence = host?.evidence;
  const pullRequest = await requestFromHost(host && (() => host.getPullRequest(ref, number)));
  const read = 'value' in pullRequest ? pullRequest.value : undefined;
  const now = read?.pullRequest;
  const sha = now?.headSha ?? known.headSha;
  const [commits, pushes, timeline, checks, files] = await Promise.all([
    requestFromHost(evidence && (() => evidence.pullRequestCommits(ref, number))),
    requestFromHost(evidence && now && (() => evidence.pullRequestPushes(ref, now))),
    requestFromHost(evidence && (() => evidence.timelineOf(ref, number, read))),
    requestFromHost(evidence && sha !== '' ? () => evidence.checksOf(ref, sha) : undefined),
    requestFromHost(evidence && (() => evidence.pullRequestFiles(ref, number))),
  ]);
  const sayings = await fetchAttributionSources(host, ref, {
    commits: answerOf(commits)?.items ?? [],
    head: sha,
    previousHeads: (answerOf(pushes) ?? []).flatMap((push) => [push.sha, push.before ?? []].flat()),
  });
  const changed = await readChangedConfiguration(host, ref, sha, files);
  return {
    pullRequest,
    commits,
    pushes,
    timeline,
    checks,
    changed,
    sayings,
    reviewsAreFor: evidence?.reviewsAreFor ?? 'time',
  };
}
