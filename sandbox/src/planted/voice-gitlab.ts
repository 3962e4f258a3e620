import type { HostedRepository } from '../github/hosted-repository.ts';
import type { GitlabInstance } from '../gitlab/instance.ts';
import { mergeRequestPayload, pushPayload } from '../gitlab/payloads.ts';
import { tell } from '../gitlab/webhook-events.ts';
import type { Voice } from './voice.ts';

/** Tells the webhooks of a project on GitLab. That approvals were reset it tells nobody. */
export const gitlabVoice = (instance: GitlabInstance, repository: HostedRepository): Voice => {
  const mergeRequest = (action: string, ...about: Tail<Parameters<typeof mergeRequestPayload>>): void =>
    tell(instance, repository, 'mergeRequests', mergeRequestPayload(instance, repository, action, ...about));
  return {
    async pushed({ ref, before, after, by }, { base }) {
      const change = { ref, before: before ?? undefined, after: after ?? undefined };
      tell(instance, repository, 'push', await pushPayload(instance, repository, change, base, by ?? undefined));
    },
    opened: async (pull) => mergeRequest('open', pull),
    updated: async (pull, { by }) => mergeRequest('update', pull, by ?? pull.author),
    merged: async (pull) => mergeRequest('merge', pull, pull.mergedBy ?? pull.author),
    reviewed: (pull, { verdict, reviewer }) =>
      mergeRequest(verdict === 'approved' ? 'approved' : 'update', pull, reviewer),
    dismissed: () => undefined,
    settled: () => instance.deliveries.settled(),
  };
};

type Tail<All extends unknown[]> = All extends [unknown, unknown, unknown, ...infer Rest] ? Rest : never;
