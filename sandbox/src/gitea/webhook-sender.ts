import type { HostedRepository } from '../github/hosted-repository.ts';
import type { HostWebhookSender } from '../planted/webhook-sender.ts';
import type { Gitea } from './instance.ts';
import { sendPull, sendPush, sendReview } from './webhooks.ts';

/** Sends webhooks of a repository. A dismissed review sends none. */
export const giteaWebhookSender = (gitea: Gitea, repository: HostedRepository): HostWebhookSender => ({
  pushed: ({ ref, before, after, by }, { base }) =>
    sendPush(gitea, {
      repository,
      change: { ref, before: before ?? undefined, after: after ?? undefined },
      base,
      pusher: by ?? undefined,
    }),
  opened: async (pull) => sendPull(gitea, repository, { action: 'opened', pull, by: pull.author }),
  updated: async (pull, { by }) => sendPull(gitea, repository, { action: 'synchronized', pull, by: by ?? pull.author }),
  merged: async (pull) => sendPull(gitea, repository, { action: 'closed', pull, by: pull.mergedBy ?? pull.author }),
  reviewed: (pull, { verdict, reviewer }) => sendReview(gitea, repository, { pull, by: reviewer, verdict }),
  dismissed: () => undefined,
  settled: () => gitea.deliveries.settled(),
});
