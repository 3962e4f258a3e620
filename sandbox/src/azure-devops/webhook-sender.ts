import type { HostedRepository } from '../github/hosted-repository.ts';
import type { HostWebhookSender } from '../planted/webhook-sender.ts';
import type { AzureDevops } from './collection.ts';
import { sendPull, sendPush } from './webhooks.ts';

/** Sends events of a repository. Votes and resets are updates of a pull request. */
export const azureDevopsWebhookSender = (azure: AzureDevops, repository: HostedRepository): HostWebhookSender => ({
  pushed: async ({ ref, before, after, by, at }, { base }) =>
    sendPush(azure, {
      repository,
      change: { ref, before: before ?? undefined, after: after ?? undefined },
      base,
      pusher: by ?? undefined,
      at,
    }),
  opened: async (pull) => sendPull(azure, repository, 'opened', pull),
  updated: async (pull) => sendPull(azure, repository, 'synchronize', pull),
  merged: async (pull) => sendPull(azure, repository, 'closed', pull),
  reviewed: (pull) => sendPull(azure, repository, 'vote', pull),
  dismissed: (pull) => sendPull(azure, repository, 'vote', pull),
  settled: () => azure.deliveries.settled(),
});
