import { reachable } from '../git/graph.ts';
import type { Push } from '../git/model.ts';
import type { PullRequest } from '../git/pull-request.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { asOpen } from '../github/payloads.ts';
import type { SimulatedChange } from './simulated-change.ts';
import type { HostWebhookSender } from './webhook-sender.ts';

/** Sends the webhooks of simulated changes in order, without lost ones. Resolves when they are delivered. */
export const sendScenarioWebhooks = async (
  webhookSender: HostWebhookSender,
  repository: HostedRepository,
  happened: readonly SimulatedChange[],
): Promise<void> => {
  const { commits, defaultBranch } = repository.git;
  const main = `refs/heads/${defaultBranch}`;
  const known = reachable(commits, [happened[0]?.pushes.find(({ ref }) => ref === main)?.before ?? '']);

  const push = async (moved: Push): Promise<void> => {
    const { before, after } = moved;
    await webhookSender.pushed(moved, { base: before === null ? known : reachable(commits, [before]), known });
    if (after !== null) reachable(commits, [after], known);
  };

  for (const one of happened) {
    if (one.change.kind !== 'direct' && one.pull !== undefined)
      await sendPullRequestWebhooks(webhookSender, one, one.pull, push);
    else if (!one.change.lost.includes('push')) for (const move of one.pushes) await push(move);
  }
  await webhookSender.settled();
};

/** Sends the webhooks of the steps of a pull request. */
async function sendPullRequestWebhooks(
  webhookSender: HostWebhookSender,
  { change, pushes, at }: SimulatedChange,
  pull: PullRequest,
  push: (moved: Push) => Promise<void>,
): Promise<void> {
  if (change.kind === 'direct') return;
  const moves = [...pushes];
  let [isOpen, isMerged] = [false, false];
  const updated = async (shown: PullRequest) => {
    const move = moves.shift();
    if (move === undefined) return;
    await push(move);
    if (isOpen) await webhookSender.updated(shown, move);
  };
  const merged = async (time: number) => {
    const [merge, deletion] = moves;
    if (merge && !change.lost.includes('push')) await push(merge);
    if (!change.lost.includes('closed')) await webhookSender.merged(asOf(pull, pushes, time, true));
    if (deletion) await push(deletion);
  };
  for (const [index, step] of change.steps.entries()) {
    const shown = asOf(pull, pushes, at[index] ?? 0, isMerged);
    if (step.kind === 'push') await updated(shown);
    else if (step.kind === 'open') {
      isOpen = true;
      await webhookSender.opened(shown);
    } else if (step.kind === 'merge') {
      isMerged = true;
      await merged(at[index] ?? 0);
    } else if (step.kind === 'review' || step.kind === 'dismiss') {
      const review = pull.reviews.find(({ key }) => key === `${pull.number}-${step.key}`);
      if (review) webhookSender[step.kind === 'review' ? 'reviewed' : 'dismissed'](shown, review);
    }
  }
}

/** A pull request as of a time. */
const asOf = (pull: PullRequest, pushes: readonly Push[], at: number, isMerged: boolean): PullRequest => {
  const pushed = pushes.findLast(
    (move) => move.ref === `refs/heads/${pull.headRef}` && move.after !== null && move.at <= at,
  );
  const headSha = pushed?.after ?? pull.headSha;
  const commits = pull.commits.slice(0, pull.commits.indexOf(headSha) + 1);
  const shown = { ...pull, headSha, commits, reviews: pull.reviews.filter((review) => review.at <= at) };
  return isMerged ? shown : { ...asOpen(shown), updatedAt: at };
};
