import { firstParents, reachable } from '../git/graph.ts';
import type { Commit } from '../git/log.ts';
import type { PullRequest } from '../git/pull-request.ts';
import { headOf, resolveCommit } from '../git/repository.ts';
import type { Host, Installation } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { listenerOf } from './installations.ts';
import { asOpen, pullRequestPayload, pushPayload, reviewPayload } from './payloads.ts';
import { refuse } from './refusal.ts';
import { webhookSenderFor } from './webhook-events.ts';

/**
 * Sends the webhooks of the default branch's history, oldest first. Each run of up to 100 plain commits and each merge
 * is a push. A merged pull request is opened, reviewed, pushed and closed. Open pull requests follow last. `from` is
 * the last excluded commit. Throws 409 without a receiving installation, 422 if `from` is not on the first-parent line
 * of the branch.
 */
export const replayHistory = async (host: Host, repository: HostedRepository, from?: string): Promise<void> => {
  const installation = listenerOf(host, repository);
  if (installation === undefined) throw refuse(409, 'No active installation hears of this repository.');
  const { git } = repository;
  const start = from === undefined ? undefined : resolveCommit(git, from);
  const chain = firstParents(git.commits, headOf(git)?.sha ?? '');
  const first = start === undefined ? 0 : chain.findIndex(({ sha }) => sha === start.sha) + 1;
  if (from !== undefined && first === 0) throw refuse(422, 'from is no commit of the default branch.');
  const remaining = chain.slice(first);
  const pulls = new Map(git.pullRequests.map((pull) => [pull.mergeSha, pull]));
  const replaySender = replayer(host, repository, installation, start?.sha);

  let pending: Commit[] = [];
  const flush = async (): Promise<void> => {
    const last = pending.at(-1);
    pending = [];
    if (last !== undefined) await replaySender.push(last.sha);
  };
  for (const commit of remaining) {
    const pull = pulls.get(commit.sha);
    if (pull !== undefined || commit.parents.length > 1 || pending.length === mostCommits) await flush();
    if (pull !== undefined) await replaySender.merge(pull, commit.sha);
    else if (commit.parents.length > 1) await replaySender.push(commit.sha);
    else pending.push(commit);
  }
  await flush();
  for (const pull of git.pullRequests.filter(({ state }) => state === 'open')) await replaySender.open(pull);
};

const mostCommits = 100;

const replayer = (host: Host, repository: HostedRepository, installation: Installation, start: string | undefined) => {
  const sendWebhook = webhookSenderFor(host, repository, installation.id);
  const ref = `refs/heads/${repository.git.defaultBranch}`;
  const { commits } = repository.git;
  const known = reachable(commits, start === undefined ? [] : [start]);
  let before = start;
  const push = async (after: string): Promise<void> => {
    const change = { ref, before, after };
    sendWebhook(
      'push',
      await pushPayload(host, { repository, installation, refChange: change, before: { base: known, known } }),
    );
    reachable(commits, [after], known);
    before = after;
  };
  const open = async (pull: PullRequest): Promise<void> => {
    const opened = asOpen(pull);
    sendWebhook('pull_request', await pullRequestPayload(host, { repository, installation, action: 'opened', pull }));
    for (const review of pull.reviews) {
      sendWebhook('pull_request_review', reviewPayload(host, { repository, installation, pull: opened, review }));
    }
  };
  const merge = async (pull: PullRequest, sha: string): Promise<void> => {
    await open(pull);
    await push(sha);
    sendWebhook('pull_request', await pullRequestPayload(host, { repository, installation, action: 'closed', pull }));
  };
  return { push, open, merge };
};
