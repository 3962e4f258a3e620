import type { Provider } from '@sightline/contract/core/providers.ts';
import { bitbucketWebhooks } from '#providers/bitbucket/webhooks.ts';
import { githubWebhooks } from '#providers/github/webhooks.ts';
import { gitlabWebhooks } from '#providers/gitlab/webhooks.ts';
import type { HostWebhooks } from '#providers/host-events.ts';

/** The webhook verification and parsing of each host. */
const hosts: Partial<Record<Provider, HostWebhooks>> = {
  github: githubWebhooks,
  gitlab: gitlabWebhooks,
  bitbucket: bitbucketWebhooks,
};

export const webhooksOf = (provider: string): HostWebhooks | undefined =>
  Object.hasOwn(hosts, provider) ? hosts[provider as Provider] : undefined;
