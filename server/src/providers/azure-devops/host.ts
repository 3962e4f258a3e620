import type { CodeHostModule } from '#providers/code-host-module.ts';
import { createAzureDevopsFor } from './azure-devops.ts';
import { azureDevopsWebhooks } from './webhooks.ts';

export const codeHost: CodeHostModule = {
  provider: 'azure-devops',
  webhooks: azureDevopsWebhooks,
  createConnector: ({ config, outboundFor }) => createAzureDevopsFor(config, outboundFor),
  publishing: {
    status: 'The token needs the scopes “Code: Read & write” and “Code: Status”.',
    comment: 'The token needs the scope “Pull Request Threads: Read & write”.',
  },
};
