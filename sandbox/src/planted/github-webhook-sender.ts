import type { PullRequest } from '../git/pull-request.ts';
import type { Host } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { listenerOf } from '../github/installations.ts';
import { pullRequestPayload, pushPayload, reviewPayload } from '../github/payloads.ts';
import { webhookSenderFor } from '../github/webhook-events.ts';
import type { HostWebhookSender } from './webhook-sender.ts';

/** Sends webhooks to the GitHub app. Throws if no installation receives webhooks of the repository. */
export const githubWebhookSender = (host: Host, repository: HostedRepository): HostWebhookSender => {
  const installation = listenerOf(host, repository);
  if (installation === undefined) throw new Error(`No installation hears of ${repository.name}.`);
  const sendWebhook = webhookSenderFor(host, repository, installation.id);
  const pullRequest = async (action: string, pull: PullRequest, extra: Record<string, unknown> = {}): Promise<void> =>
    sendWebhook('pull_request', await pullRequestPayload(host, { repository, installation, action, pull, extra }));
  return {
    async pushed(moved, before) {
      const { ref } = moved;
      const change = { ref, before: moved.before ?? undefined, after: moved.after ?? undefined };
      sendWebhook(
        'push',
        await pushPayload(host, { repository, installation, refChange: change, before, push: moved }),
      );
    },
    opened: (pull) => pullRequest('opened', pull),
    updated: (pull, { before, after }) => pullRequest('synchronize', pull, { before, after }),
    merged: (pull) => pullRequest('closed', pull),
    reviewed: (pull, review) =>
      sendWebhook(
        'pull_request_review',
        reviewPayload(host, { repository, installation, pull, review, action: 'submitted' }),
      ),
    dismissed: (pull, review) =>
      sendWebhook(
        'pull_request_review',
        reviewPayload(host, { repository, installation, pull, review, action: 'dismissed' }),
      ),
    settled: () => host.webhooks.settled(),
  };
};
