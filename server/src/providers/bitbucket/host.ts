import type { CodeHostModule } from '#providers/code-host-module.ts';
import type { BitbucketConfig } from '../../config-bitbucket.ts';
import { createBitbucket } from './bitbucket.ts';
import { bitbucketWebhooks } from './webhooks.ts';

export const codeHost: CodeHostModule<BitbucketConfig> = {
  provider: 'bitbucket',
  webhooks: bitbucketWebhooks,
  createConnector({ config, proxies }) {
    const cloud = createBitbucket(config, proxies);
    return async () => cloud;
  },
  publishing: {
    status: 'The token needs the scope “repository” (write:repository:bitbucket).',
    comment: 'The token needs the scope “pullrequest” (write:pullrequest:bitbucket).',
  },
};
