import type { CodeHostModule } from '#providers/code-host-module.ts';
import { githubWebhooks } from './webhooks.ts';

export const codeHost: CodeHostModule = {
  provider: 'github',
  webhooks: githubWebhooks,
  createConnector: undefined,
  publishing: {
    status: 'The app needs the permission “Commit statuses: read and write”.',
    comment: 'The app needs the permission “Pull requests: read and write”.',
  },
};
