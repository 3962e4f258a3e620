import { firstParents, reachable } from '../git/graph.ts';
import type { Commit } from '../git/log.ts';
import type { PullRequest } from '../git/pull-request.ts';
import { headOf, resolveCommit } from '../git/repository.ts';
import type { Host, Installation } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { listenerOf } from './installations.ts';
import { asOpen, pullRequestPayload, pushPayload, reviewPayload } from './payloads.ts';
import { refuse } from './refusal.ts';
import { tellerOf } from './webhook-events.ts';

/**
 * Sends the webhooks that the default branch's history would have made, oldest first: a push for every run of up to
 * 100 plain commits and for every merge, and for a merged pull request opened, its reviews, the push, and closed.
 * Open pull requests come last. `from` is the last commit left out. Throws 409 when no installation listens,
 * 422 when `from` is not on the branch's first-parent line.
 */
export const replayHistory = async (host: Host, repository: HostedRepository, from?: string): Promise<void> => {
  const installation = listenerOf(host, repository);
  if (installation === undefined) throw refuse(409, 'No active installation hears of this repository.');
  const { git } = repository;
  const start = from === undefined ? undefined : resolveCommit(git, from);
  const chain = firstParents(git.commits, headOf(git)?.sha ?? '');
  const first = start === undefined ? 0 : chain.findIndex(({ sha }) => sha === start.sha) + 1;
  if (from !== undefined && first === 0) throw refuse(422, 'from is no commit of the default branch.');
  const rest = chain.slice(first);
  const pulls = new Map(git.pullRequests.map((pull) => [pull.mergeSha, pull]));
  const teller = replayer(host, repository, installation, start?.sha);

  let pending: Commit[] = [];
  const flush = async (): Promise<void> => {
    const last = pending.at(-1);
    pending = [];
    if (last !== undefined) await teller.push(last.sha);
  };
  for (const commit of rest) {
    const pull = pulls.get(commit.sha);
    if (pull !== undefined || commit.parents.length > 1 || pending.length === mostCommits) await flush();
    if (pull !== undefined) await teller.merge(pull, commit.sha);
    else if (commit.parents.length > 1) await teller.push(commit.sha);
    else pending.push(commit);
  }
  await flush();
  for (const pull of git.pullRequests.filter(({ state }) => state === 'open')) await teller.open(pull);
};

const mostCommits = 100;

const replayer = (host: Host, repository: HostedRepository, installation: Installation, start: string | undefined) => {
  const tell = tellerOf(host, repository, installation.id);
  const ref = `refs/heads/${repository.git.defaultBranch}`;
  const { commits } = repository.git;
  const known = reachable(commits, start === undefined ? [] : [start]);
  let before = start;
  const push = async (after: string): Promise<void> => {
    const change = { ref, before, after };
    tell(
      'push',
      await pushPayload(host, { repository, installation, refChange: change, before: { base: known, known } }),
    );
    reachable(commits, [after], known);
    before = after;
  };
  const open = async (pull: PullRequest): Promise<void> => {
    const opened = asOpen(pull);
    tell('pull_request', await pullRequestPayload(host, { repository, installation, action: 'opened', pull }));
    for (const review of pull.reviews) {
      tell('pull_request_review', reviewPayload(host, { repository, installation, pull: opened, review }));
    }
  };
  const merge = async (pull: PullRequest, sha: string): Promise<void> => {
    await open(pull);
    await push(sha);
    tell('pull_request', await pullRequestPayload(host, { repository, installation, action: 'closed', pull }));
  };
  return { push, open, merge };
};
