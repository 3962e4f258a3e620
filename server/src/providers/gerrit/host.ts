import type { CodeHostModule } from '#providers/code-host-module.ts';
import { createGerritFor } from './gerrit.ts';

export const codeHost: CodeHostModule = {
  provider: 'gerrit',
  // Gerrit sends none without a plugin, so that changes arrive by the reconciliation.
  webhooks: undefined,
  createConnector: ({ config, outboundFor }) => createGerritFor(config, outboundFor),
  publishing: {
    status: 'Gerrit is only read: policies are neither enforced nor commented there.',
    comment: 'Gerrit is only read: policies are neither enforced nor commented there.',
  },
};
