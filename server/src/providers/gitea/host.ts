import type { CodeHostModule } from '#providers/code-host-module.ts';
import { createGiteaFor } from './gitea.ts';
import { giteaWebhooks } from './webhooks.ts';

export const codeHost: CodeHostModule = {
  provider: 'gitea',
  webhooks: giteaWebhooks,
  createConnector: ({ config, outboundFor }) => createGiteaFor(config, outboundFor),
  publishing: {
    status: 'The token needs the scope “repository: Read and Write”, and its owner the right to write.',
    comment: 'The token needs the scope “issue: Read and Write”.',
  },
};
