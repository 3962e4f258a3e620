import type { HostedRepository } from '../github/hosted-repository.ts';
import type { HostWebhookSender } from '../planted/webhook-sender.ts';
import type { DataCenter } from './instance.ts';
import { sendPull, sendPush, sendReview } from './webhooks.ts';

/** Sends webhooks of a repository. */
export const dataCenterWebhookSender = (dataCenter: DataCenter, repository: HostedRepository): HostWebhookSender => ({
  pushed: async ({ ref, before, after, by, at }, { base }) =>
    sendPush(dataCenter, {
      repository,
      change: { ref, before: before ?? undefined, after: after ?? undefined },
      base,
      pusher: by ?? undefined,
      at,
    }),
  opened: async (pull) => sendPull(dataCenter, repository, { event: 'pr:opened', pull, by: pull.author }),
  updated: async (pull, { by }) =>
    sendPull(dataCenter, repository, { event: 'pr:from_ref_updated', pull, by: by ?? pull.author }),
  merged: async (pull) =>
    sendPull(dataCenter, repository, { event: 'pr:merged', pull, by: pull.mergedBy ?? pull.author }),
  reviewed: (pull, { verdict, reviewer }) => sendReview(dataCenter, repository, { pull, by: reviewer, verdict }),
  dismissed: (pull, { reviewer }) => sendReview(dataCenter, repository, { pull, by: reviewer, verdict: 'withdrawn' }),
  settled: () => dataCenter.deliveries.settled(),
});
