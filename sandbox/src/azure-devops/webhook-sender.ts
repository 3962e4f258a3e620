import type { HostedRepository } from '../github/hosted-repository.ts';
import type { HostWebhookSender } from '../planted/webhook-sender.ts';
import type { AzureDevops } from './collection.ts';
import { sendPull, sendPush } from './webhooks.ts';

/** Sends events of a repository. Votes and resets are updates of a pull request. */
export const azureDevopsWebhookSender = (
  azureDevops: AzureDevops,
  repository: HostedRepository,
): HostWebhookSender => ({
  pushed: async ({ ref, before, after, by, at }, { base }) =>
    sendPush(azureDevops, {
      repository,
      change: { ref, before: before ?? undefined, after: after ?? undefined },
      base,
      pusher: by ?? undefined,
      at,
    }),
  opened: async (pull) => sendPull(azureDevops, repository, 'opened', pull),
  updated: async (pull) => sendPull(azureDevops, repository, 'synchronize', pull),
  merged: async (pull) => sendPull(azureDevops, repository, 'closed', pull),
  reviewed: (pull) => sendPull(azureDevops, repository, 'vote', pull),
  dismissed: (pull) => sendPull(azureDevops, repository, 'vote', pull),
  settled: () => azureDevops.deliveries.settled(),
});
