import type { HostedRepository } from '../github/hosted-repository.ts';
import type { GitlabInstance } from '../gitlab/instance.ts';
import { mergeRequestPayload, pushPayload } from '../gitlab/payloads.ts';
import { sendWebhook } from '../gitlab/webhook-events.ts';
import type { HostWebhookSender } from './webhook-sender.ts';

/** Sends GitLab webhooks for a project. Approval resets send no webhook. */
export const gitlabWebhookSender = (instance: GitlabInstance, repository: HostedRepository): HostWebhookSender => {
  const mergeRequest = (change: Parameters<typeof mergeRequestPayload>[2]): void =>
    sendWebhook(instance, repository, 'mergeRequests', mergeRequestPayload(instance, repository, change));
  return {
    async pushed({ ref, before, after, by }, { base }) {
      const change = { ref, before: before ?? undefined, after: after ?? undefined };
      sendWebhook(
        instance,
        repository,
        'push',
        await pushPayload(instance, { repository, refChange: change, base, pusher: by ?? undefined }),
      );
    },
    opened: async (pull) => mergeRequest({ action: 'open', pull }),
    updated: async (pull, { by }) => mergeRequest({ action: 'update', pull, by: by ?? pull.author }),
    merged: async (pull) => mergeRequest({ action: 'merge', pull, by: pull.mergedBy ?? pull.author }),
    reviewed: (pull, { verdict, reviewer }) =>
      mergeRequest({ action: verdict === 'approved' ? 'approved' : 'update', pull, by: reviewer }),
    dismissed: () => undefined,
    settled: () => instance.deliveries.settled(),
  };
};
