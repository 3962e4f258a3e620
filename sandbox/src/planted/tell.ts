import { reachable } from '../git/graph.ts';
import type { Push } from '../git/planted.ts';
import type { PullRequest } from '../git/pull-requests.ts';
import type { Host, HostedRepository } from '../github/host.ts';
import { listenerOf } from '../github/installations.ts';
import { tellerOf } from '../github/news.ts';
import { asOpen, pullRequestPayload, pushPayload, reviewPayload } from '../github/payloads.ts';
import type { Happened } from './happen.ts';

/**
 * Sends the webhooks of what happened, in its order and without those that get lost; ends when they are delivered. Does nothing where
 * no installation hears of the repository.
 */
export const tellStory = async (
  host: Host,
  repository: HostedRepository,
  happened: readonly Happened[],
): Promise<void> => {
  const installation = listenerOf(host, repository);
  if (installation === undefined) return;
  const { commits, defaultBranch } = repository.git;
  const tell = tellerOf(host, repository, installation.id);
  const main = `refs/heads/${defaultBranch}`;
  const known = reachable(commits, [happened[0]?.pushes.find(({ ref }) => ref === main)?.before ?? '']);

  const push = async (moved: Push): Promise<void> => {
    const { ref, before, after } = moved;
    const change = { ref, before: before ?? undefined, after: after ?? undefined };
    const base = before === null ? known : reachable(commits, [before]);
    tell('push', await pushPayload(host, repository, installation, change, { base, known }, moved));
    if (after !== null) reachable(commits, [after], known);
  };
  const pullRequest = async (action: string, pull: PullRequest, extra?: object): Promise<void> => {
    tell('pull_request', await pullRequestPayload(host, repository, installation, action, pull, { ...extra }));
  };

  for (const { change, pull, pushes, at } of happened) {
    const moves = [...pushes];
    if (change.kind === 'direct' || pull === undefined) {
      for (const move of moves) if (!change.lost.includes('push')) await push(move);
      continue;
    }
    let [isOpen, isMerged] = [false, false];
    for (const [index, step] of change.steps.entries()) {
      const shown = asOf(pull, pushes, at[index] ?? 0, isMerged);
      if (step.kind === 'push') {
        const move = moves.shift();
        if (move === undefined) continue;
        await push(move);
        const { before, after } = move;
        if (isOpen) await pullRequest('synchronize', shown, { before, after });
      } else if (step.kind === 'open') {
        isOpen = true;
        await pullRequest('opened', shown);
      } else if (step.kind === 'review' || step.kind === 'dismiss') {
        const review = pull.reviews.find(({ key }) => key === `${pull.number}-${step.key}`);
        const action = step.kind === 'review' ? 'submitted' : 'dismissed';
        if (review) tell('pull_request_review', reviewPayload(host, repository, installation, shown, review, action));
      } else if (step.kind === 'merge') {
        isMerged = true;
        const [merged, deleted] = moves;
        if (merged && !change.lost.includes('push')) await push(merged);
        if (!change.lost.includes('closed')) await pullRequest('closed', asOf(pull, pushes, at[index] ?? 0, true));
        if (deleted) await push(deleted);
      }
    }
  }
  await host.webhooks.settled();
};

/** A pull request as it stood at a time. */
const asOf = (pull: PullRequest, pushes: readonly Push[], at: number, isMerged: boolean): PullRequest => {
  const pushed = pushes.findLast(
    (move) => move.ref === `refs/heads/${pull.headRef}` && move.after !== null && move.at <= at,
  );
  const headSha = pushed?.after ?? pull.headSha;
  const commits = pull.commits.slice(0, pull.commits.indexOf(headSha) + 1);
  const shown = { ...pull, headSha, commits, reviews: pull.reviews.filter((review) => review.at <= at) };
  return isMerged ? shown : { ...asOpen(shown), updatedAt: at };
};
