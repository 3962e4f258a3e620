import type { CodeHostModule } from '#providers/code-host-module.ts';
import { createDataCenterFor } from './data-center.ts';
import { dataCenterWebhooks } from './webhooks.ts';

export const codeHost: CodeHostModule = {
  provider: 'bitbucket-data-center',
  webhooks: dataCenterWebhooks,
  createConnector: ({ config, outboundFor }) => createDataCenterFor(config, outboundFor),
  publishing: {
    status: 'The token needs the permission “Repository read”, and its owner access to the repository.',
    comment: 'The token needs the permission “Repository read”, and its owner access to the repository.',
  },
};
