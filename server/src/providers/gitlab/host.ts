import type { CodeHostModule } from '#providers/code-host-module.ts';
import type { GitlabConfig } from '../../config-gitlab.ts';
import { createGitlabFor } from './gitlab.ts';
import { gitlabWebhooks } from './webhooks.ts';

export const codeHost: CodeHostModule<GitlabConfig> = {
  provider: 'gitlab',
  webhooks: gitlabWebhooks,
  createConnector: ({ config, outboundFor }) => createGitlabFor(config, outboundFor),
  publishing: {
    status: 'The token needs the scope “api”, and the role of a developer.',
    comment: 'The token needs the scope “api”.',
  },
};
